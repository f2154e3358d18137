// The exports of the consensus module, nothing else. Arguments and results are described in abi.ts.
// Keeps: only i32 cross the boundary; bytes are passed in memory; an instance has one epoch at a time.

import { trapRecord } from '../lib/trap';
import { ABI_VERSION, BUFFER_BYTES } from './abi';
import { explain, hasQuorum, preview, slotStatus, writeFigures } from './answers';
import { epoch } from './epoch';
import { insertRecords } from './feed';
import { leaderOf } from './leaders';
import { blockPart, evidencePart, nextBlock } from './order';
import { inputAddress, openEpoch } from './setup';
import { beginSnapshot, snapshotPart } from './snapshot';
import { writeTimely } from './timely';

function isOpen(): bool {
  return epoch().input != 0;
}

export function consensus_abi_version(): i32 {
  return ABI_VERSION;
}

export function consensus_in_ptr(): i32 {
  return <i32>inputAddress();
}

export function consensus_out_ptr(): i32 {
  return <i32>inputAddress() + BUFFER_BYTES;
}

export function consensus_init(length: i32): i32 {
  return openEpoch(<u32>length);
}

export function consensus_insert(length: i32): i32 {
  return insertRecords(<u32>length);
}

export function consensus_next_block(): i32 {
  return isOpen() && nextBlock() ? 1 : 0;
}

export function consensus_block_part(from: i32): i32 {
  return isOpen() ? <i32>blockPart(<u32>from) : 0;
}

export function consensus_evidence_part(from: i32): i32 {
  return isOpen() ? <i32>evidencePart(<u32>from) : 0;
}

export function consensus_preview(length: i32): i32 {
  return preview(<u32>length);
}

export function consensus_explain(): i32 {
  return explain();
}

export function consensus_leader(round: i32, place: i32): i32 {
  return isOpen() ? leaderOf(<u32>round, <u32>place) : -1;
}

export function consensus_slot(round: i32, place: i32): i32 {
  return isOpen() ? slotStatus(<u32>round, <u32>place) : -1;
}

export function consensus_has_quorum(round: i32): i32 {
  return isOpen() && hasQuorum(<u32>round) ? 1 : 0;
}

export function consensus_figures(): i32 {
  return writeFigures();
}

export function consensus_timely(): i32 {
  return isOpen() ? writeTimely() : -1;
}

export function consensus_snapshot_begin(): i32 {
  return isOpen() ? <i32>beginSnapshot() : -1;
}

export function consensus_snapshot_part(): i32 {
  return isOpen() ? <i32>snapshotPart() : 0;
}

export function consensus_trap_ptr(): i32 {
  return <i32>trapRecord();
}

// core_apply: takes records from the in buffer in order and writes what became of them.
// Keeps: a whole number of records is consumed; one that could overflow the out buffer waits.

import {
  ENTRY_INVALID,
  OP_BLOCK,
  OP_BLOCK_END,
  OP_EXCLUDE_SEAT,
  OP_GENESIS_END,
  OP_GENESIS_SEAT,
  OP_INVALID,
  OP_VERTEX,
  OUT_TX,
} from '../abi';
import { OUT_TX_BYTES } from '../io/frame';
import { appendRecord, hasRoom, setOutputBytes } from '../io/output';
import { copy32 } from '../lib/bytes';
import { header, PHASE_BLOCK, PHASE_GENESIS, PHASE_IDLE, PHASE_VERTEX } from '../state/header';
import { markHeader } from '../state/marks';
import { IN_BYTES, inputAddress, isReady } from '../state/root';
import { excludeSeat } from '../validators/exclusion';
import { isSeat } from '../validators/seats';
import { closeBlock, openBlock, openVertex } from './blocks';
import { applyCommand } from './commands';
import { takeGenesisSeat } from './genesis';
import { BAD, DONE, FULL } from './step';

const HEAD_BYTES: u32 = 8;
const FIRST_COMMAND: u32 = 16;

function endGenesis(): i32 {
  if (header().phase != PHASE_GENESIS) return BAD;
  header().phase = PHASE_IDLE;
  return DONE;
}

function genesisSeat(record: usize, bytes: u32): i32 {
  if (header().phase != PHASE_GENESIS) return BAD;
  return takeGenesisSeat(record, bytes) ? DONE : BAD;
}

// An entry that does not parse takes its place in the vertex and has no other effect.
function invalidEntry(record: usize): i32 {
  const h = header();
  if (h.phase != PHASE_VERTEX || h.nextIndex == h.entryCount) return BAD;
  if (!hasRoom(OUT_TX_BYTES)) return FULL;

  const outcome = appendRecord(OUT_TX, ENTRY_INVALID, OUT_TX_BYTES);
  copy32(outcome + 8, record + 8);
  store<u64>(outcome, h.order, 48);
  store<u32>(outcome, h.nextIndex++, 56);
  store<u32>(outcome, OP_INVALID, 60);
  return DONE;
}

// What the block proves takes effect before its first vertex.
function seatExclusion(record: usize): i32 {
  const seat = load<u32>(record, 8);
  if (header().phase != PHASE_BLOCK || !isSeat(seat)) return BAD;
  excludeSeat(seat);
  return DONE;
}

function step(record: usize, bytes: u32): i32 {
  const opcode = <u32>load<u16>(record);
  if (opcode >= FIRST_COMMAND) return applyCommand(record, bytes);
  if (opcode == OP_VERTEX) return bytes == 24 ? openVertex(record) : BAD;
  if (opcode == OP_BLOCK) return bytes == 56 ? openBlock(record) : BAD;
  if (opcode == OP_BLOCK_END) return bytes == HEAD_BYTES ? closeBlock() : BAD;
  if (opcode == OP_EXCLUDE_SEAT) return bytes == 16 ? seatExclusion(record) : BAD;
  if (opcode == OP_INVALID) return bytes == 40 ? invalidEntry(record) : BAD;
  if (opcode == OP_GENESIS_SEAT) return genesisSeat(record, bytes);
  return opcode == OP_GENESIS_END && bytes == HEAD_BYTES ? endGenesis() : BAD;
}

/** Bytes consumed, or -1 when a record is malformed or out of place: it and what follows had no effect. */
export function applyRecords(length: u32): i32 {
  if (!isReady() || length > IN_BYTES || (length & 7) != 0) return -1;
  setOutputBytes(0);
  markHeader();
  const from = inputAddress();
  const end = from + length;
  let at = from;
  while (at < end) {
    const bytes = load<u32>(at, 4);
    if (bytes < HEAD_BYTES || (bytes & 7) != 0 || bytes > <u32>(end - at)) return -1;
    const result = step(at, bytes);
    if (result == BAD) return -1;
    if (result == FULL) break;
    at += bytes;
  }
  return <i32>(at - from);
}

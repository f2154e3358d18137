// core_apply: executes the records of the in buffer in order and writes their outcomes.
// Keeps: a whole number of records is consumed; one whose output might not fit the out buffer waits.

import {
  ENTRY_INVALID,
  IN_BLOCK_BYTES,
  IN_EXCLUDE_BYTES,
  IN_EXCLUDED_SEAT,
  IN_HEAD_BYTES,
  IN_INVALID_BYTES,
  IN_INVALID_ID,
  IN_LENGTH,
  IN_RESUME_BYTES,
  IN_RESUMED_EPOCH,
  IN_RESUMED_INCARNATION,
  IN_RESUMED_MAY_LOSE,
  IN_RESUMED_SEAT,
  IN_RUN_BYTES,
  IN_VERTEX_BYTES,
  MAX_INCARNATION,
  OP_BLOCK,
  OP_BLOCK_END,
  OP_EPOCH_END,
  OP_EXCLUDE_SEAT,
  OP_GENESIS_END,
  OP_GENESIS_SEAT,
  OP_INVALID,
  OP_RESUME_SEAT,
  OP_RUN_END,
  OP_VERTEX,
  OUT_ID,
  OUT_INDEX,
  OUT_OPCODE,
  OUT_ORDER,
  OUT_TX,
} from '../abi';
import { OUT_TX_BYTES } from '../io/frame';
import { appendRecord, BAD, DONE, FULL, hasRoom, setOutputBytes } from '../io/output';
import { clearMovements } from '../ledger/movements';
import { copy32 } from '../lib/bytes';
import { header, PHASE_BLOCK, PHASE_GENESIS, PHASE_IDLE, PHASE_VERTEX } from '../state/header';
import { markHeader } from '../state/marks';
import { IN_BYTES, inputAddress, isReady } from '../state/root';
import { excludeSeat } from '../validators/exclusion';
import { raiseRevision } from '../validators/revisions';
import { resumeSeat } from '../validators/seat-resumption';
import { isSeat } from '../validators/seats';
import { closeEpoch, expectSeats } from '../validators/silence';
import { closeBlock, closeRun, openBlock, openVertex } from './blocks';
import { applyCommand } from './commands';
import { addGenesisSeat } from './genesis';
import { lookAhead } from './look-ahead';

const FIRST_COMMAND: u32 = 16;

function endGenesis(): i32 {
  if (header().phase != PHASE_GENESIS) return BAD;
  expectSeats();
  header().phase = PHASE_IDLE;
  return DONE;
}

function genesisSeat(record: usize, bytes: u32): i32 {
  if (header().phase != PHASE_GENESIS) return BAD;
  return addGenesisSeat(record, bytes) ? DONE : BAD;
}

// An entry that does not parse occupies its place in the vertex and has no other effect.
function invalidEntry(record: usize): i32 {
  const h = header();
  if (h.phase != PHASE_VERTEX || h.nextIndex == h.entryCount) return BAD;
  if (!hasRoom(OUT_TX_BYTES)) return FULL;

  const outcome = appendRecord(OUT_TX, ENTRY_INVALID, OUT_TX_BYTES);
  copy32(outcome + OUT_ID, record + IN_INVALID_ID);
  store<u64>(outcome, h.order, OUT_ORDER);
  store<u32>(outcome, h.nextIndex++, OUT_INDEX);
  store<u32>(outcome, OP_INVALID, OUT_OPCODE);
  return DONE;
}

// Exclusions that the block proves take effect before its first vertex.
function seatExclusion(record: usize): i32 {
  const seat = load<u32>(record, IN_EXCLUDED_SEAT);
  if (header().phase != PHASE_BLOCK || !isSeat(seat)) return BAD;
  excludeSeat(seat);
  return DONE;
}

// Resumptions belong to the block as a whole, like exclusions.
function seatResumption(record: usize): i32 {
  const seat = load<u32>(record, IN_RESUMED_SEAT);
  const incarnation = load<u32>(record, IN_RESUMED_INCARNATION);
  const mayLose = load<u32>(record, IN_RESUMED_MAY_LOSE);
  if (header().phase != PHASE_BLOCK || !isSeat(seat) || mayLose > 1) return BAD;
  if (incarnation == 0 || incarnation > <u32>MAX_INCARNATION) return BAD;
  resumeSeat(seat, incarnation, load<u64>(record, IN_RESUMED_EPOCH), mayLose == 1);
  return DONE;
}

// Belongs to the end of the block before it: what the next epoch begins with is under that block's root.
function endEpoch(): i32 {
  if (header().phase != PHASE_IDLE) return BAD;
  closeEpoch();
  raiseRevision();
  return DONE;
}

function step(record: usize, bytes: u32): i32 {
  const opcode = <u32>load<u16>(record);
  if (opcode >= FIRST_COMMAND) return applyCommand(record, bytes);
  if (opcode == OP_VERTEX) return bytes == IN_VERTEX_BYTES ? openVertex(record) : BAD;
  if (opcode == OP_BLOCK) return bytes == IN_BLOCK_BYTES ? openBlock(record) : BAD;
  if (opcode == OP_BLOCK_END) return bytes == IN_HEAD_BYTES ? closeBlock() : BAD;
  if (opcode == OP_EXCLUDE_SEAT) return bytes == IN_EXCLUDE_BYTES ? seatExclusion(record) : BAD;
  if (opcode == OP_RESUME_SEAT) return bytes == IN_RESUME_BYTES ? seatResumption(record) : BAD;
  if (opcode == OP_EPOCH_END) return bytes == IN_HEAD_BYTES ? endEpoch() : BAD;
  if (opcode == OP_RUN_END) return bytes == IN_RUN_BYTES ? closeRun(record) : BAD;
  if (opcode == OP_INVALID) return bytes == IN_INVALID_BYTES ? invalidEntry(record) : BAD;
  if (opcode == OP_GENESIS_SEAT) return genesisSeat(record, bytes);
  return opcode == OP_GENESIS_END && bytes == IN_HEAD_BYTES ? endGenesis() : BAD;
}

/** Bytes consumed, or -1 when a record is malformed or not allowed here: it and the rest had no effect. */
export function applyRecords(length: u32): i32 {
  if (!isReady() || length > IN_BYTES || (length & 7) != 0) return -1;
  setOutputBytes(0);
  clearMovements();
  markHeader();
  const from = inputAddress();
  const end = from + length;
  let at = from;
  let ahead = from;
  while (at < end) {
    const bytes = load<u32>(at, IN_LENGTH);
    if (bytes < <u32>IN_HEAD_BYTES || (bytes & 7) != 0 || bytes > <u32>(end - at)) return -1;
    if (at == ahead) ahead = lookAhead(at, end);
    const result = step(at, bytes);
    if (result == BAD) return -1;
    if (result == FULL) break;
    at += bytes;
  }
  return <i32>(at - from);
}

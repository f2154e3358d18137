// The command being executed: its record, its actor, the time, and where its results are written.
// Keeps: everything an operation may know besides the state; overwritten by the next command.
// An operation refuses through `refuse`, and calls `commits` between its checks and its writes.

import {
  AUTH_MASK,
  IN_ACTOR,
  IN_FLAGS,
  IN_KEY_ID,
  IN_LAST_SECOND,
  IN_SEAT,
  IN_TXID,
  IN_WINDOW,
  KIB_SHIFT,
  OK,
  OUT_CODE,
  OUT_ID,
  OUT_INDEX,
  OUT_OPCODE,
  OUT_ORDER,
  OUT_RESULT,
  OUT_SEQ,
  OUT_TX,
  RESULT_WORDS,
} from '../abi';
import { Agent, agentAt } from '../ledger/agents';
import { copy32 } from '../lib/bytes';
import { header } from '../state/header';
import { root } from '../state/root';
import { appendRecord } from './output';

export const OUT_TX_BYTES: u32 = OUT_RESULT + RESULT_WORDS * 8;

@unmanaged
export class Frame {
  nowSecs: u64;
  record: usize;
  /** RESULT_WORDS x u64 in the out buffer: results when it succeeds, details when it is refused. */
  results: usize;
  /** The OUT_TX record, 0 in a dry run. */
  outcome: usize;
  opcode: u32;
  auth: u32;
  seat: u32;
  /** Agent whose key the record gives as actor, NO_AGENT when there is none; set by whoever begins the command. */
  actor: u32;
  keyId: u64;
  lastSecond: u64;
  windowSecs: u64;
  /** KiB of the request, rounded up. */
  kib: u32;
  /** Agent whose key the record gives as recipient, if it is known already (run/look-ahead); else NO_AGENT. */
  recipient: u32;
}
/** In the place of an agent index: nobody, or not known. */
export const NO_AGENT: u32 = 0xffffffff;
const FRAME: usize = memory.data(80, 16);

export function frame(): Frame {
  return changetype<Frame>(FRAME);
}

// Reads the common head of a command.
function readHead(record: usize, nowSecs: u64): void {
  const f = frame();
  f.nowSecs = nowSecs;
  f.record = record;
  f.opcode = load<u16>(record);
  f.auth = load<u16>(record, IN_FLAGS) & AUTH_MASK;
  f.kib = load<u16>(record, IN_FLAGS) >> KIB_SHIFT;
  f.lastSecond = load<u64>(record, IN_LAST_SECOND);
  f.windowSecs = load<u32>(record, IN_WINDOW);
  f.keyId = load<u64>(record, IN_KEY_ID);
  f.seat = load<u32>(record, IN_SEAT);
  f.recipient = NO_AGENT;
}

/** Begins a command at its place in the vertex: appends its OUT_TX record, which the caller completes with `setCode`. */
export function beginCommand(record: usize, index: u32, nowSecs: u64): void {
  readHead(record, nowSecs);
  const f = frame();
  f.outcome = appendRecord(OUT_TX, OK, OUT_TX_BYTES);
  f.results = f.outcome + OUT_RESULT;
  copy32(f.outcome + OUT_ID, record + IN_TXID);
  store<u64>(f.outcome, header().order, OUT_ORDER);
  store<u32>(f.outcome, index, OUT_INDEX);
  store<u32>(f.outcome, f.opcode, OUT_OPCODE);
}

/** Begins a dry run: details go to the start of the out buffer and nothing is ever written to the state. */
export function beginDryRun(record: usize, nowSecs: u64): void {
  readHead(record, nowSecs);
  const f = frame();
  f.outcome = 0;
  f.results = root().output;
}

export function setCode(code: i32): void {
  store<u16>(frame().outcome, <u16>code, OUT_CODE);
}

/** True while a command is only checked: it is in no vertex. */
export function isDryRun(): bool {
  return frame().outcome == 0;
}

/**
 * The line between refusals and effects. True: the command gets its seq, and the caller writes and cannot fail any
 * more. False: a dry run, the caller returns OK at once.
 */
export function commits(): bool {
  if (isDryRun()) return false;
  store<u64>(frame().outcome, ++header().seq, OUT_SEQ);
  return true;
}

/** A refusal with up to four details (abi.ts, codes). */
export function refuse(code: i32, first: u64 = 0, second: u64 = 0, third: u64 = 0, fourth: u64 = 0): i32 {
  setResult(0, first);
  setResult(1, second);
  setResult(2, third);
  setResult(3, fourth);
  return code;
}

/** Sets a result of the operation, RESULT_*. */
export function setResult(word: u32, value: u64): void {
  store<u64>(frame().results + ((<usize>word) << 3), value);
}

export function txid(): usize {
  return frame().record + IN_TXID;
}

export function actorKey(): usize {
  return frame().record + IN_ACTOR;
}

export function actor(): Agent {
  return agentAt(frame().actor);
}

/** A field of the operation, by its offset in the record. */
export function field64(offset: usize): u64 {
  return load<u64>(frame().record + offset);
}

export function field32(offset: usize): u32 {
  return load<u32>(frame().record + offset);
}

export function field16(offset: usize): u32 {
  return load<u16>(frame().record + offset);
}

export function fieldAddress(offset: usize): usize {
  return frame().record + offset;
}

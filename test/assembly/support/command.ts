// Commands of specs: a record with its common head, run through an operation as the core does it.
// Keeps: one record at a time; the results and events of the last run are in the out buffer.

import { AUTH_TX_V1, OUT_EVENT } from '../../../assembly/abi';
import { beginCommand, frame, setCode } from '../../../assembly/io/frame';
import { outputBytes, setOutputBytes } from '../../../assembly/io/output';
import { Agent, agentIndex, keyOf } from '../../../assembly/ledger/agents';
import { nowSecs } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';

const RECORD: usize = memory.data(2048, 16);
const ACTOR: usize = 40;
const SEAT: usize = 88;

/** Starts a record of an agent's signed command: TxID all `txid`, fields zero. Returns its address. */
export function beginRecord(opcode: u32, actor: Agent, txid: u8 = 1): usize {
  memory.fill(RECORD, 0, 2048);
  store<u16>(RECORD, <u16>opcode);
  memory.fill(RECORD + 8, txid, 32);
  memory.copy(RECORD + ACTOR, keyOf(actor), 32);
  setAuth(AUTH_TX_V1, 0);
  frame().actor = agentIndex(actor);
  return RECORD;
}

/** Sets another authentication, with the vouching seat. */
export function setAuth(auth: u32, seat: u32): void {
  store<u16>(RECORD, <u16>auth, 2);
  store<u32>(RECORD + SEAT, seat);
}

/** Sets another signer, by its key[32]. */
export function signBy(key: usize): void {
  memory.copy(RECORD + ACTOR, key, 32);
}

/** Runs an operation on the record; its code. */
export function run(operation: () => i32): i32 {
  setOutputBytes(0);
  beginCommand(RECORD, 0, nowSecs());
  const code = operation();
  setCode(code);
  return code;
}

/** Word of the result of the last run, or of the details of its refusal. */
export function result(word: u32): u64 {
  return load<u64>(frame().results + ((<usize>word) << 3));
}

/** Number of events in the out buffer. */
export function eventCount(): u32 {
  let count: u32 = 0;
  for (let at: usize = 0; at < outputBytes(); at += load<u32>(root().output + at, 4)) {
    if (load<u16>(root().output + at) == OUT_EVENT) count++;
  }
  return count;
}

/** Address of the last event of a type in the out buffer; there must be one. */
export function lastEvent(type: u32): usize {
  let found: usize = 0;
  for (let at: usize = 0; at < outputBytes(); at += load<u32>(root().output + at, 4)) {
    const record = root().output + at;
    if (load<u16>(record) == OUT_EVENT && load<u16>(record, 2) == <u16>type) found = record;
  }
  assert(found != 0, 'no such event');
  return found;
}

/** Writes a validator form (length and text) at an address of the record. */
export function putName(at: usize, text: usize, bytes: u32): void {
  store<u32>(at, bytes);
  memory.copy(at + 8, text, bytes);
}

// Looks ahead over a run of commands: finds their agents together, and loads the rows that they will read and write, so that
// the waits for memory overlap (lib/warm.ts).
// Keeps: an agent that was found stays found, for its row and its keys never change; one that was not found is sought again
// when its command runs, because a command before it may register it. Nothing else that was read here is used.

import {
  COMMAND_FIELDS,
  IN_ACTOR,
  IN_FLAGS,
  IN_LENGTH,
  IN_RECIPIENT,
  IN_TRANSFER_BYTES,
  IN_TXID,
  IN_VERIFY_BYTES,
  IN_VERIFY_EVENT,
  KIB_SHIFT,
  OP_GENERATION,
  OP_TRANSFER,
  OP_VERIFY,
} from '../abi';
import { warmTxid } from '../access/seen';
import { warmWorker } from '../credit/workers';
import { frame, NO_AGENT } from '../io/frame';
import { agentAt, findAgent, fingerprintOf, warmAgent, warmMoney } from '../ledger/agents';
import { endWarming } from '../lib/warm';
import { ownRecord } from '../reputation/records';
import { findItem, itemAt, warmItem } from '../settlement/items';

/** Records that are looked at together: enough to overlap, few enough for what was loaded to stay in the nearest cache. */
const RUN: u32 = 32;
/** Below are records of the host: blocks, vertices. */
const FIRST_COMMAND: u32 = 16;

/** A command of the run. */
@unmanaged
class Ahead {
  record: usize;
  /** Agents, NO_AGENT where none was found or sought. */
  actor: u32;
  recipient: u32;
}
const AHEAD: usize = memory.data(384, 8);
const AHEAD_BYTES: u32 = 12;

@unmanaged
class Run {
  count: u32;
  /** Commands of the run before the next one. */
  passed: u32;
}
const THIS_RUN: usize = memory.data(8, 8);

function thisRun(): Run {
  return changetype<Run>(THIS_RUN);
}

function aheadAt(position: u32): Ahead {
  return changetype<Ahead>(AHEAD + <usize>(position * AHEAD_BYTES));
}

function hasRecipient(record: usize): bool {
  const opcode = <u32>load<u16>(record);
  return (
    (opcode == OP_TRANSFER || opcode == OP_GENERATION) && load<u32>(record, IN_LENGTH) == IN_TRANSFER_BYTES
  );
}

function isVerdict(record: usize): bool {
  return load<u16>(record) == OP_VERIFY && load<u32>(record, IN_LENGTH) == IN_VERIFY_BYTES;
}

// Lists the commands among the next records, as far as their lengths are possible, and loads where each search begins.
// Returns the address after them.
function listRun(from: usize, end: usize): usize {
  const run = thisRun();
  let loaded: u64 = 0;
  let at = from;
  run.count = 0;
  run.passed = 0;
  for (let records: u32 = 0; records < RUN && at < end; records++) {
    const bytes = load<u32>(at, IN_LENGTH);
    if ((bytes & 7) != 0 || bytes == 0 || bytes > <u32>(end - at)) break;
    if (<u32>load<u16>(at) >= FIRST_COMMAND && bytes >= <u32>COMMAND_FIELDS) {
      aheadAt(run.count++).record = at;
      loaded ^= warmTxid(at + IN_TXID) ^ warmAgent(at + IN_ACTOR);
      if (hasRecipient(at)) loaded ^= warmAgent(at + IN_RECIPIENT);
      else if (isVerdict(at)) loaded ^= warmItem(at + IN_VERIFY_EVENT);
    }
    at += bytes;
  }
  endWarming(loaded);
  return at;
}

// Finds the agents of each command, and loads the row of the item that a verdict is about.
function findAgents(): void {
  let loaded: u64 = 0;
  for (let i: u32 = 0; i < thisRun().count; i++) {
    const ahead = aheadAt(i);
    ahead.actor = <u32>findAgent(ahead.record + IN_ACTOR);
    ahead.recipient = hasRecipient(ahead.record) ? <u32>findAgent(ahead.record + IN_RECIPIENT) : NO_AGENT;
    if (ahead.actor != NO_AGENT) {
      loaded ^= warmMoney(ahead.actor);
      if (load<u16>(ahead.record, IN_FLAGS) >> KIB_SHIFT != 0) loaded ^= warmWorker(ahead.actor);
    }
    if (isVerdict(ahead.record)) loaded ^= <u64>findItem(ahead.record + IN_VERIFY_EVENT);
  }
  endWarming(loaded);
}

// Loads what the settlement of an item changes: the money of both sides, the record and the fingerprint of its agent.
function warmSettlements(): void {
  let loaded: u64 = 0;
  for (let i: u32 = 0; i < thisRun().count; i++) {
    const record = aheadAt(i).record;
    const row = isVerdict(record) ? findItem(record + IN_VERIFY_EVENT) : -1;
    if (row < 0) continue;
    const item = itemAt(<u32>row);
    const agent = agentAt(item.agent);
    loaded ^= warmMoney(item.agent) ^ warmMoney(item.recipient);
    loaded ^=
      ownRecord(agent).completed ^ load<u64>(fingerprintOf(agent)) ^ load<u64>(changetype<usize>(agent));
  }
  endWarming(loaded);
}

/** Looks ahead from the record at `from`, whose length is possible, up to `end`; returns where to look next. */
export function lookAhead(from: usize, end: usize): usize {
  const next = listRun(from, end);
  findAgents();
  warmSettlements();
  return next;
}

/** Gives the command that begins its agents: those that the look-ahead found. */
export function nameAgents(): void {
  const f = frame();
  const run = thisRun();
  while (run.passed < run.count && aheadAt(run.passed).record < f.record) run.passed++;
  const ahead = aheadAt(run.passed);
  assert(run.passed < run.count && ahead.record == f.record, 'a command was not looked ahead to');
  f.actor = ahead.actor != NO_AGENT ? ahead.actor : <u32>findAgent(f.record + IN_ACTOR);
  f.recipient = ahead.recipient;
}

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
import { warmBuckets, warmChains } from '../access/seen-index';
import { warmWorker } from '../credit/workers';
import { frame, NO_AGENT } from '../io/frame';
import {
  agentAt,
  findAgent,
  fingerprintOf,
  guessAgent,
  isAgent,
  warmAgentSlots,
  warmKey,
  warmMoney,
} from '../ledger/agents';
import { tag32 } from '../lib/key-index';
import { endWarming } from '../lib/warm';
import { ownRecord } from '../reputation/records';
import { guessItem, itemAt, warmItem, warmItemSlots } from '../settlement/items';

/** Records that are looked at together: enough to overlap, few enough for what was loaded to stay in the near caches. */
const RUN: u32 = 64;
/** Below are records of the host: blocks, vertices. */
const FIRST_COMMAND: u32 = 16;

/** A command of the run. */
@unmanaged
class Ahead {
  record: usize;
  /** Tags of its TxID, and of the event that it would open or that it judges; 0 for none. */
  txidTag: u32;
  eventTag: u32;
  /** The first of its agents in the list of those. */
  agents: u32;
  /** 1: a recipient follows its actor there. */
  hasRecipient: u32;
  /** 1: a verdict. */
  isVerdict: u32;
}
const AHEAD_BYTES: usize = 24;
const AHEAD: usize = memory.data(1536, 8);

/** An actor or recipient. */
@unmanaged
class Party {
  key: usize;
  tag: u32;
  /** The agent, NO_AGENT where none was found. */
  agent: u32;
}
const PARTY_BYTES: usize = 12;
const PARTIES: usize = memory.data(1536, 8);

@unmanaged
class Run {
  count: u32;
  parties: u32;
  /** Commands of the run before the next one. */
  passed: u32;
}
const THIS_RUN: usize = memory.data(16, 8);

function thisRun(): Run {
  return changetype<Run>(THIS_RUN);
}

function aheadAt(position: u32): Ahead {
  return changetype<Ahead>(AHEAD + <usize>position * AHEAD_BYTES);
}

function partyAt(position: u32): Party {
  return changetype<Party>(PARTIES + <usize>position * PARTY_BYTES);
}

function addParty(run: Run, key: usize): void {
  const party = partyAt(run.parties++);
  party.key = key;
  party.tag = tag32(key);
}

function addCommand(run: Run, record: usize, bytes: u32): void {
  const opcode = <u32>load<u16>(record);
  const ahead = aheadAt(run.count++);
  const isPayment = (opcode == OP_TRANSFER || opcode == OP_GENERATION) && bytes == IN_TRANSFER_BYTES;
  const isVerdict = opcode == OP_VERIFY && bytes == IN_VERIFY_BYTES;
  ahead.record = record;
  ahead.txidTag = tag32(record + IN_TXID);
  // An event that a payment opens has its TxID.
  ahead.eventTag = isVerdict ? tag32(record + IN_VERIFY_EVENT) : ahead.txidTag;
  ahead.agents = run.parties;
  ahead.hasRecipient = isPayment ? 1 : 0;
  ahead.isVerdict = isVerdict ? 1 : 0;
  addParty(run, record + IN_ACTOR);
  if (isPayment) addParty(run, record + IN_RECIPIENT);
}

// Lists the commands among the next records, as far as their lengths are possible. Returns the address after them.
function listRun(from: usize, end: usize): usize {
  const run = thisRun();
  let at = from;
  run.count = 0;
  run.parties = 0;
  run.passed = 0;
  for (let records: u32 = 0; records < RUN && at < end; records++) {
    const bytes = load<u32>(at, IN_LENGTH);
    if ((bytes & 7) != 0 || bytes == 0 || bytes > <u32>(end - at)) break;
    if (<u32>load<u16>(at) >= FIRST_COMMAND && bytes >= <u32>COMMAND_FIELDS) addCommand(run, at, bytes);
    at += bytes;
  }
  return at;
}

// Loads where the searches begin. Each loop is short, so that the processor has many loads under way.
function warmSearches(): void {
  const run = thisRun();
  warmBuckets(AHEAD + offsetof<Ahead>('txidTag'), AHEAD_BYTES, run.count);
  warmAgentSlots(PARTIES + offsetof<Party>('tag'), PARTY_BYTES, run.parties);
  warmItemSlots(AHEAD + offsetof<Ahead>('eventTag'), AHEAD_BYTES, run.count);
  warmChains(AHEAD + offsetof<Ahead>('txidTag'), AHEAD_BYTES, run.count);
}

// Looks for the rows of agents by their tags alone, then loads their keys: comparing each at once would wait for it.
function guessAgents(): void {
  const parties = thisRun().parties;
  let loaded: u64 = 0;
  for (let i: u32 = 0; i < parties; i++) partyAt(i).agent = <u32>guessAgent(partyAt(i).tag);
  for (let i: u32 = 0; i < parties; i++) {
    const agent = partyAt(i).agent;
    loaded ^= warmKey(agent != NO_AGENT ? agent : 0);
  }
  endWarming(loaded);
}

// Loads what a command changes of its actor, and the item that a verdict is about.
function warmRows(): void {
  const run = thisRun();
  let loaded: u64 = 0;
  for (let i: u32 = 0; i < run.count; i++) {
    const ahead = aheadAt(i);
    const actor = partyAt(ahead.agents).agent;
    if (actor != NO_AGENT) {
      loaded ^= warmMoney(actor);
      if (load<u16>(ahead.record, IN_FLAGS) >> KIB_SHIFT != 0) loaded ^= warmWorker(actor);
    }
    const item = ahead.isVerdict != 0 ? guessItem(ahead.eventTag) : -1;
    if (item >= 0) loaded ^= warmItem(item);
  }
  endWarming(loaded);
}

// Compares the keys, and looks once more for those that were not met.
function findAgents(): void {
  const run = thisRun();
  for (let i: u32 = 0; i < run.parties; i++) {
    const party = partyAt(i);
    if (!isAgent(<i32>party.agent, party.key)) party.agent = <u32>findAgent(party.key);
  }
}

// Loads what the settlement of an item changes: the money of both sides, the record and the fingerprint of its agent.
function warmSettlements(): void {
  let loaded: u64 = 0;
  for (let i: u32 = 0; i < thisRun().count; i++) {
    const ahead = aheadAt(i);
    const row = ahead.isVerdict != 0 ? guessItem(ahead.eventTag) : -1;
    if (row < 0) continue;
    const item = itemAt(row);
    const agent = agentAt(item.agent);
    loaded ^= warmMoney(item.agent) ^ warmMoney(item.recipient);
    loaded ^= ownRecord(agent).completed ^ load<u64>(fingerprintOf(agent)) ^ agent.key0;
  }
  endWarming(loaded);
}

/** Looks ahead from the record at `from`, whose length is possible, up to `end`; returns where to look next. */
export function lookAhead(from: usize, end: usize): usize {
  const next = listRun(from, end);
  warmSearches();
  guessAgents();
  warmRows();
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
  const actor = partyAt(ahead.agents).agent;
  f.actor = actor != NO_AGENT ? actor : <u32>findAgent(f.record + IN_ACTOR);
  f.recipient = ahead.hasRecipient != 0 ? partyAt(ahead.agents + 1).agent : NO_AGENT;
}

// System events: what happens by the rules, without a transaction; every node derives the same ids.
// Keeps: each gets the next seq and the next index after the entries of its vertex (protocol 1.3);
// id = SHA-256 of JCS {version, chain_id, order, index, event_type, subject} (protocol 1.3).

import {
  EVENT_GENESIS,
  EVENT_SETTLEMENT,
  OUT_EVENT,
  OUT_ID,
  OUT_INDEX,
  OUT_ORDER,
  OUT_SEQ,
  OUT_TASK_ID,
} from '../abi';
import { Agent, writeAgentId } from '../ledger/agents';
import { sha256 } from '../lib/sha256';
import { writeDecimal, writeHex, writeJsonString, writeLiteral } from '../lib/text';
import { chainId, chainIdBytes, header } from '../state/header';
import { appendRecord } from './output';

// Longest text: chain id and subject of 64 bytes each, escaped six-fold, two numbers, fixed text.
const TEXT: usize = memory.data(1024, 16);
const SUBJECT: usize = memory.data(64, 16);

// Fills in id, seq, order and index of an appended record.
function identify(record: usize, name: string, subject: usize, subjectBytes: u32): void {
  const h = header();
  const index = h.nextEventIndex++;
  let to = writeLiteral(TEXT, '{"chain_id":');
  to = writeJsonString(to, chainId(), chainIdBytes());
  to = writeLiteral(writeLiteral(to, ',"event_type":"'), name);
  to = writeDecimal(writeLiteral(to, '","index":'), index);
  to = writeDecimal(writeLiteral(to, ',"order":'), h.order);
  to = writeJsonString(writeLiteral(to, ',"subject":'), subject, subjectBytes);
  to = writeLiteral(to, ',"version":"SERVICE-SYSTEM-V1"}');
  sha256(TEXT, <u32>(to - TEXT), record + OUT_ID);
  store<u64>(record, ++h.seq, OUT_SEQ);
  store<u64>(record, h.order, OUT_ORDER);
  store<u32>(record, index, OUT_INDEX);
}

/** The first event of the chain. */
export function emitGenesis(bytes: u32): void {
  const record = appendRecord(OUT_EVENT, EVENT_GENESIS, bytes);
  identify(record, 'genesis', chainId(), chainIdBytes());
}

/** A settlement of the event with this id; the caller fills in the fields. Returns the record. */
export function beginSettlement(eventId: usize, bytes: u32): usize {
  const record = appendRecord(OUT_EVENT, EVENT_SETTLEMENT, bytes);
  writeHex(SUBJECT, eventId, 32);
  identify(record, 'settlement', SUBJECT, 64);
  return record;
}

/** An event about an agent; the caller fills in the fields. Returns the record. */
export function beginAgentEvent(type: u32, name: string, agent: Agent, bytes: u32): usize {
  const record = appendRecord(OUT_EVENT, type, bytes);
  const end = writeAgentId(SUBJECT, agent);
  identify(record, name, SUBJECT, <u32>(end - SUBJECT));
  return record;
}

/**
 * An event about something with a text of at most 64 bytes as id (validator, challenge, job); the caller fills in the
 * fields. Returns the record.
 */
export function beginTextEvent(type: u32, name: string, id: usize, idBytes: u32, bytes: u32): usize {
  const record = appendRecord(OUT_EVENT, type, bytes);
  identify(record, name, id, idBytes);
  return record;
}

/** An event about a task, whose 16-byte id is its first field; the caller fills in the others. Returns the record. */
export function beginTaskEvent(type: u32, name: string, taskId: usize, bytes: u32): usize {
  const record = appendRecord(OUT_EVENT, type, bytes);
  writeHex(SUBJECT, taskId, 16);
  identify(record, name, SUBJECT, 32);
  memory.copy(record + OUT_TASK_ID, taskId, 16);
  return record;
}

/** An event about a replay job (32-byte id); the caller fills in all fields. Returns the record. */
export function beginJobEvent(type: u32, name: string, jobId: usize, bytes: u32): usize {
  const record = appendRecord(OUT_EVENT, type, bytes);
  writeHex(SUBJECT, jobId, 32);
  identify(record, name, SUBJECT, 64);
  return record;
}

/** An event about a challenge; the caller fills in all fields. Returns the record. */
export function beginChallengeEvent(type: u32, name: string, challengeId: usize, bytes: u32): usize {
  const record = appendRecord(OUT_EVENT, type, bytes);
  const end = writeHex(writeLiteral(SUBJECT, 'chal-'), challengeId, 12);
  identify(record, name, SUBJECT, <u32>(end - SUBJECT));
  return record;
}

/** The 32-byte id of an event record. */
export function eventIdOf(record: usize): usize {
  return record + OUT_ID;
}

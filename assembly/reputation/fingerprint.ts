// The capability fingerprint: a hash chain over an agent's settled work, so that anyone can replay the
// history and nobody can rewrite it (protocol 6.15).
// Keeps: one step for each row of the table in protocol 6.10, in execution order.

import { Agent, fingerprintOf, touchAgent, writeAgentId } from '../ledger/agents';
import { copy32 } from '../lib/bytes';
import { sha256 } from '../lib/sha256';
import { writeDecimal, writeHex, writeJsonString, writeLiteral } from '../lib/text';
import { categoryBytes, categoryName } from './categories';

// Longest entry: a category of 50 bytes escaped six-fold, two numbers, fixed text: below 640 bytes.
const TEXT: usize = memory.data(640, 16);
const PAIR: usize = memory.data(64, 16);

/** fp_0 = SHA-256("vws-fingerprint-v1:" + agent_id); the id is already in the row. */
export function startFingerprint(agent: Agent): void {
  const end = writeAgentId(writeLiteral(TEXT, 'vws-fingerprint-v1:'), agent);
  sha256(TEXT, <u32>(end - TEXT), fingerprintOf(agent));
  touchAgent(agent);
}

/** One step; `eventId` is the 32-byte id of the deciding system event. */
export function extendFingerprint(
  agent: Agent,
  eventId: usize,
  category: u32,
  isCompleted: bool,
  value: u64,
  scoreBp: u64,
): void {
  let to = writeLiteral(TEXT, '{"category":');
  to = writeJsonString(to, categoryName(category), categoryBytes(category));
  to = writeLiteral(to, ',"event_id":"');
  to = writeHex(to, eventId, 32);
  to = writeLiteral(to, isCompleted ? '","outcome":"completed"' : '","outcome":"failed"');
  to = writeDecimal(writeLiteral(to, ',"score_bp":'), scoreBp);
  to = writeDecimal(writeLiteral(to, ',"value":'), value);
  to = writeLiteral(to, '}');
  copy32(PAIR, fingerprintOf(agent));
  sha256(TEXT, <u32>(to - TEXT), PAIR + 32);
  sha256(PAIR, 64, fingerprintOf(agent));
  agent.fingerprintSteps++;
  touchAgent(agent);
}

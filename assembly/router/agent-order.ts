// Order of agents by the text of their ids: the tie-breaker between equal scores (protocol 6.16).
// Keeps: byte order of the agent_id texts; ids are unique, so two agents are never equal.

import { Agent, agentAt, idOf, keyOf, writeAgentId } from '../ledger/agents';
import { compare32, compareText } from '../lib/bytes';

const TEXT_A: usize = memory.data(64, 8);
const TEXT_B: usize = memory.data(64, 8);

function compareMixed(a: Agent, b: Agent): i32 {
  const endA = writeAgentId(TEXT_A, a);
  const endB = writeAgentId(TEXT_B, b);
  return compareText(TEXT_A, <u32>(endA - TEXT_A), TEXT_B, <u32>(endB - TEXT_B));
}

/** True when the id of agent `a` comes before that of agent `b`; both are agent indexes. */
export function comesFirst(a: u32, b: u32): bool {
  const first = agentAt(a);
  const second = agentAt(b);
  // Hex texts sort like the bytes they represent.
  if (first.idBytes == 0 && second.idBytes == 0) return compare32(keyOf(first), keyOf(second)) < 0;
  if (first.idBytes == 0 || second.idBytes == 0) return compareMixed(first, second) < 0;
  return compareText(idOf(first), first.idBytes, idOf(second), second.idBytes) < 0;
}

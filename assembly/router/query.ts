// Answers about the router: one agent's capability, and the figures of all.
// Keeps: read only.

import {
  CAPABILITY_ACTIVE,
  CAPABILITY_AVAILABLE,
  CAPABILITY_BYTES,
  CAPABILITY_MAX_TASKS,
  CAPABILITY_PRICE,
  CAPABILITY_REGISTERED_AT,
  ROUTER_AVAILABLE,
  ROUTER_NEWCOMER_ROUTES,
  ROUTER_PENDING,
  ROUTER_REGISTERED,
  ROUTER_ROUTED,
  ROUTER_WORDS,
} from '../abi';
import { header } from '../state/header';
import { root } from '../state/root';
import { activeTasks, capabilityAt, findCapability } from './capabilities';
import { figures } from './header';

/** QUERY_CAPABILITY; the argument is an agent index. */
export function answerCapability(agent: u32): i32 {
  if (agent >= header().agentCount) return -1;
  const row = findCapability(agent);
  if (row < 0) return -1;
  const capability = capabilityAt(<u32>row);
  const out = root().output;
  memory.fill(out, 0, CAPABILITY_BYTES);
  store<u64>(out, capability.price, CAPABILITY_PRICE);
  store<u64>(out, capability.registeredSecs, CAPABILITY_REGISTERED_AT);
  store<u32>(out, capability.maxTasks, CAPABILITY_MAX_TASKS);
  store<u32>(out, activeTasks(agent), CAPABILITY_ACTIVE);
  store<u32>(out, capability.isAvailable, CAPABILITY_AVAILABLE);
  return CAPABILITY_BYTES;
}

function setWord(word: u32, value: u64): void {
  store<u64>(root().output + ((<usize>word) << 3), value);
}

/** QUERY_ROUTER. */
export function answerRouter(): i32 {
  const f = figures();
  setWord(ROUTER_REGISTERED, f.registered);
  setWord(ROUTER_AVAILABLE, f.available);
  setWord(ROUTER_ROUTED, f.routed);
  setWord(ROUTER_NEWCOMER_ROUTES, f.newcomerRoutes);
  setWord(ROUTER_PENDING, f.waiting);
  return ROUTER_WORDS * 8;
}

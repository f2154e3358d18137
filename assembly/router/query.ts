// Answers about the router: one agent's capability, and the figures of all.
// Keeps: read only.

import { CAPABILITY_BYTES, ROUTER_WORDS } from '../abi';
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
  store<u64>(out, capability.price);
  store<u64>(out, capability.registeredSecs, 8);
  store<u32>(out, capability.most, 16);
  store<u32>(out, activeTasks(agent), 20);
  store<u32>(out, capability.isAvailable, 24);
  store<u32>(out, 0, 28);
  return CAPABILITY_BYTES;
}

/** QUERY_ROUTER. */
export function answerRouter(): i32 {
  const f = figures();
  const out = root().output;
  store<u64>(out, f.registered);
  store<u64>(out, f.available, 8);
  store<u64>(out, f.routed, 16);
  store<u64>(out, f.newcomerRoutes, 24);
  store<u64>(out, f.waiting, 32);
  return ROUTER_WORDS * 8;
}

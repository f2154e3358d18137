// Typed reads of the core's router: one capability, and the router's counts.

import * as abi from '../../assembly/abi.ts';
import { u64At } from '../wire/bytes.ts';
import type { Core } from './core.ts';

interface CapabilityState {
  pricePerTask: number;
  registeredAt: number;
  maxConcurrent: number;
  /** Tasks that the agent has claimed at the moment. */
  activeTasks: number;
  available: boolean;
}

export function readCapability(core: Core, agent: number): CapabilityState | undefined {
  const out = core.queryWords(abi.QUERY_CAPABILITY, agent);
  if (!out) return undefined;
  const { view } = out;
  return {
    pricePerTask: u64At(view, abi.CAPABILITY_PRICE),
    registeredAt: u64At(view, abi.CAPABILITY_REGISTERED_AT),
    maxConcurrent: view.getUint32(abi.CAPABILITY_MAX_TASKS, true),
    activeTasks: view.getUint32(abi.CAPABILITY_ACTIVE, true),
    available: view.getUint32(abi.CAPABILITY_AVAILABLE, true) === 1,
  };
}

interface RouterState {
  registered: number;
  available: number;
  routed: number;
  newcomerRoutes: number;
  /** Open tasks without a route. */
  pending: number;
}

export function readRouter(core: Core): RouterState {
  const { view } = core.queryWords(abi.QUERY_ROUTER)!;
  const word = (i: number): number => u64At(view, 8 * i);
  return {
    registered: word(abi.ROUTER_REGISTERED),
    available: word(abi.ROUTER_AVAILABLE),
    routed: word(abi.ROUTER_ROUTED),
    newcomerRoutes: word(abi.ROUTER_NEWCOMER_ROUTES),
    pending: word(abi.ROUTER_PENDING),
  };
}

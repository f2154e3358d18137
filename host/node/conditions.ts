// What must hold for a node to be healthy and ready: one list, from which /health and /health/ready are answered.
// Keeps: /health is what conformance asks of it (protocol 4.10); readiness asks for all of the list, and says what is missing.

import type { NodeHealth, Readiness } from '../api/context.ts';

/** Why each condition fails, in the words for the operator; undefined: it holds. */
export interface Conditions {
  /** Behind its peers. */
  lag: string | undefined;
  /** May not sign yet (consensus 5.12). */
  gate: string | undefined;
  /** The node is stopping or has failed. */
  running: string | undefined;
  /** Nothing is ordered. */
  order: string | undefined;
  quorum: string | undefined;
  clock: string | undefined;
  disk: string | undefined;
}

export function healthOf(c: Conditions): NodeHealth {
  if (c.lag !== undefined || c.gate !== undefined) return { status: 'syncing', reason: c.gate };
  const isWell = [c.running, c.order, c.quorum, c.clock].every((reason) => reason === undefined);
  const reason = c.clock ?? c.running ?? c.quorum ?? c.order;
  return { status: isWell ? 'healthy' : 'degraded', reason };
}

export function readinessOf(conditions: Conditions): Readiness {
  const reasons = Object.values(conditions).filter((reason) => reason !== undefined);
  return { isReady: reasons.length === 0, reasons };
}

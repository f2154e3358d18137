// Whose events a list holds: the numbers of authors in lists, and the name of those that no agent signed.

import type { State } from '../../core/state.ts';
import { agentKey } from '../../wire/ids.ts';

/** Author of system events, as documents name it. */
export const SYSTEM_AGENT = 'system:node';
/** Author number of system events; agents are index + 1. */
export const SYSTEM_AUTHOR = 0xffffffff;
/** Author number of all authors together. */
export const ANY_AUTHOR = 0;

/** Author number of an agent_id, or of the name of system events; undefined for an unknown agent. */
export function authorOf(state: Pick<State, 'findAgent'>, agent: string): number | undefined {
  if (agent === SYSTEM_AGENT) return SYSTEM_AUTHOR;
  const index = state.findAgent(agentKey(agent));
  return index === undefined ? undefined : index + 1;
}

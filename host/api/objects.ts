// The objects that answers are made of (protocol 3): one table, from which the API description and the checks of
// answers in tests are made.
// Keeps: a field is here exactly if the node may send it; 'A' stands in every answer, 'O' only when it applies and
// is left out otherwise, never null.

import { AGENT_OBJECTS } from './objects-agents.ts';
import { CASE_OBJECTS } from './objects-cases.ts';
import { EVENT_OBJECTS } from './objects-events.ts';
import { MARKET_OBJECTS } from './objects-market.ts';
import { NETWORK_OBJECTS, VALIDATOR_OBJECTS } from './objects-network.ts';
import { TASK_OBJECTS } from './objects-tasks.ts';

export const OBJECTS = {
  ...AGENT_OBJECTS,
  ...EVENT_OBJECTS,
  ...TASK_OBJECTS,
  ...CASE_OBJECTS,
  ...MARKET_OBJECTS,
  ...VALIDATOR_OBJECTS,
  ...NETWORK_OBJECTS,
} as const;
export type ObjectName = keyof typeof OBJECTS;

// The objects that answers are made of (DECISIONS 3): one table, from which the API description and the checks of
// answers in tests are made.
// Keeps: a field is here exactly if the node may send it; 'A' stands in every answer, 'O' only when it applies and
// is left out otherwise, never null.

import { AGENT_OBJECTS } from './objects-agents.ts';
import { EVENT_OBJECTS } from './objects-events.ts';
import { NETWORK_OBJECTS, VALIDATOR_OBJECTS } from './objects-network.ts';

export const OBJECTS = {
  ...AGENT_OBJECTS,
  ...EVENT_OBJECTS,
  ...VALIDATOR_OBJECTS,
  ...NETWORK_OBJECTS,
} as const;
export type ObjectName = keyof typeof OBJECTS;

// The objects in answers (protocol 3): one table, from which the API description and the checks of answers in tests are
// generated.
// Keeps: a field is listed exactly if the node may send it. 'A' fields are in every answer; 'O' fields are left out, not
// null, when they do not apply.

import { AGENT_OBJECTS } from './objects-agents.ts';
import { CASE_OBJECTS } from './objects-cases.ts';
import { EVENT_OBJECTS } from './objects-events.ts';
import { MARKET_OBJECTS } from './objects-market.ts';
import { BATCH_OBJECTS, NETWORK_OBJECTS, VALIDATOR_OBJECTS } from './objects-network.ts';
import { TASK_OBJECTS } from './objects-tasks.ts';

export const OBJECTS = {
  ...AGENT_OBJECTS,
  ...EVENT_OBJECTS,
  ...TASK_OBJECTS,
  ...CASE_OBJECTS,
  ...MARKET_OBJECTS,
  ...VALIDATOR_OBJECTS,
  ...NETWORK_OBJECTS,
  ...BATCH_OBJECTS,
} as const;
export type ObjectName = keyof typeof OBJECTS;

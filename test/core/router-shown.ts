// A route as the core reports it, in the form of the router model.

import * as abi from '../../assembly/abi.ts';
import type { Route } from '../model/router.ts';
import { type EventOutcome, hex } from './driver.ts';

/** Fields of an EVENT_TASK_ROUTED. */
export function shownRoute(event: EventOutcome): Route {
  const view = new DataView(event.fields.buffer, event.fields.byteOffset);
  return {
    task: hex(event.fields.subarray(0, 16)),
    agent: view.getUint32(16, true),
    score: view.getUint32(20, true),
    isNewcomer: view.getUint32(24, true) === 1,
    reason: view.getUint32(28, true) === abi.ROUTE_NEWCOMER ? 'newcomer' : 'best_match',
  };
}

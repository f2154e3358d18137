// System events of the model.

import type { Settlement, Slash } from '../core/driver.ts';
import { systemEventId } from './hashing.ts';
import type { ModelState } from './state.ts';

/** A system event with its fields in decoded form. */
export interface ModelEvent {
  kind: 'event';
  type: number;
  id: string;
  seq: number;
  order: number;
  index: number;
  settlement?: Settlement;
  slash?: Slash;
  /** Fields of an event about a task, a validator, a replay job or a challenge. */
  task?: Record<string, unknown>;
  validator?: Record<string, unknown>;
  seat?: Record<string, unknown>;
  job?: Record<string, unknown>;
  challenge?: Record<string, unknown>;
}

/** Takes the next seq and the next index of the vertex; the caller fills in the fields. */
export function emit(s: ModelState, type: number, name: string, subject: string): ModelEvent {
  const index = s.eventIndex++;
  const id = systemEventId(s.config.chainId, name, index, s.order, subject);
  const event: ModelEvent = { kind: 'event', type, id, seq: ++s.seq, order: s.order, index };
  s.out.push(event as never);
  return event;
}

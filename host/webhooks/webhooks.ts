// The webhook queue of a running node: real sockets, tasks from the stored documents.

import type { Logger } from '../log.ts';
import type { Store } from '../store/store.ts';
import { taskState, taskText } from '../store/task-rows.ts';
import { fromHex } from '../wire/bytes.ts';
import type { OpeningKey } from '../wire/sealed-text.ts';
import type { WebhookPolicy } from '../wire/webhook-url.ts';
import type { Clock } from '../world/clock.ts';
import { attempt } from './attempt.ts';
import { type DeliveredTask, DeliveryQueue, type DeliveryResult } from './delivery-queue.ts';
import { createResolve } from './resolve.ts';

interface WebhookOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  /** The node's key; secrets may be encrypted to it. */
  key: OpeningKey;
  policy: WebhookPolicy;
  onResult(result: DeliveryResult): void;
  onFailure(error: unknown): void;
}

/** The task, if it is still open and routed to this agent (protocol 10, cancel). */
export function taskFor(store: Store, taskId: string, agentId: string): DeliveredTask | undefined {
  const id = fromHex(taskId)!;
  const text = taskText(store, id);
  const core = taskState(store, id)?.core;
  if (!text || core?.status !== 'open' || core.routed_to !== agentId) return undefined;
  const { title, description, category } = text;
  const { poster_id, budget, status } = core;
  return { id: taskId, title, description, category, poster_id, budget, status };
}

export function createWebhooks(o: WebhookOptions): DeliveryQueue {
  const { store, clock, log, key, policy } = o;
  const resolve = createResolve();
  return new DeliveryQueue({
    store,
    clock,
    log,
    key,
    taskFor: (taskId, agentId) => taskFor(store, taskId, agentId),
    attempt: (a, signal) => attempt(a, { clock, policy, resolve }, signal),
    onResult: o.onResult,
    onFailure: o.onFailure,
  });
}

// The webhook queue of a running node, on the world's clock, sockets and name servers, with tasks from stored documents.

import type { Logger } from '../log.ts';
import { taskState, taskText } from '../store/task-rows.ts';
import type { Hidden } from '../views/hidden.ts';
import { fromHex } from '../wire/bytes.ts';
import type { OpeningKey } from '../wire/sealed-text.ts';
import type { WebhookPolicy } from '../wire/webhook-url.ts';
import type { Store } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { attempt } from './attempt.ts';
import { type DeliveredTask, DeliveryQueue, type DeliveryResult } from './delivery-queue.ts';

interface WebhookOptions {
  store: Store;
  world: Pick<World, 'clock' | 'names' | 'post'>;
  log: Logger;
  /** The node's key; secrets may be encrypted to it. */
  key: OpeningKey;
  policy: WebhookPolicy;
  hidden: Pick<Hidden, 'json'>;
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
  const { store, log, key, policy } = o;
  const { clock, names, post } = o.world;
  return new DeliveryQueue({
    store,
    clock,
    log,
    key,
    taskFor: (taskId, agentId) => taskFor(store, taskId, agentId),
    json: (body) => o.hidden.json(body),
    attempt: (a, signal) =>
      attempt(a, { clock, policy, resolve: (name) => names.resolve(name), post }, signal),
    onResult: o.onResult,
    onFailure: o.onFailure,
  });
}

// Delivers the webhooks for which this node's seat is responsible (protocol 10): schedule, retries, restarts.
// A delivery is a stored row, written in the batch of the event that causes it and deleted when it is finished; this
// file has the timers and the queues. Keeps: an unfinished delivery is attempted again after a restart, at most five
// times in total; nothing is sent once the task is no longer open or is routed to another agent, and nothing is sent
// unsigned when there is a secret; URLs and secrets are never logged.

import type { Logger } from '../log.ts';
import type { DeliveryDoc } from '../store/market-documents.ts';
import { rangeOf, readU64, rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import type { OpeningKey } from '../wire/sealed-text.ts';
import type { Clock } from '../world/clock.ts';
import type { BatchOp, Store } from '../world/store.ts';
import type { Attempt, AttemptResult } from './attempt.ts';
import { FairLines, type Started } from './fair-lines.ts';
import { signingSecret } from './secret.ts';
import { signatureOf } from './signature.ts';

/** Waits before the second to the fifth attempt, in ms. */
export const RETRY_MS = [5_000, 30_000, 120_000, 600_000] as const;
/** Largest number of waiting deliveries, and of those of one agent; beyond it new ones are dropped. */
const MAX_WAITING = 10_000;
const MAX_WAITING_OF_AGENT = 1000;
const MOST = { running: 32, ofOwner: 4, ofHost: 4, ofSlow: 16 };
/** An attempt that held its place for longer was slow. */
const SLOW_MS = 1000;

/** ok; retry: failed, will be tried again; dropped: failed for good, or queue full; blocked: the guard refused the target. */
export type DeliveryResult = 'ok' | 'retry' | 'dropped' | 'blocked';

/** The task object in a delivery's body. */
export interface DeliveredTask {
  id: string;
  title: string;
  description: string;
  category: string;
  poster_id: string;
  budget: number;
  status: string;
}

interface DeliveryQueueOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  /** The node's key; secrets may be encrypted to it. */
  key: OpeningKey;
  /** JSON of what is delivered, without the texts that this node hides. */
  json(body: unknown): string;
  /** The task while it is open and routed to this agent. */
  taskFor(taskId: string, agentId: string): DeliveredTask | undefined;
  attempt(a: Attempt, signal: AbortSignal): Promise<AttemptResult>;
  onResult(result: DeliveryResult): void;
  /** A row could not be written: the node must stop. */
  onFailure(error: unknown): void;
}

interface Delivery {
  seq: number;
  doc: DeliveryDoc;
  host: string;
}

/** The host part of a URL, which separates the receivers' queues. */
const hostOf = (url: string): string => /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';

export class DeliveryQueue {
  readonly #lines = new FairLines<Delivery>(MOST);
  /** Functions that cancel the timers of deliveries not yet due. */
  readonly #timers = new Map<number, () => void>();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #waiting = 0;
  readonly #waitingOf = new Map<string, number>();
  #ops: BatchOp[] = [];
  #writing: Promise<void> | undefined;

  constructor(private readonly o: DeliveryQueueOptions) {}

  /** Unfinished deliveries. */
  get size(): number {
    return this.#waiting;
  }

  /** Loads the deliveries that an earlier run left unfinished. */
  async load(): Promise<void> {
    for await (const [key, value] of this.o.store.scan(rangeOf('W'))) {
      this.#take(readU64(key, 1), readJson<DeliveryDoc>(value)!);
    }
  }

  /** Call when a task_routed event is durable; does nothing if the event has no delivery. `seq`: the event's. */
  note(seq: number): void {
    const doc = readJson<DeliveryDoc>(this.o.store.get(rowKey.delivery(seq)));
    if (doc) this.#take(seq, doc);
  }

  #take(seq: number, doc: DeliveryDoc): void {
    if (this.#stop.signal.aborted) return;
    const delivery = { seq, doc, host: hostOf(doc.url) };
    this.#waiting++;
    const own = (this.#waitingOf.get(doc.agent_id) ?? 0) + 1;
    this.#waitingOf.set(doc.agent_id, own);
    if (this.#waiting > MAX_WAITING || own > MAX_WAITING_OF_AGENT) this.#over(delivery, 'dropped');
    else this.#wait(delivery);
  }

  #wait(delivery: Delivery): void {
    const dueMs = delivery.doc.next_ms - this.o.clock.nowMs();
    const ready = (): void => {
      this.#timers.delete(delivery.seq);
      this.#lines.push(delivery.doc.agent_id, delivery.host, delivery);
      this.#start();
    };
    if (dueMs <= 0) ready();
    // If the clock was set back, a delivery is delayed by the longest wait at most.
    else this.#timers.set(delivery.seq, this.o.clock.setTimer(ready, Math.min(dueMs, RETRY_MS.at(-1)!)));
  }

  #start(): void {
    for (let started = this.#lines.next(); started; started = this.#lines.next()) this.#begin(started);
  }

  #begin({ item, end }: Started<Delivery>): void {
    const { clock, onFailure } = this.o;
    const beganMs = clock.monotonicMs();
    const run = this.#run(item)
      .catch((error) => onFailure(error))
      .finally(() => {
        this.#running.delete(run);
        end(clock.monotonicMs() - beganMs > SLOW_MS);
        this.#start();
      });
    this.#running.add(run);
  }

  async #run(delivery: Delivery): Promise<void> {
    const { doc } = delivery;
    const task = this.o.taskFor(doc.task_id, doc.agent_id);
    if (!task) {
      this.#over(delivery, undefined);
      return;
    }
    const message = this.#message(doc, task);
    if (!message) {
      // The node's key does not change while it runs: another attempt would fail, too.
      this.#over(delivery, 'dropped', 'its encrypted secret cannot be decrypted with the key of this node');
      return;
    }
    const result = await this.o.attempt(message, this.#stop.signal);
    // An attempt interrupted by the shutdown does not count: its row remains unchanged.
    if (this.#stop.signal.aborted && result === 'failed') return;
    if (result === 'ok' || result === 'blocked') this.#over(delivery, result);
    else this.#again(delivery);
  }

  /** Undefined when the agent set a secret and the delivery cannot be signed with it. */
  #message(doc: DeliveryDoc, task: DeliveredTask): Attempt | undefined {
    const body = this.o.json({
      event: 'task_assigned',
      delivery_id: doc.delivery_id,
      task_id: doc.task_id,
      agent_id: doc.agent_id,
      task,
      issued_at: doc.issued_at,
    });
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'X-Service-Event': 'task_assigned',
      'X-Service-Delivery': doc.delivery_id,
    };
    if (doc.secret !== undefined) {
      const nowSecs = Math.floor(this.o.clock.nowMs() / 1000);
      const secret = signingSecret(doc.secret, doc.agent_id, this.o.key);
      if (secret === undefined) return undefined;
      headers['X-Service-Signature'] = signatureOf(secret, nowSecs, body);
    }
    return { url: doc.url, headers, body };
  }

  #again(delivery: Delivery): void {
    const { doc, seq } = delivery;
    const waitMs = RETRY_MS[doc.attempts];
    if (waitMs === undefined) {
      this.#over(delivery, 'dropped');
      return;
    }
    delivery.doc = { ...doc, attempts: doc.attempts + 1, next_ms: this.o.clock.nowMs() + waitMs };
    this.#write({ key: rowKey.delivery(seq), value: Buffer.from(JSON.stringify(delivery.doc)) });
    this.o.onResult('retry');
    this.#wait(delivery);
  }

  #over({ seq, doc }: Delivery, result: DeliveryResult | undefined, reason?: string): void {
    this.#waiting--;
    const own = this.#waitingOf.get(doc.agent_id)! - 1;
    if (own > 0) this.#waitingOf.set(doc.agent_id, own);
    else this.#waitingOf.delete(doc.agent_id);
    this.#write({ key: rowKey.delivery(seq), value: undefined });
    if (result === undefined) return;
    this.o.onResult(result);
    if (result !== 'ok')
      this.o.log.warn({ delivery: doc.delivery_id, result, reason }, 'a webhook was not delivered');
  }

  /** Changed rows are written together, one batch at a time. */
  #write(op: BatchOp): void {
    this.#ops.push(op);
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = undefined;
    });
  }

  async #flush(): Promise<void> {
    while (this.#ops.length > 0) {
      const ops = this.#ops;
      this.#ops = [];
      try {
        await this.o.store.write(ops);
      } catch (error) {
        this.#ops = [];
        this.o.onFailure(error);
      }
    }
  }

  /** Ends running attempts and writes their results. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#lines.clear();
    await Promise.all(this.#running);
    await this.#writing;
  }
}

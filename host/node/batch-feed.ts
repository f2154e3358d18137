// Passes each batch that is on disk to the parts of a node that follow it: indexes, metrics, stream, webhooks, the
// autovalidator.
// Keeps: batches arrive in order, and reads wait until all have it (Sequencer.busy).

import type { OrderWaits } from '../api/order-waits.ts';
import type { StreamHub } from '../api/stream-hub.ts';
import type { OwnValidator } from '../duties/own-validator.ts';
import type { Executed } from '../execution/executor.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { toHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import type { NodeState } from './state.ts';

/** What happened longer ago is no news: a node that joins or was away executes it only now. The alert looks at an hour. */
const NEWS_MS = 3_600_000;

export interface BatchFeedOptions {
  clock: Clock;
  log: Pick<Logger, 'error' | 'info'>;
  state: NodeState;
  metrics: Metrics;
  stream: StreamHub;
  orders: Pick<OrderWaits, 'onExecuted'>;
  webhooks: Pick<DeliveryQueue, 'note'>;
}

export class BatchFeed {
  /** By the monotonic clock: the last batch, or the start. */
  lastBatchMs: number;
  /** Set once the autovalidator runs. */
  ownValidator: Pick<OwnValidator, 'onExecuted'> | undefined;
  /** Seats whose equivocation in an epoch was logged: each further vertex of them may be one. */
  #equivocators = { epoch: 0, seats: new Set<number>() };

  constructor(private readonly options: BatchFeedOptions) {
    this.lastBatchMs = options.clock.monotonicMs();
  }

  /** `commitMs`: what the synced write of the batch took. */
  onExecuted(batch: Executed, commitMs: number): void {
    const { clock, metrics, orders, stream, webhooks } = this.options;
    this.lastBatchMs = clock.monotonicMs();
    this.#updateIndexes(batch);
    orders.onExecuted(batch.head.order);
    metrics.committed(batch.transactions.length, commitMs / 1000);
    metrics.executed(batch.events);
    const isNews = clock.nowMs() - batch.timeSecs * 1000 < NEWS_MS;
    metrics.equivocations(isNews ? batch.equivocations.length : 0);
    for (const one of batch.equivocations) this.#logEquivocation(one, isNews);
    for (const outcome of batch.outcomes) {
      const isSettlement =
        outcome.kind === 'event' && (outcome.type === 'settlement' || outcome.type === 'task_settled');
      if (isSettlement) metrics.treasuryFee(outcome.treasuryFee);
    }
    stream.publish(batch.events, batch.head.seq);
    this.ownValidator?.onExecuted(batch);
    for (const event of batch.events) if (event.event_type === 'task_routed') webhooks.note(event.seq);
  }

  #logEquivocation({ seat, epoch, vertices }: Executed['equivocations'][number], isNews: boolean): void {
    if (this.#equivocators.epoch !== epoch) this.#equivocators = { epoch, seats: new Set() };
    if (this.#equivocators.seats.has(seat)) return;
    this.#equivocators.seats.add(seat);
    this.options.log[isNews ? 'error' : 'info'](
      { seat, epoch, vertices: vertices.map(toHex) },
      'a seat signed two vertices with one number: the order proves it, and the seat is excluded',
    );
  }

  #updateIndexes({ outcomes, touched, events, timeSecs }: Executed): void {
    const { pending, boards, market, active } = this.options.state;
    pending.apply(outcomes);
    boards.mark(touched);
    market.apply(events, touched);
    for (const outcome of outcomes) {
      if (outcome.kind === 'tx' && outcome.seq > 0) active.note(outcome.words[0]!, timeSecs);
    }
  }
}

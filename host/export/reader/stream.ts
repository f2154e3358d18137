// The event stream of a reader: what the exporter published to NATS, sent to clients as a node sends it (protocol 9).
// Keeps: an event is sent after it is committed in the database and stored by NATS; the stream is of the database's
// history, or nothing of it is sent. NATS that is away is tried again; open streams wait for it.

import type { Charge } from '../../api/cost-budget.ts';
import { StreamHub, type StreamQuery } from '../../api/stream-hub.ts';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { EventDoc } from '../../store/documents.ts';
import { type Clock, pause } from '../../world/clock.ts';
import type { StreamOpener } from '../../world/http.ts';
import type { StreamLog } from '../nats/stream-log.ts';
import { LogFeed } from './log-feed.ts';
import type { Tables } from './snapshot.ts';

const RETRY_MS = 500;

export interface ReaderStreamOptions {
  log: Pick<StreamLog, 'range' | 'read' | 'nextOf' | 'follow' | 'close'>;
  tables: Pick<Tables, 'read'>;
  /** Consensus time, Unix seconds. */
  timeSecs(): number;
  clock: Pick<Clock, 'monotonicMs' | 'setTimer' | 'soon'>;
  logger: Pick<Logger, 'error' | 'warn'>;
  metrics: Pick<Metrics, 'streamMessages' | 'slowConsumer'>;
}

/** The whole document of an event. */
export const wholeEvent = (tables: Pick<Tables, 'read'>, seq: number): Promise<EventDoc> =>
  tables.read(async (s) => {
    const [row] = await s.rows<{ doc: string }>('select doc from event where seq = $1', [seq]);
    if (!row) throw new Error(`event ${seq} is not in the database`);
    return JSON.parse(row.doc) as EventDoc;
  });

export class ReaderStream {
  readonly #feed: LogFeed;
  readonly #hub: StreamHub;
  #isUp = false;
  #hasBegun = false;
  #isStopped = false;
  #pending: EventDoc[] = [];
  #warned = '';

  constructor(private readonly o: ReaderStreamOptions) {
    const { log, clock, logger, metrics, timeSecs } = o;
    this.#feed = new LogFeed(log, clock);
    this.#hub = new StreamHub({
      feed: this.#feed,
      clock,
      log: logger,
      timeSecs,
      onSent: (count) => metrics.streamMessages(count),
      onSlowConsumer: () => metrics.slowConsumer(),
    });
  }

  /** Open streams. */
  get size(): number {
    return this.#hub.size;
  }

  /** Errors: as those of a node; 503 `not_ready` while NATS does not answer. */
  admit(charge: Charge, query: StreamQuery): StreamOpener {
    if (!this.#isUp)
      throw new ServiceError('not_ready', {
        text: 'the stream does not answer',
        headers: { 'Retry-After': '1' },
      });
    return this.#hub.admit(charge, query);
  }

  /** Follows until it is stopped. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#follow();
      } catch (error) {
        this.#warn(error as Error);
      }
      this.#isUp = false;
      if (!this.#isStopped) await pause(this.o.clock, RETRY_MS);
    }
  }

  #warn(error: Error): void {
    if (this.#isStopped || error.message === this.#warned) return;
    this.#warned = error.message;
    this.o.logger.warn({ reason: error.message }, 'the stream cannot be followed: tried again');
  }

  async #follow(): Promise<void> {
    const { log } = this.o;
    const { first, last } = await log.range();
    if (this.#hasBegun && last < this.#feed.head)
      throw new Error(`the stream ends at ${last}, and had ${this.#feed.head} before`);
    await this.#checkHistory(first, last);
    this.#feed.begin(first, this.#hasBegun ? this.#feed.head : last);
    this.#hasBegun = true;
    this.#isUp = true;
    this.#warned = '';
    const next = this.#feed.head + this.#pending.length + 1;
    for await (const event of log.follow(next)) this.#take(event);
  }

  /** The newest event that both have is the same. Errors: one that says so. */
  async #checkHistory(first: number, last: number): Promise<void> {
    const { log, tables } = this.o;
    const [known] = await tables.read((s) =>
      s.rows<{ seq: number; event_id: string }>(
        'select seq, event_id from event where seq between $1 and $2 order by seq desc limit 1',
        [first, last],
      ),
    );
    if (!known) return;
    const [published] = await log.read(known.seq, known.seq);
    if (published?.event_id !== known.event_id)
      throw new Error(`the stream is not of this database: event ${known.seq} differs`);
  }

  /** What comes in one turn of the loop is one batch. */
  #take(event: EventDoc): void {
    this.#pending.push(event);
    if (this.#pending.length > 1) return;
    this.o.clock.soon(() => {
      const events = this.#pending;
      this.#pending = [];
      this.#hub.publish(events, events.at(-1)!.seq);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.o.log.close();
  }
}

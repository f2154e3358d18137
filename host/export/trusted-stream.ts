// The export of what the stream of a node tells: fast, and as true as that node. Nothing is computed.
// Keeps: every event once and in the order of seq; a gap of the stream ends it, and nothing is written after that, nor
// behind an event that the node has otherwise, as one that lost its tail.

import type { StreamMessage } from '../client/stream-types.ts';
import type { EventDoc } from '../store/documents.ts';
import type { Clock } from '../world/clock.ts';
import { ExportFault } from './batch.ts';
import { streamedEvent } from './streamed-event.ts';

/** Events of one transaction, and those that may wait for it: beyond, the stream is not read. */
const MAX_BATCH = 5000;
const MAX_WAITING = 2 * MAX_BATCH;

export interface TrustedStreamOptions {
  /** Messages after a seq, until the signal aborts. `onRetry`: the connection was lost, and `hasWorked` before. */
  follow(
    since: number,
    signal: AbortSignal,
    onRetry: (hasWorked: boolean) => void,
  ): AsyncIterable<StreamMessage>;
  sink: {
    open(genesisHash: string): Promise<{ seq: number; eventId: string | undefined }>;
    write(events: readonly EventDoc[]): Promise<void>;
  };
  genesisHash: string;
  clock: Pick<Clock, 'monotonicMs'>;
  /** The node does not answer, and is asked again. */
  onAway?(): void;
  onWritten?(seq: number): void;
}

export class TrustedStream {
  readonly #stop = new AbortController();
  #events: EventDoc[] = [];
  #writing: Promise<void> | undefined;
  #fault: unknown;
  /** When the sink was last seen to have what the stream told. */
  #wholeMs: number;
  /** Nothing has come over the present connection. */
  #isAway = true;
  /** Newest event that was taken. */
  #last: { seq: number; eventId: string | undefined } = { seq: 0, eventId: undefined };
  /** Newest event in the sink. */
  seq = 0;

  constructor(private readonly o: TrustedStreamOptions) {
    this.#wholeMs = o.clock.monotonicMs();
  }

  /** Since when something that the stream told is not in the sink, or the node is away, ms. */
  get lagMs(): number {
    return this.#writing || this.#isAway ? this.o.clock.monotonicMs() - this.#wholeMs : 0;
  }

  /** Exports until it is stopped; with `to`, up to that event. Errors: ExportFault `gap`, `differs`; those of sink and stream. */
  async run(to = Number.POSITIVE_INFINITY): Promise<void> {
    const { sink, genesisHash } = this.o;
    this.#last = await sink.open(genesisHash);
    this.seq = this.#last.seq;
    try {
      while (this.#last.seq < to && (await this.#read(to)));
    } finally {
      while (this.#writing) await this.#writing;
    }
    if (this.#fault !== undefined) throw this.#fault;
  }

  /**
   * Reads over one connection, which begins with the newest event that was taken: a node that came back with another one
   * has lost what it had told. True when the connection was lost.
   */
  async #read(to: number): Promise<boolean> {
    const link = new AbortController();
    let known = this.#last.eventId;
    let last = known === undefined ? this.#last.seq : this.#last.seq - 1;
    const signal = AbortSignal.any([this.#stop.signal, link.signal]);
    const onRetry = (hasWorked: boolean): void => {
      this.#away();
      if (hasWorked) link.abort();
    };
    for await (const message of this.o.follow(last, signal, onRetry)) {
      // The sink lacks what it refused: it is given nothing behind that.
      if (this.#fault !== undefined) return false;
      this.#isAway = false;
      if (message.type === 'gap')
        throw new ExportFault('gap', `the node has no events ${last + 1} to ${message.data.to}`);
      if (message.seq !== last + 1) throw new ExportFault('gap', `event ${message.seq} came after ${last}`);
      last = message.seq;
      const event = streamedEvent(message);
      if (known === undefined) this.#take(event);
      else if (event.event_id !== known)
        throw new ExportFault(
          'differs',
          `event ${last} of the node is another than the newest of the database: the node lost what it had told. Export into another schema (--schema)`,
        );
      known = undefined;
      while (this.#events.length >= MAX_WAITING) await this.#writing;
      if (last >= to) return false;
    }
    return link.signal.aborted && !this.#stop.signal.aborted;
  }

  #away(): void {
    if (!this.#isAway && !this.#writing) this.#wholeMs = this.o.clock.monotonicMs();
    this.#isAway = true;
    this.o.onAway?.();
  }

  #take(event: EventDoc): void {
    this.#events.push(event);
    this.#last = { seq: event.seq, eventId: event.event_id };
    if (this.#writing) return;
    this.#wholeMs = this.o.clock.monotonicMs();
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes what waits, and what comes meanwhile. A fault is thrown by `run`. */
  async #write(): Promise<void> {
    try {
      // What arrives with it is one batch.
      await Promise.resolve();
      while (this.#events.length > 0) {
        const events = this.#events.splice(0, MAX_BATCH);
        await this.o.sink.write(events);
        this.seq = events.at(-1)!.seq;
        this.o.onWritten?.(this.seq);
      }
    } catch (error) {
      this.#fault = error;
      this.#events = [];
      this.stop();
    }
  }

  stop(): void {
    this.#stop.abort();
  }
}

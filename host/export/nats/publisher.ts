// Publishes the events of a database to a stream of NATS JetStream.
// Keeps: only what is committed is published, each event with the demand that the stream ends just before it; so the
// stream's sequence is the event's seq, and a second publisher, a restart or a lost answer neither repeats nor skips one.

import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EventDoc } from '../../store/documents.ts';
import { utf8 } from '../../wire/bytes.ts';
import type { Clock } from '../../world/clock.ts';
import { pause } from '../../world/clock.ts';
import { type EventSource, ExportFault, type PublishedEvent } from '../batch.ts';
import { ALL_SUBJECTS, subjectOf } from './subjects.ts';

export interface PublisherOptions {
  servers: string;
  stream: string;
  replicas: number;
  events: EventSource;
  clock: Pick<Clock, 'setTimer'>;
  warn(text: string): void;
}

/** Events that wait for their answers together. */
const WINDOW = 256;
const RETRY_MS = 500;
const IDLE_MS = 250;
const ANSWER_MS = 5000;
/** The stream ends elsewhere than it was believed to: another publisher was first, or an answer was lost. */
const WRONG_SEQUENCE = 10_071;
const NO_STREAM = 404;

/** An answer of the server that it would give again, such as one to a stream with other subjects. */
const isRefusal = (error: unknown): boolean => {
  const { name, status = 0 } = error as { name?: string; status?: number };
  return name === 'JetStreamApiError' && status >= 400 && status < 500;
};

export class Publisher {
  #connection: NatsConnection | undefined;
  #isStopped = false;
  /** The stream was of these events, when this publisher first looked at it. */
  #isCompared = false;
  /** Newest seq that the stream has. */
  published = 0;

  constructor(private readonly o: PublisherOptions) {}

  /**
   * Publishes until it is stopped; with `to`, until the stream has that seq. A server that is away is waited for. Errors:
   * ExportFault where the stream is not of these events.
   */
  async run(to?: () => number): Promise<void> {
    while (!this.#isStopped) {
      try {
        const isIdle = await this.#once();
        if (to && this.published >= to()) return;
        if (isIdle) await pause(this.o.clock, IDLE_MS);
      } catch (error) {
        if (error instanceof ExportFault || isRefusal(error)) throw error;
        this.o.warn(`NATS: ${(error as Error).message}; tried again`);
        await this.#disconnect();
        await pause(this.o.clock, RETRY_MS);
      }
    }
  }

  /** Publishes what there is; whether there was nothing. */
  async #once(): Promise<boolean> {
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
    this.#connection ??= await this.#connect();
    const connection = this.#connection;
    const manager = await jetstreamManager(connection, { timeout: ANSWER_MS });
    let last = await this.#lastSequence(manager);
    const client = jetstream(connection, { timeout: ANSWER_MS });
    for (let sent = 0; !this.#isStopped; sent++) {
      this.published = last;
      const events = await this.o.events.after(last, WINDOW);
      if (events.length === 0) return sent === 0;
      if (events[0]!.seq !== last + 1)
        throw new ExportFault(
          'gap',
          `stream ${this.o.stream} ends at ${last}, and the next event in the database is ${events[0]!.seq}`,
        );
      if (!(await this.#publish(client, events, connection.info?.max_payload ?? 0))) return false;
      last = events.at(-1)!.seq;
    }
    return true;
  }

  async #connect(): Promise<NatsConnection> {
    const { connect } = await import('@nats-io/transport-node');
    return connect({ servers: this.o.servers.split(','), reconnect: false, name: 'vws export' });
  }

  /** Where the stream ends; makes it where there is none. */
  async #lastSequence(manager: JetStreamManager): Promise<number> {
    const { stream, events } = this.o;
    const info = await manager.streams.info(stream).catch((error: { status?: number; code?: number }) => {
      if (error.status === NO_STREAM || error.code === NO_STREAM) return undefined;
      throw error;
    });
    const found = info ?? (await this.#make(manager));
    const { last_seq, first_seq, messages } = found.state;
    const last = messages === 0 ? Math.max(last_seq, first_seq - 1, 0) : last_seq;
    const { first, last: newest } = await events.range();
    if (last > newest)
      throw new ExportFault('differs', `stream ${stream} ends at ${last}, behind the database's ${newest}`);
    if (last + 1 < first)
      throw new ExportFault('gap', `stream ${stream} ends at ${last}, and the database begins at ${first}`);
    if (messages > 0 && last >= first && !this.#isCompared) await this.#compare(manager, last);
    return last;
  }

  /** A stream of another history may be shorter, so that what follows would be put behind it: its last event tells. */
  async #compare(manager: JetStreamManager, seq: number): Promise<void> {
    const { stream, events } = this.o;
    const [[own], found] = await Promise.all([
      events.after(seq - 1, 1),
      manager.streams.getMessage(stream, { seq }),
    ]);
    // It may have been deleted there, or dropped here meanwhile.
    if (own?.seq === seq && found && found.json<EventDoc>().event_id !== own.doc.event_id)
      throw new ExportFault('differs', `stream ${stream} has another event ${seq} than the database`);
    this.#isCompared = true;
  }

  async #make(manager: JetStreamManager) {
    const { stream, replicas, events } = this.o;
    const { first } = await events.range();
    const config = { name: stream, subjects: [ALL_SUBJECTS], num_replicas: replicas };
    if (first === 1) return manager.streams.add(config);
    try {
      return await manager.streams.add({ ...config, first_seq: first });
    } catch (error) {
      if (!/first_seq/.test((error as Error).message)) throw error;
      throw new ExportFault(
        'gap',
        `the database begins at event ${first}, and a NATS server before 2.10 has no stream that begins later than 1`,
      );
    }
  }

  /** False where the stream was elsewhere. */
  async #publish(
    client: JetStreamClient,
    events: readonly PublishedEvent[],
    maxBytes: number,
  ): Promise<boolean> {
    const answers = await Promise.allSettled(
      events.map(({ seq, doc }) =>
        client.publish(subjectOf(doc), payloadOf(doc, maxBytes), {
          msgID: String(seq),
          expect: { streamName: this.o.stream, lastSequence: seq - 1 },
        }),
      ),
    );
    const failed = answers.find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') return true;
    if ((failed.reason as { code?: number }).code === WRONG_SEQUENCE) return false;
    throw failed.reason;
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    // Of a connection that broke nothing is left to close.
    await connection?.close().catch(() => {});
  }

  stop(): void {
    this.#isStopped = true;
  }

  async close(): Promise<void> {
    this.stop();
    await this.#disconnect();
  }
}

/** The document; one that is larger than the server takes is sent without its payload. */
function payloadOf(doc: EventDoc, maxBytes: number): Uint8Array {
  const whole = utf8(JSON.stringify(doc));
  if (maxBytes === 0 || whole.length <= maxBytes) return whole;
  const { event_id, event_type, seq, agent_id, order, index, timestamp, settlement_state } = doc;
  return utf8(
    JSON.stringify({
      event_id,
      event_type,
      seq,
      agent_id,
      order,
      index,
      timestamp,
      settlement_state,
      is_shortened: true,
    }),
  );
}

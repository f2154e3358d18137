// The stream of an export in NATS JetStream, read: its messages are the events, its sequence is their seq.
// Keeps: a message whose sequence is not the seq of its event ends the reading; a connection that broke is never used again.

import type { StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EventDoc } from '../../store/documents.ts';
import type { EventType } from '../../store/event-types.ts';
import { ALL_AGENTS, subjectRoot } from './subjects.ts';

export interface StreamLogOptions {
  servers: string;
  stream: string;
  /** The whole document of an event that was too large for a message. */
  whole(seq: number): Promise<EventDoc>;
}

const ANSWER_MS = 5000;
/** Messages that wait in the client: further ones wait in the server. */
const WINDOW = 1000;

type Published = EventDoc & { is_shortened?: true };

export class StreamLog {
  #connecting: Promise<NatsConnection> | undefined;

  constructor(private readonly o: StreamLogOptions) {}

  #connection(): Promise<NatsConnection> {
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  async #connect(): Promise<NatsConnection> {
    const { connect } = await import('@nats-io/transport-node');
    const forget = (): void => {
      this.#connecting = undefined;
    };
    try {
      const servers = this.o.servers.split(',');
      const connection = await connect({ servers, reconnect: false, name: 'vws serve' });
      void connection.closed().then(forget);
      return connection;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #manager() {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    return jetstreamManager(await this.#connection(), { timeout: ANSWER_MS });
  }

  /** The first seq that the stream keeps, and the newest. Errors: those of NATS; without the stream too. */
  async range(): Promise<{ first: number; last: number }> {
    const { state } = await (await this.#manager()).streams.info(this.o.stream);
    // An empty stream names no first message.
    return { first: Math.max(state.first_seq, 1), last: state.last_seq };
  }

  /** Events of a range, ascending, up to the first that the stream does not have. Errors: those of NATS. */
  async read(from: number, to: number): Promise<EventDoc[]> {
    const { streams } = await this.#manager();
    const seqs = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const found = await Promise.all(seqs.map((seq) => streams.getMessage(this.o.stream, { seq })));
    const missing = found.indexOf(null);
    const messages = (missing < 0 ? found : found.slice(0, missing)) as StoredMsg[];
    return Promise.all(messages.map((message) => this.#event(message.seq, message.json<Published>())));
  }

  async #event(sequence: number, doc: Published): Promise<EventDoc> {
    if (doc.seq !== sequence)
      throw new Error(`stream ${this.o.stream} has event ${doc.seq} under sequence ${sequence}`);
    return doc.is_shortened ? this.o.whole(sequence) : doc;
  }

  /** Seq of the first event of a type from a seq on; undefined if there is none yet. Errors: those of NATS. */
  async nextOf(type: EventType, seq: number): Promise<number | undefined> {
    const { streams } = await this.#manager();
    const next_by_subj = `${subjectRoot(type)}.${ALL_AGENTS}`;
    const message = await streams.getMessage(this.o.stream, { seq, next_by_subj } as never);
    return message?.seq;
  }

  /** Events from a seq on, as they come, until the connection breaks or `close`. Errors: those of NATS. */
  async *follow(from: number): AsyncGenerator<EventDoc, void, undefined> {
    const { DeliverPolicy, jetstream } = await import('@nats-io/jetstream');
    const connection = await this.#connection();
    const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from };
    const consumer = await jetstream(connection, { timeout: ANSWER_MS }).consumers.get(this.o.stream, start);
    const messages = await consumer.consume({ max_messages: WINDOW });
    void connection.closed().then(() => messages.stop());
    let expected = from;
    for await (const message of messages) {
      if (message.seq !== expected)
        throw new Error(`stream ${this.o.stream} goes on with ${message.seq}, not ${expected}`);
      expected += 1;
      yield await this.#event(message.seq, message.json<Published>());
    }
  }

  async close(): Promise<void> {
    const connecting = this.#connecting;
    this.#connecting = undefined;
    // Of a connection that broke, or never was, nothing is left to close.
    await connecting?.then((connection) => connection.close()).catch(() => {});
  }
}

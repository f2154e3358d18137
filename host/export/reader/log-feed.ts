// The messages of a reader's stream: live ones as they come, earlier ones read from a log that answers later.
// Keeps: a message is the one that a node sends; only so many chunks are read at once, so that what was read is still in
// memory when it is asked for. A log that is away is asked again for some seconds, then the reading fails.

import { type Chunk, chunkOf, endOf, type Message, MessageChunks, startOf } from '../../api/stream-chunks.ts';
import type { Feed } from '../../api/stream-feed.ts';
import type { EventDoc } from '../../store/documents.ts';
import { EVENT_TYPES, type EventType, typeNumber } from '../../store/event-types.ts';
import { type Clock, pause } from '../../world/clock.ts';
import type { StreamLog } from '../nats/stream-log.ts';

const MAX_READS = 8;
const TRIES = 20;
const TRY_MS = 250;

const TYPES = new Map<number, EventType>(EVENT_TYPES.map((type) => [typeNumber(type), type]));

export class LogFeed implements Feed {
  /** Nothing here holds up anything else. */
  readonly loads = 0;
  readonly #chunks = new MessageChunks();
  /** Chunks that are being read, by number. */
  readonly #reading = new Map<number, Promise<void>>();
  #waiting: (() => void)[] = [];
  #reads = 0;
  #first = 1;
  #head = 0;

  constructor(
    private readonly log: Pick<StreamLog, 'read' | 'range' | 'nextOf'>,
    private readonly clock: Pick<Clock, 'setTimer'>,
  ) {}

  get head(): number {
    return this.#head;
  }

  /** The log begins with `first`. `head`: the newest event, where nothing was followed before. */
  begin(first: number, head: number): void {
    this.#first = first;
    this.#head = head;
  }

  append(events: readonly EventDoc[], head: number, isWatched: boolean): Message[] {
    const messages = isWatched ? this.#chunks.append(events) : [];
    this.#head = head;
    this.#chunks.trim();
    return messages;
  }

  cached(seq: number): Chunk | undefined {
    return this.#chunks.cached(seq);
  }

  chunk(seq: number): Chunk | undefined | Promise<void> {
    if (seq < this.#first) return undefined;
    const cached = this.#chunks.cached(seq);
    const number = chunkOf(seq);
    const end = Math.min(this.#head, startOf(number + 1) - 1);
    if (cached && endOf(cached) > end) return this.#chunks.read(number);
    const reading = this.#reading.get(number) ?? this.#read(number, end);
    this.#reading.set(number, reading);
    return reading;
  }

  async #read(number: number, end: number): Promise<void> {
    try {
      const [from, docs] = await this.#placed(() => this.#docs(startOf(number), end));
      this.#chunks.fill(number, from, docs);
      this.#chunks.trim();
    } finally {
      this.#reading.delete(number);
    }
  }

  /** What is kept of a range, all of it. */
  async #docs(start: number, end: number): Promise<[from: number, docs: EventDoc[]]> {
    const from = Math.max(start, this.#first);
    const docs = await this.log.read(from, end);
    if (docs.length === end - from + 1) return [from, docs];
    // Its beginning may have been dropped meanwhile.
    const { first } = await this.log.range();
    if (first <= this.#first) throw new Error(`event ${from + docs.length} is not in the stream`);
    this.#first = first;
    return first > end ? [first, []] : this.#docs(start, end);
  }

  /** Runs something in one of a few places, again where it fails. Errors: the last one. */
  async #placed<T>(run: () => Promise<T>): Promise<T> {
    if (this.#reads >= MAX_READS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#reads += 1;
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await run();
        } catch (error) {
          if (tries === TRIES) throw error;
          await pause(this.clock, TRY_MS);
        }
      }
    } finally {
      this.#reads -= 1;
      this.#waiting.shift()?.();
    }
  }

  async nextOf(types: readonly number[], seq: number): Promise<number> {
    const behind = this.#head + 1;
    const found = await this.#placed(() =>
      Promise.all(types.map((type) => this.log.nextOf(TYPES.get(type)!, seq))),
    );
    return Math.min(behind, ...found.filter((one) => one !== undefined));
  }

  firstKept(seq: number): number {
    return Math.min(Math.max(seq, this.#first), this.#head + 1);
  }
}

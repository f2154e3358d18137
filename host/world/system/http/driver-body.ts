// The body of a request as it comes, for both HTTP drivers (protocol 8.2).
// Keeps: of a refused one nothing is kept, but it is read, so that its sender sees the answer: closing a socket with unread bytes
// resets it. What is read for nothing is bounded, and so is the number of its parts, whatever becomes of it.

import type { HttpReply } from '../../http.ts';

/** Bytes over its limit that are still read and thrown away. */
const DRAIN_BYTES = 1_048_576;
/**
 * A client may send each byte as a chunk of its own, six bytes on the wire, and each is a call that costs a microsecond: a
 * megabyte a second of them took a quarter of the main thread. So a body has so many parts, and one more for each 64 bytes.
 */
const MAX_PARTS = 1_000;
const PART_BYTES = 64;

const EMPTY = new Uint8Array(0);

/**
 * Chunks are copied into one piece: an object for each would take two hundred times the memory of the body.
 */
export class BodyParts {
  private whole = EMPTY;
  bytes = 0;

  /** The chunk's memory is free afterwards. */
  add(chunk: Uint8Array): void {
    const needed = this.bytes + chunk.length;
    if (needed > this.whole.length) {
      // Most bodies are one chunk, and take no more than that.
      const larger = new Uint8Array(this.bytes === 0 ? needed : Math.max(needed, 2 * this.whole.length));
      larger.set(this.whole.subarray(0, this.bytes));
      this.whole = larger;
    }
    this.whole.set(chunk, this.bytes);
    this.bytes = needed;
  }

  take(): Uint8Array {
    const body = this.whole.subarray(0, this.bytes);
    this.whole = EMPTY;
    return body;
  }
}

/** A body that is read whole, to be handled or to be thrown away. */
export class BodyReader {
  readonly #body = new BodyParts();
  #bytes = 0;
  #parts = 0;
  #refused: HttpReply | undefined;

  /** `limit`: bytes that it may have. `onTooLarge` makes the refusal of more. */
  constructor(
    private readonly limit: number,
    private readonly onTooLarge: () => HttpReply,
  ) {}

  /** What its sender is answered once all of it was read; undefined: it is to be handled. */
  get refused(): HttpReply | undefined {
    return this.#refused;
  }

  refuse(reply: HttpReply): void {
    this.#refused = reply;
    this.#body.take();
  }

  /** The chunk's memory is free afterwards. False: the connection ends, since it is too much to be read. */
  add(chunk: Uint8Array): boolean {
    this.#parts += 1;
    this.#bytes += chunk.length;
    if (this.#parts > MAX_PARTS + this.#bytes / PART_BYTES) return false;
    if (!this.#refused && this.#bytes > this.limit) this.refuse(this.onTooLarge());
    if (!this.#refused) this.#body.add(chunk);
    return this.#bytes <= this.limit + DRAIN_BYTES;
  }

  take(): Uint8Array {
    return this.#body.take();
  }
}

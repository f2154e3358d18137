// A packet: what one thread tells another in one turn of its loop, frames one after the other, little-endian.
// Both ends are this program, so what is malformed is a bug and throws.

const START_BYTES = 65_536;
/** A packet of this length is sent before its turn ends, so that none gets too long for memory or for the other thread. */
const FULL_BYTES = 1_048_576;
/** A buffer that one large packet made longer than this is not kept. */
const KEPT_BYTES = 1_048_576;
/** Bytes of UTF-8 that a UTF-16 unit may take. */
const MAX_UNIT_BYTES = 3;

/** Marks a place earlier in the packet where the bytes are, instead of their number. */
const IS_PLACE = 0x8000_0000;

export class PacketWriter {
  #bytes = Buffer.allocUnsafeSlow(START_BYTES);
  #at = 0;
  readonly #places = new Map<Uint8Array, number>();

  get isEmpty(): boolean {
    return this.#at === 0;
  }

  get isFull(): boolean {
    return this.#at >= FULL_BYTES;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  u8(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
    return this;
  }

  u16(value: number): this {
    this.#reserve(2);
    this.#at = this.#bytes.writeUInt16LE(value, this.#at);
    return this;
  }

  u32(value: number): this {
    this.#reserve(4);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
    return this;
  }

  /** So many bytes, without their number. */
  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }

  bytes(bytes: Uint8Array): this {
    return this.u32(bytes.length).raw(bytes);
  }

  /** Bytes that are probably in the packet already, as the same object: then their place is written. */
  shared(bytes: Uint8Array): this {
    const place = this.#places.get(bytes);
    if (place !== undefined) return this.u32((place | IS_PLACE) >>> 0);
    this.#places.set(bytes, this.#at);
    return this.bytes(bytes);
  }

  /** Any text without unpaired surrogates. */
  text(text: string): this {
    this.#reserve(4 + MAX_UNIT_BYTES * text.length);
    const written = this.#bytes.write(text, this.#at + 4);
    this.#bytes.writeUInt32LE(written, this.#at);
    this.#at += 4 + written;
    return this;
  }

  /** The packet, in memory of its own; the writer is empty then. */
  take(): Uint8Array<ArrayBuffer> {
    const packet = new Uint8Array(this.#bytes.buffer.slice(0, this.#at) as ArrayBuffer);
    this.#at = 0;
    this.#places.clear();
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(START_BYTES);
    return packet;
  }
}

export class PacketReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(packet: Uint8Array) {
    this.#bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.length);
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  u16(): number {
    const value = this.#bytes.readUInt16LE(this.#at);
    this.#at += 2;
    return value;
  }

  u32(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  #advance(count: number): number {
    const from = this.#at;
    if (count > this.#bytes.length - from) throw new RangeError('a packet ends within a frame');
    this.#at += count;
    return from;
  }

  /** The next bytes, a view of the packet. */
  raw(count: number): Uint8Array {
    const from = this.#advance(count);
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + from, count);
  }

  bytes(): Uint8Array {
    return this.raw(this.u32());
  }

  /** As `shared` wrote them. */
  shared(): Uint8Array {
    const count = this.u32();
    if (count < IS_PLACE) return this.raw(count);
    const place = count - IS_PLACE;
    const from = this.#bytes.byteOffset + place + 4;
    return new Uint8Array(this.#bytes.buffer, from, this.#bytes.readUInt32LE(place));
  }

  text(): string {
    const count = this.u32();
    const from = this.#advance(count);
    return this.#bytes.toString('utf8', from, from + count);
  }
}

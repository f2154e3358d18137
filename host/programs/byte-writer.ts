// Writes the binary format of WebAssembly (core specification 5).
// Keeps: one encoding for one value, the shortest.

import type { Span } from './module.ts';

const encoder = new TextEncoder();

export class ByteWriter {
  private buffer = new Uint8Array(4096);
  private length = 0;

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * this.buffer.length, this.length + count));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }

  byte(value: number): this {
    this.reserve(1);
    this.buffer[this.length++] = value;
    return this;
  }

  bytes(values: ArrayLike<number>): this {
    this.reserve(values.length);
    this.buffer.set(values, this.length);
    this.length += values.length;
    return this;
  }

  span(bytes: Uint8Array, { from, to }: Span): this {
    return this.bytes(bytes.subarray(from, to));
  }

  u32(value: number): this {
    let rest = value >>> 0;
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128);
    return this.byte(rest);
  }

  s32(value: number): this {
    let rest = value | 0;
    for (; rest < -64 || rest > 63; rest >>= 7) this.byte((rest & 127) | 128);
    return this.byte(rest & 127);
  }

  name(text: string): this {
    const bytes = encoder.encode(text);
    return this.u32(bytes.length).bytes(bytes);
  }

  /** What `write` writes, behind its length. */
  sized(write: () => void): this {
    const from = this.length;
    write();
    const size = this.length - from;
    this.u32(size);
    const prefix = this.length - from - size;
    this.reserve(prefix);
    const lead = this.buffer.slice(this.length - prefix, this.length);
    this.buffer.copyWithin(from + prefix, from, from + size);
    this.buffer.set(lead, from);
    return this;
  }

  section<Item>(id: number, items: readonly Item[], write: (item: Item) => void): this {
    this.byte(id);
    return this.sized(() => {
      this.u32(items.length);
      for (const item of items) write(item);
    });
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.length);
  }
}

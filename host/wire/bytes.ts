// Bytes and their hex form, and the little-endian reader and writer of every binary form on the wire.
// Keeps: the same result in Node and in a browser, so nothing here uses Buffer.
// A reader never throws on untrusted bytes: it sets `failed`, and the decoder then rejects the input as a whole.
// Also here: the signature job, which the wire formats produce and a verifier takes.

const HEX_CODES = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes converted in one call: no id is longer, and the number of arguments of a call is limited. */
const HEX_PART = 64;

// Concatenating digit by digit leaves a tree of strings in V8 (a rope) that takes eight times the memory of the text:
// 900 bytes for an id. This builds one flat string, and is faster.
function hexPart(bytes: Uint8Array, from: number, to: number): string {
  const codes = new Array<number>(2 * (to - from));
  for (let i = from, at = 0; i < to; i++) {
    codes[at++] = HEX_CODES[bytes[i]! >> 4]!;
    codes[at++] = HEX_CODES[bytes[i]! & 15]!;
  }
  return String.fromCharCode.apply(null, codes);
}

export function toHex(bytes: Uint8Array): string {
  if (bytes.length <= HEX_PART) return hexPart(bytes, 0, bytes.length);
  let text = '';
  for (let from = 0; from < bytes.length; from += HEX_PART) {
    text += hexPart(bytes, from, Math.min(from + HEX_PART, bytes.length));
  }
  return text;
}

/** Value of one hex digit of either case, -1 for anything else. */
function nibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Bytes of a hex text of either case; undefined when the length is odd or a character is not a hex digit. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = nibble(text.charCodeAt(2 * i));
    const low = nibble(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) return undefined;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/** True when `text` is exactly `chars` hex digits of either case. */
export function isHex(text: string, chars: number): boolean {
  if (text.length !== chars) return false;
  for (let i = 0; i < chars; i++) if (nibble(text.charCodeAt(i)) < 0) return false;
  return true;
}

/** True when `text` is exactly `chars` hex digits, letters in lower case. */
export function isLowerHex(text: string, chars: number): boolean {
  return isHex(text, chars) && text === text.toLowerCase();
}

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Text of UTF-8 bytes; invalid sequences become U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Compares byte strings: negative, 0 or positive; a prefix sorts before the longer string. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

export function isZero(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}

/**
 * A little-endian u64 as a Number, exact up to 2^53. By halves: a BigInt for each would be an object to collect, and costs
 * several times as much.
 */
export const u64At = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

/** True for printable ASCII, space included: the only characters allowed in header values, ids and paths. */
export function isPrintableAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** One signature to check. */
export interface SignatureJob {
  /** 32 bytes as received; `isAcceptableKey` (public-key.ts) decides whether such a key is allowed at all. */
  publicKey: Uint8Array;
  message: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
}

/** Appends little-endian values to a buffer that grows by doubling. */
export class ByteWriter {
  private bytes: Uint8Array;
  private view: DataView;
  private length = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Reserves bytes. May replace the buffer and the view, so call it before using either. */
  private take(count: number): number {
    const at = this.length;
    const needed = at + count;
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    this.length = needed;
    return at;
  }

  u8(value: number): this {
    const at = this.take(1);
    this.view.setUint8(at, value);
    return this;
  }

  u16(value: number): this {
    const at = this.take(2);
    this.view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.take(4);
    this.view.setUint32(at, value, true);
    return this;
  }

  /** A number must be an integer in 0..2^53-1; a bigint may be any u64. */
  u64(value: number | bigint): this {
    const at = this.take(8);
    if (typeof value === 'bigint') {
      this.view.setBigUint64(at, value, true);
    } else {
      this.view.setUint32(at, value >>> 0, true);
      this.view.setUint32(at + 4, Math.floor(value / 0x1_0000_0000), true);
    }
    return this;
  }

  raw(bytes: Uint8Array): this {
    const at = this.take(bytes.length);
    this.bytes.set(bytes, at);
    return this;
  }

  /** u16 length and the characters; `text` must be ASCII and shorter than 65,536. */
  ascii16(text: string): this {
    this.u16(text.length);
    const at = this.take(text.length);
    for (let i = 0; i < text.length; i++) this.bytes[at + i] = text.charCodeAt(i);
    return this;
  }

  /** What was appended; nothing may be appended afterwards. */
  finish(): Uint8Array {
    return this.length === this.bytes.length ? this.bytes : this.bytes.slice(0, this.length);
  }
}

/** Reads little-endian values. Past the end it returns zeros and stays `failed`. */
export class ByteReader {
  failed = false;
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** True when nothing failed and no bytes are left. */
  get done(): boolean {
    return !this.failed && this.at === this.bytes.length;
  }

  private take(count: number): number {
    if (this.failed || count > this.bytes.length - this.at) {
      this.failed = true;
      return -1;
    }
    const at = this.at;
    this.at += count;
    return at;
  }

  u8(): number {
    const at = this.take(1);
    return at < 0 ? 0 : this.view.getUint8(at);
  }

  u16(): number {
    const at = this.take(2);
    return at < 0 ? 0 : this.view.getUint16(at, true);
  }

  u32(): number {
    const at = this.take(4);
    return at < 0 ? 0 : this.view.getUint32(at, true);
  }

  /** A u64 that must be below 2^53; anything larger fails. */
  u64(): number {
    const at = this.take(8);
    if (at < 0) return 0;
    const high = this.view.getUint32(at + 4, true);
    if (high >= 0x20_0000) {
      this.failed = true;
      return 0;
    }
    return high * 0x1_0000_0000 + this.view.getUint32(at, true);
  }

  /** The next bytes, as a view into the input; empty when failed. */
  raw(count: number): Uint8Array {
    const at = this.take(count);
    return at < 0 ? new Uint8Array(0) : this.bytes.subarray(at, at + count);
  }

  /** u16 length and printable ASCII; any other byte fails. */
  ascii16(): string {
    const bytes = this.raw(this.u16());
    for (let i = 0; i < bytes.length; i++) {
      const code = bytes[i]!;
      if (code < 0x20 || code > 0x7e) {
        this.failed = true;
        return '';
      }
    }
    return decoder.decode(bytes);
  }
}

// Bytes and their hex form, and the little-endian reader and writer of every binary form on the wire.
// Keeps: the same result in Node and in a browser; of Node's Buffer only the conversion to hex is used, where there is one.
// A reader never throws on untrusted bytes: it sets `failed`, and the decoder then rejects the input as a whole.
// Also here: the signature job, which the wire formats produce and a verifier takes.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes as text, from `from` to `to`. */
type Slice = (this: Uint8Array, from: number, to: number) => string;
/** Text into bytes: from `at` on, `most` of them; how many were written. */
type Write = (this: Uint8Array, text: string, at: number, most: number) => number;
type Native = { Buffer?: { prototype: { hexSlice?: Slice; latin1Slice?: Slice; utf8Write?: Write } } };
/** Node's own conversions, several times as fast; undefined elsewhere. */
const {
  hexSlice: nativeHex,
  latin1Slice: nativeText,
  utf8Write: nativeUtf8,
} = (globalThis as Native).Buffer?.prototype ?? {};

const HEX_CODES = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
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

/** Same as `toHex`, without Node's conversion. */
export function portableHex(bytes: Uint8Array): string {
  if (bytes.length <= HEX_PART) return hexPart(bytes, 0, bytes.length);
  let text = '';
  for (let from = 0; from < bytes.length; from += HEX_PART) {
    text += hexPart(bytes, from, Math.min(from + HEX_PART, bytes.length));
  }
  return text;
}

/** Lower-case hex of bytes. */
export const toHex: (bytes: Uint8Array) => string = nativeHex
  ? (bytes) => nativeHex.call(bytes, 0, bytes.length)
  : portableHex;

/** Value of each character that is a hex digit of either case, -1 for other ASCII characters. */
const NIBBLES = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  for (const text of [digit, digit.toUpperCase()]) NIBBLES[text.charCodeAt(0)] = value;
}

/** True for the code of a hex digit of either case. */
const isNibble = (code: number): boolean => NIBBLES[code]! >= 0;

/** Bytes of a hex text of either case; undefined when the length is odd or a character is not a hex digit. */
export function fromHex(text: string): Uint8Array | undefined {
  const chars = text.length;
  if (chars % 2 !== 0) return undefined;
  const bytes = new Uint8Array(chars / 2);
  for (let i = 0, at = 0; at < chars; i++, at += 2) {
    const high = NIBBLES[text.charCodeAt(at)]!;
    const low = NIBBLES[text.charCodeAt(at + 1)]!;
    if (!(high >= 0 && low >= 0)) return undefined;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/** True when `text` is exactly `chars` hex digits of either case. */
export function isHex(text: string, chars: number): boolean {
  if (text.length !== chars) return false;
  for (let i = 0; i < chars; i++) if (!isNibble(text.charCodeAt(i))) return false;
  return true;
}

/** True when `text` is exactly `chars` hex digits, letters in lower case. */
export function isLowerHex(text: string, chars: number): boolean {
  return isHex(text, chars) && text === text.toLowerCase();
}

/** Short texts are written into slabs of this many bytes, one after the other. */
const SLAB_BYTES = 16_384;
/** Longest text of a slab, in characters of which each may take three bytes. */
const MAX_SLAB_CHARS = 1024;
let slab = new Uint8Array(SLAB_BYTES);
let slabAt = 0;

/**
 * UTF-8 bytes of a text; unpaired surrogates become U+FFFD. Short ones are a view of memory that they share: a buffer for each
 * costs four times as much. So whoever keeps them for long keeps others, and `.buffer` holds more than the text.
 */
export function utf8(text: string): Uint8Array {
  if (text.length > MAX_SLAB_CHARS) return encoder.encode(text);
  const most = 3 * text.length;
  if (slabAt + most > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    slabAt = 0;
  }
  const from = slabAt;
  slabAt += nativeUtf8
    ? nativeUtf8.call(slab, text, from, most)
    : encoder.encodeInto(text, slab.subarray(from, from + most)).written;
  return slab.subarray(from, slabAt);
}

let zeroes = new Uint8Array(SLAB_BYTES);
let zeroesAt = 0;

/** So many zero bytes for a short record, a view of memory that they share, for the same reason. */
export function zeroBytes(count: number): Uint8Array {
  if (count > MAX_SLAB_CHARS) return new Uint8Array(count);
  if (zeroesAt + count > SLAB_BYTES) {
    zeroes = new Uint8Array(SLAB_BYTES);
    zeroesAt = 0;
  }
  const from = zeroesAt;
  zeroesAt += count;
  return zeroes.subarray(from, zeroesAt);
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
export const u64At = (view: DataView, at: number): number => {
  const high = view.getUint32(at + 4, true);
  // Without the sum a small number stays an integer for V8, which it stores in place.
  return high === 0 ? view.getUint32(at, true) : view.getUint32(at, true) + high * 2 ** 32;
};

/** Writes an integer of 0..2^53-1 as a little-endian u64; by halves, as `u64At`. */
export function setU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value >>> 0, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
}

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

/** Bytes of the buffers that writers of short records share, one after the other. */
const SHARED_BYTES = 4096;
const MAX_SHARED = 8;
const shared: { bytes: Uint8Array; view: DataView }[] = [];

const EMPTY = new Uint8Array(0);
const newBuffer = (capacity: number) => {
  const bytes = new Uint8Array(capacity);
  return { bytes, view: new DataView(bytes.buffer) };
};

/**
 * Appends little-endian values to a buffer that grows by doubling. A writer that fits begins in a shared buffer, which it gives
 * back when it is finished: a new one costs as much as what is written into it.
 */
export class ByteWriter {
  private bytes: Uint8Array;
  private view: DataView;
  private length = 0;

  constructor(capacity = 256) {
    const start = capacity > SHARED_BYTES ? newBuffer(capacity) : (shared.pop() ?? newBuffer(SHARED_BYTES));
    this.bytes = start.bytes;
    this.view = start.view;
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
      setU64(this.view, at, value);
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

  /** What was appended, in a buffer of its own; nothing may be appended afterwards. */
  finish(): Uint8Array {
    const { bytes, view, length } = this;
    if (bytes.length > SHARED_BYTES && length === bytes.length) return bytes;
    const out = bytes.slice(0, length);
    if (bytes.length === SHARED_BYTES && shared.length < MAX_SHARED) shared.push({ bytes, view });
    // What is appended all the same must not reach the next writer.
    this.bytes = EMPTY;
    this.length = 0;
    return out;
  }
}

/** Printable ASCII bytes as text. */
const asciiText = (bytes: Uint8Array, from: number, to: number): string =>
  nativeText ? nativeText.call(bytes, from, to) : decoder.decode(bytes.subarray(from, to));

/**
 * Texts of up to so many characters are looked up among those read before: chain ids, methods and paths are the same in most
 * entries, and one string for all of them is made and compared at no cost.
 */
const MAX_KNOWN_CHARS = 24;
const KNOWN_TEXTS = 256;
const knownTexts = new Array<string>(KNOWN_TEXTS).fill('');

/** As `asciiText`, for 1 to MAX_KNOWN_CHARS bytes. */
function knownText(bytes: Uint8Array, from: number, to: number): string {
  const place =
    (7 * bytes[from]! + 31 * bytes[to - 1]! + 5 * bytes[(from + to) >> 1]! + to - from) % KNOWN_TEXTS;
  const known = knownTexts[place]!;
  if (known.length === to - from) {
    let i = 0;
    while (i < known.length && known.charCodeAt(i) === bytes[from + i]) i++;
    if (i === known.length) return known;
  }
  const text = asciiText(bytes, from, to);
  knownTexts[place] = text;
  return text;
}

/** Reads little-endian values. Past the end it returns zeros and stays `failed`. */
export class ByteReader {
  failed = false;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

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
    return at < 0 ? 0 : this.bytes[at]!;
  }

  u16(): number {
    const at = this.take(2);
    return at < 0 ? 0 : this.bytes[at]! | (this.bytes[at + 1]! << 8);
  }

  u32(): number {
    const at = this.take(4);
    return at < 0 ? 0 : this.word(at);
  }

  private word(at: number): number {
    const { bytes } = this;
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }

  /** A u64 that must be below 2^53; anything larger fails. */
  u64(): number {
    const at = this.take(8);
    if (at < 0) return 0;
    const high = this.word(at + 4);
    if (high >= 0x20_0000) {
      this.failed = true;
      return 0;
    }
    return high * 0x1_0000_0000 + this.word(at);
  }

  /** The next bytes, as a view into the input; empty when failed. */
  raw(count: number): Uint8Array {
    const at = this.take(count);
    return at < 0 ? EMPTY : this.bytes.subarray(at, at + count);
  }

  /** u16 length and printable ASCII; any other byte fails. */
  ascii16(): string {
    const from = this.take(this.u16());
    if (from < 0) return '';
    const { bytes, at: to } = this;
    for (let i = from; i < to; i++) {
      const code = bytes[i]!;
      if (code < 0x20 || code > 0x7e) {
        this.failed = true;
        return '';
      }
    }
    if (to === from) return '';
    return to - from <= MAX_KNOWN_CHARS ? knownText(bytes, from, to) : asciiText(bytes, from, to);
  }
}

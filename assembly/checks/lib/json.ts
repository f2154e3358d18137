// JSON (RFC 8259), strictly: read once into nodes in the order of the text. Strings are unescaped; numbers stay text.
// Keeps: linear time; nothing nested deeper than 64; a member that occurs twice, half a surrogate pair and invalid UTF-8
// are refused, since readers differ in what they make of them.

import { countChars, encode } from './utf8';

export const NULL: u32 = 1;
export const FALSE: u32 = 2;
export const TRUE: u32 = 3;
export const NUMBER: u32 = 4;
export const STRING: u32 = 5;
export const ARRAY: u32 = 6;
export const OBJECT: u32 = 7;

const MAX_DEPTH: u32 = 64;
const MAX_NODES: u32 = 131_072;
const NODE: usize = 20;
/** A byte in each of eight. */
const ONES: u64 = ((<u64>0x01010101) << 32) | 0x01010101;
const HIGH_BITS: u64 = ONES << 7;

/** True if two texts have the same bytes. */
export function isSame(a: usize, aBytes: u32, b: usize, bBytes: u32): bool {
  if (aBytes != bBytes) return false;
  const end = a + aBytes;
  for (; a + 8 <= end; a += 8, b += 8) if (load<u64>(a) != load<u64>(b)) return false;
  for (; a < end; a++, b++) if (load<u8>(a) != load<u8>(b)) return false;
  return true;
}

/** A step of the hash; its upper half gets into the lower, which chooses the place. */
function fold(hash: u64): u64 {
  hash *= 0x100000001b3;
  return hash ^ (hash >> 29);
}

/** By bit 7 of each byte: those of eight that end a plain part of a JSON string: quote, backslash, control. */
function stops(x: u64): u64 {
  const quote = x ^ (ONES * 0x22);
  const slash = x ^ (ONES * 0x5c);
  const controls = (x - ONES * 0x20) & ~x;
  return (controls | ((quote - ONES) & ~quote) | ((slash - ONES) & ~slash)) & HIGH_BITS;
}

/**
 * A text as nodes of 20 bytes: kind; address and length of its text, of a string unescaped; the next node that is not
 * inside; elements or members. The members of an object are its keys, each followed by its value.
 */
export class Json {
  private nodes: usize = 0;
  private count: u32 = 0;
  private at: usize;
  private end: usize;
  /** Why it is no JSON; empty: it is. */
  fault: string = '';

  constructor(at: usize, bytes: u32) {
    this.at = at;
    this.end = at + bytes;
    if (countChars(at, bytes) < 0) this.fault = 'not UTF-8';
    else this.read();
  }

  kind(node: u32): u32 {
    return load<u32>(this.nodes + NODE * node);
  }
  text(node: u32): usize {
    return load<u32>(this.nodes + NODE * node, 4);
  }
  bytes(node: u32): u32 {
    return load<u32>(this.nodes + NODE * node, 8);
  }
  next(node: u32): u32 {
    return load<u32>(this.nodes + NODE * node, 12);
  }
  /** Elements of an array, members of an object. */
  size(node: u32): u32 {
    return load<u32>(this.nodes + NODE * node, 16);
  }

  /** True if a string node holds that ASCII text. */
  is(node: u32, text: string): bool {
    const bytes = this.bytes(node);
    if (bytes != <u32>text.length) return false;
    const at = this.text(node);
    // A text of the source has two bytes for each character.
    const own = changetype<usize>(text);
    for (let i: usize = 0; i < bytes; i++) if (load<u8>(at + i) != load<u8>(own + (i << 1))) return false;
    return true;
  }

  /** The value of a member of an object; 0, which is the root, if there is none. */
  member(object: u32, name: string): u32 {
    const bytes = <u32>name.length;
    let node = object + 1;
    for (let n = this.size(object); n > 0; n--) {
      if (this.bytes(node) == bytes && this.is(node, name)) return node + 1;
      node = this.next(node + 1);
    }
    return 0;
  }

  /** As `member`, with a name in memory. */
  memberAt(object: u32, name: usize, bytes: u32): u32 {
    let node = object + 1;
    for (let n = this.size(object); n > 0; n--) {
      if (isSame(this.text(node), this.bytes(node), name, bytes)) return node + 1;
      node = this.next(node + 1);
    }
    return 0;
  }

  // --- reading --------------------------------------------------------------------------------------------------

  private read(): void {
    // With its separator, or the end of its list, a value has two bytes at least; lists that have no end yet lack one.
    const most = min<u32>(<u32>(this.end - this.at) / 2 + MAX_DEPTH + 1, MAX_NODES);
    this.nodes = heap.alloc(NODE * most);
    this.value(0);
    this.space();
    if (this.fault.length == 0 && this.at < this.end) this.fault = 'text behind the value';
  }

  private peek(): u32 {
    return this.at < this.end ? load<u8>(this.at) : 0;
  }

  private space(): void {
    const end = this.end;
    let at = this.at;
    for (; at < end; at++) {
      const b = load<u8>(at);
      if (b > 32 || (b != 32 && b != 10 && b != 13 && b != 9)) break;
    }
    this.at = at;
  }

  private add(kind: u32): u32 {
    const node = this.count++;
    const row = this.nodes + NODE * node;
    store<u32>(row, kind);
    store<u32>(row, this.at, 4);
    store<u32>(row, 0, 8);
    store<u32>(row, node + 1, 12);
    store<u32>(row, 0, 16);
    return node;
  }

  private close(node: u32, size: u32): void {
    const row = this.nodes + NODE * node;
    store<u32>(row, <u32>(this.at - this.text(node)), 8);
    store<u32>(row, this.count, 12);
    store<u32>(row, size, 16);
  }

  private value(depth: u32): void {
    this.space();
    if (this.count >= MAX_NODES) {
      this.fault = 'more than 131,072 values';
      return;
    }
    const b = this.peek();
    if (b == 0x7b || b == 0x5b) {
      if (depth >= MAX_DEPTH) this.fault = 'nested deeper than 64';
      else this.list(depth, b == 0x7b);
    } else if (b == 0x22) this.string();
    else if (b == 0x2d || (b >= 0x30 && b <= 0x39)) this.number();
    else if (b == 0x6e) this.word(NULL, 'null');
    else if (b == 0x66) this.word(FALSE, 'false');
    else if (b == 0x74) this.word(TRUE, 'true');
    else this.fault = 'no value where one must be';
  }

  private list(depth: u32, isObject: bool): void {
    const node = this.add(isObject ? OBJECT : ARRAY);
    const close: u32 = isObject ? 0x7d : 0x5d;
    let size: u32 = 0;
    this.at++;
    this.space();
    if (this.peek() != close) {
      for (;;) {
        if (isObject && !this.key()) return;
        this.value(depth + 1);
        if (this.fault.length > 0) return;
        size++;
        this.space();
        if (this.peek() != 0x2c) break;
        this.at++;
      }
    }
    if (this.peek() != close) {
      this.fault = 'a list is not closed';
      return;
    }
    this.at++;
    this.close(node, size);
    if (isObject && size > 1) this.refuseTwice(node, size);
  }

  private key(): bool {
    this.space();
    if (this.peek() != 0x22) this.fault = 'a member has no name';
    else if (this.count >= MAX_NODES) this.fault = 'more than 131,072 values';
    else this.string();
    if (this.fault.length > 0) return false;
    this.space();
    if (this.peek() != 0x3a) {
      this.fault = 'a member has no value';
      return false;
    }
    this.at++;
    return true;
  }

  // Few names are compared with each other; of many, a hash table is made, at most half full.
  private refuseTwice(object: u32, size: u32): void {
    if (size > 8) {
      this.refuseAmongMany(object, size);
      return;
    }
    let node = object + 1;
    for (let n: u32 = 1; n < size; n++) {
      node = this.next(node + 1);
      const name = this.text(node);
      const bytes = this.bytes(node);
      let other = object + 1;
      for (; other < node; other = this.next(other + 1)) {
        if (!isSame(this.text(other), this.bytes(other), name, bytes)) continue;
        this.fault = 'a member occurs twice';
        return;
      }
    }
  }

  private refuseAmongMany(object: u32, size: u32): void {
    let slots: u32 = 4;
    while (slots < 2 * size) slots <<= 1;
    const table = heap.alloc(4 * <usize>slots);
    memory.fill(table, 0, 4 * <usize>slots);
    let node = object + 1;
    for (; size > 0; size--) {
      // FNV-1a, eight bytes at a time; what is left is shorter.
      let hash: u64 = ((<u64>0xcbf29ce4) << 32) | 0x84222325;
      const name = this.text(node);
      const bytes = this.bytes(node);
      let i: u32 = 0;
      for (; i + 8 <= bytes; i += 8) hash = fold(hash ^ load<u64>(name + i));
      for (; i < bytes; i++) hash = fold(hash ^ load<u8>(name + i));
      let slot = <u32>hash & (slots - 1);
      for (let other = load<u32>(table + 4 * slot); other != 0; other = load<u32>(table + 4 * slot)) {
        if (isSame(this.text(other), this.bytes(other), name, bytes)) {
          this.fault = 'a member occurs twice';
          return;
        }
        slot = (slot + 1) & (slots - 1);
      }
      store<u32>(table + 4 * slot, node);
      node = this.next(node + 1);
    }
  }

  private word(kind: u32, text: string): void {
    const node = this.add(kind);
    for (let i = 0; i < text.length; i++, this.at++) {
      if (this.peek() == <u32>text.charCodeAt(i)) continue;
      this.fault = 'no value where one must be';
      return;
    }
    this.close(node, 0);
  }

  private digits(): bool {
    const from = this.at;
    const end = this.end;
    let at = from;
    while (at < end && <u32>load<u8>(at) - 0x30 < 10) at++;
    this.at = at;
    return at > from;
  }

  private number(): void {
    const node = this.add(NUMBER);
    if (this.peek() == 0x2d) this.at++;
    const isZero = this.peek() == 0x30;
    const from = this.at;
    let isGood = this.digits() && !(isZero && this.at > from + 1);
    if (this.peek() == 0x2e) {
      this.at++;
      isGood = this.digits() && isGood;
    }
    if ((this.peek() | 32) == 0x65) {
      this.at++;
      if (this.peek() == 0x2b || this.peek() == 0x2d) this.at++;
      isGood = this.digits() && isGood;
    }
    if (!isGood) this.fault = 'a number is malformed';
    this.close(node, 0);
  }

  private string(): void {
    const node = this.add(STRING);
    const from = this.at + 1;
    const end = this.end;
    let at = from;
    let isEscaped = false;
    for (; ; at++) {
      while (at + 8 <= end) {
        const found = stops(load<u64>(at));
        if (found == 0) {
          at += 8;
          continue;
        }
        // The lowest that is marked is one; those above it may be marked by its borrow.
        at += <usize>(ctz(found) >> 3);
        break;
      }
      const b: u32 = at < end ? load<u8>(at) : 0;
      if (b < 32) {
        this.at = at;
        this.fault = 'a string is not closed';
        return;
      }
      if (b == 0x22) break;
      if (b == 0x5c) {
        isEscaped = true;
        at++;
      }
    }
    this.at = at + 1;
    const row = this.nodes + NODE * node;
    const bytes = <u32>(at - from);
    store<u32>(row, from, 4);
    store<u32>(row, bytes, 8);
    if (isEscaped) this.unescape(row, from, bytes);
  }

  private hex4(at: usize, end: usize): u32 {
    let value: u32 = 0;
    if (at + 4 > end) return 0xffffffff;
    for (let i = 0; i < 4; i++) {
      const b = <u32>load<u8>(at + i);
      const low = b | 32;
      if (b >= 0x30 && b <= 0x39) value = (value << 4) | (b - 0x30);
      else if (low >= 0x61 && low <= 0x66) value = (value << 4) | (low - 0x57);
      else return 0xffffffff;
    }
    return value;
  }

  // No escape is shorter than what it stands for.
  private unescape(row: usize, from: usize, bytes: u32): void {
    const end = from + bytes;
    const to = heap.alloc(<usize>bytes);
    let out = to;
    while (from < end) {
      const b = load<u8>(from++);
      if (b != 0x5c) {
        store<u8>(out++, b);
        continue;
      }
      const mark = load<u8>(from++);
      let code: u32 = mark;
      if (mark == 0x62) code = 8;
      else if (mark == 0x74) code = 9;
      else if (mark == 0x6e) code = 10;
      else if (mark == 0x66) code = 12;
      else if (mark == 0x72) code = 13;
      else if (mark == 0x75) {
        code = this.hex4(from, end);
        from += 4;
        if (code >= 0xd800 && code < 0xdc00) {
          const isPair = from + 6 <= end && load<u8>(from) == 0x5c && load<u8>(from, 1) == 0x75;
          const low = isPair ? this.hex4(from + 2, end) - 0xdc00 : 0xffffffff;
          code = low < 0x400 ? 0x10000 + ((code - 0xd800) << 10) + low : 0xffffffff;
          from += 6;
        } else if (code >= 0xdc00 && code < 0xe000) code = 0xffffffff;
      } else if (mark != 0x22 && mark != 0x5c && mark != 0x2f) code = 0xffffffff;
      if (code == 0xffffffff) {
        this.fault = 'an escape is malformed';
        return;
      }
      out += encode(code, out);
    }
    store<u32>(row, <u32>to, 4);
    store<u32>(row, <u32>(out - to), 8);
  }
}

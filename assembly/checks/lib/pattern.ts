// A regular expression as a program for the matcher (Thompson's construction).
//
//   .            any character but a line feed       \d \w \s     digit; letter, digit or _; white space; ASCII only
//   [a-z] [^a]   classes                             \D \W \S     the others
//   ( ) (?: )    groups, both without memory         \n \r \t     line feed, carriage return, tab
//   |            or                                  \uHHHH \u{H} a character by its number
//   * + ? {n} {n,} {n,m}   repetition, n and m up to 1,000     ^ $   beginning and end of the text
//   \ before any other ASCII character that is neither letter nor digit: that character
//
// Keeps: at most 4,096 instructions, so matching is linear in the text. No references, no looking around, no lazy forms:
// they change what is captured or cannot be matched in linear time.

import { decode, sizeAt } from './utf8';

export const CHAR: u32 = 1;
export const ANY: u32 = 2;
/** `a`: the first range in `ranges`, `b`: how many. */
export const CLASS: u32 = 3;
export const NOT_CLASS: u32 = 4;
/** Goes on at `a` and at `b`. */
export const SPLIT: u32 = 5;
export const JUMP: u32 = 6;
export const BEGIN: u32 = 7;
export const END: u32 = 8;
export const MATCH: u32 = 9;

const MAX_INSTRUCTIONS: u32 = 4096;
const MAX_RANGES: u32 = 4096;
const MAX_REPEAT: u32 = 1000;
const MAX_DEPTH: u32 = 32;
const ROW: usize = 12;
const NOTHING: u32 = u32.MAX_VALUE;

export class Pattern {
  /** Rows of op, a, b. */
  private code: usize = heap.alloc(ROW * MAX_INSTRUCTIONS);
  count: u32 = 0;
  /** Pairs of the first and last character. */
  private ranges: usize = heap.alloc(8 * MAX_RANGES);
  private rangeCount: u32 = 0;
  private at: usize;
  private end: usize;
  fault: string = '';

  constructor(at: usize, bytes: u32) {
    this.at = at;
    this.end = at + bytes;
    this.choice(0);
    if (this.fault.length == 0 && this.at < this.end) this.fault = 'a ) without its (';
    this.emit(MATCH, 0, 0);
  }

  op(pc: u32): u32 {
    return load<u32>(this.code + ROW * pc);
  }
  a(pc: u32): u32 {
    return load<u32>(this.code + ROW * pc, 4);
  }
  b(pc: u32): u32 {
    return load<u32>(this.code + ROW * pc, 8);
  }

  /** True if an instruction takes that character. */
  takes(pc: u32, char: u32): bool {
    const op = this.op(pc);
    const a = this.a(pc);
    if (op == CHAR) return a == char;
    if (op == ANY) return char != 10;
    const end = this.ranges + 8 * (a + this.b(pc));
    for (let row = this.ranges + 8 * a; row < end; row += 8) {
      if (char >= load<u32>(row) && char <= load<u32>(row, 4)) return op == CLASS;
    }
    return op == NOT_CLASS;
  }

  // --- code -----------------------------------------------------------------------------------------------------

  private emit(op: u32, a: u32, b: u32): u32 {
    if (this.count >= MAX_INSTRUCTIONS) {
      this.fault = 'too long once repetitions are written out';
      return 0;
    }
    this.set(this.count, op, a, b);
    return this.count++;
  }

  private set(pc: u32, op: u32, a: u32, b: u32): void {
    const row = this.code + ROW * pc;
    store<u32>(row, op);
    store<u32>(row, a, 4);
    store<u32>(row, b, 8);
  }

  /** Makes room for one instruction at `pc`: what lies behind moves on. */
  private insert(pc: u32): void {
    this.emit(JUMP, 0, 0);
    if (this.fault.length > 0) return;
    for (let i = this.count - 1; i > pc; i--) this.copy(i - 1, i, 1, pc);
  }

  /** Copies an instruction; where it goes moves by `by` if that lies at or behind `from`. */
  private copy(pc: u32, to: u32, by: u32, from: u32): void {
    const op = this.op(pc);
    const isFlow = op == SPLIT || op == JUMP;
    const a = this.a(pc);
    const b = this.b(pc);
    this.set(to, op, isFlow && a >= from ? a + by : a, op == SPLIT && b >= from ? b + by : b);
  }

  private range(first: u32, last: u32): void {
    if (this.rangeCount >= MAX_RANGES) {
      this.fault = 'too many classes';
      return;
    }
    store<u32>(this.ranges + 8 * this.rangeCount, first);
    store<u32>(this.ranges + 8 * this.rangeCount++, last, 4);
  }

  // --- syntax ---------------------------------------------------------------------------------------------------

  private peek(): u32 {
    return this.at < this.end ? decode(this.at, this.end) : NOTHING;
  }
  private next(): u32 {
    const char = this.peek();
    if (char != NOTHING) this.at += sizeAt(this.at);
    return char;
  }
  private eat(char: u32): bool {
    if (this.peek() != char) return false;
    this.next();
    return true;
  }

  private choice(depth: u32): void {
    if (depth > MAX_DEPTH) {
      this.fault = 'groups nested deeper than 32';
      return;
    }
    // split first, others; first; jump end; others. The jumps are chained until the end is known.
    let last = NOTHING;
    let begin = this.count;
    this.sequence(depth);
    while (this.fault.length == 0 && this.eat(0x7c)) {
      this.insert(begin);
      last = this.emit(JUMP, last, 0);
      this.set(begin, SPLIT, begin + 1, this.count);
      begin = this.count;
      this.sequence(depth);
    }
    while (last != NOTHING && this.fault.length == 0) {
      const before = this.a(last);
      this.set(last, JUMP, this.count, 0);
      last = before;
    }
  }

  private sequence(depth: u32): void {
    while (this.fault.length == 0) {
      const char = this.peek();
      if (char == NOTHING || char == 0x7c || char == 0x29) return;
      const begin = this.count;
      this.atom(depth);
      if (this.fault.length == 0) this.repeat(begin);
    }
  }

  private atom(depth: u32): void {
    const char = this.next();
    if (char == 0x28) {
      if (this.eat(0x3f) && !this.eat(0x3a)) this.fault = 'of groups with ? there is only (?:';
      this.choice(depth + 1);
      if (this.fault.length == 0 && !this.eat(0x29)) this.fault = 'a ( without its )';
    } else if (char == 0x2e) this.emit(ANY, 0, 0);
    else if (char == 0x5e) this.emit(BEGIN, 0, 0);
    else if (char == 0x24) this.emit(END, 0, 0);
    else if (char == 0x5b) this.class();
    else if (char == 0x5c) this.escape();
    else if (char == 0x2a || char == 0x2b || char == 0x3f) this.fault = 'a repetition of nothing';
    else if (char == 0x7b || char == 0x7d || char == 0x5d) this.fault = '{, } and ] need a backslash';
    else this.emit(CHAR, char, 0);
  }

  private escape(): void {
    const first = this.rangeCount;
    const char = this.escaped();
    if (this.fault.length > 0) return;
    if (char != NOTHING) this.emit(CHAR, char, 0);
    else this.emit(CLASS, first, this.rangeCount - first);
  }

  /** The character behind a backslash; of a class, its ranges are added and NOTHING is answered. */
  private escaped(): u32 {
    const char = this.next();
    if (char == 0x6e) return 10;
    if (char == 0x72) return 13;
    if (char == 0x74) return 9;
    if (char == 0x75) return this.byNumber();
    const lower = char | 32;
    const isLetter = lower >= 0x61 && lower <= 0x7a;
    if (char < 0x80 && !isLetter && !(char >= 0x30 && char <= 0x39)) return char;
    const isOther = char == 0x44 || char == 0x57 || char == 0x53;
    if (char == 0x64 || char == 0x44) this.named('\x30\x39', isOther);
    else if (char == 0x77 || char == 0x57) this.named('\x30\x39\x41\x5a\x5f\x5f\x61\x7a', isOther);
    else if (char == 0x73 || char == 0x53) this.named('\x09\x0d\x20\x20', isOther);
    else this.fault = 'an unknown escape';
    return NOTHING;
  }

  /** Adds rising ranges given as pairs, or all that is between them. */
  private named(pairs: string, isOther: bool): void {
    let from: u32 = 0;
    for (let i = 0; i < pairs.length; i += 2) {
      const first = pairs.charCodeAt(i);
      const last = pairs.charCodeAt(i + 1);
      if (isOther) this.range(from, first - 1);
      else this.range(first, last);
      from = last + 1;
    }
    if (isOther) this.range(from, 0x10ffff);
  }

  private byNumber(): u32 {
    const isBraced = this.eat(0x7b);
    let value: u32 = 0;
    let digits = 0;
    const most = isBraced ? 6 : 4;
    for (; digits < most; digits++) {
      const char = this.peek();
      const low = char | 32;
      if (char >= 0x30 && char <= 0x39) value = (value << 4) | (char - 0x30);
      else if (low >= 0x61 && low <= 0x66 && char < 0x80) value = (value << 4) | (low - 0x57);
      else break;
      this.next();
    }
    const isWhole = isBraced ? digits > 0 && this.eat(0x7d) : digits == 4;
    if (!isWhole || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) this.fault = 'a malformed \\u';
    return value;
  }

  private class(): void {
    const first = this.rangeCount;
    const isNot = this.eat(0x5e);
    while (this.fault.length == 0 && !this.eat(0x5d)) {
      let low = this.next();
      if (low == NOTHING) this.fault = 'a [ without its ]';
      else if (low == 0x5b) this.fault = 'a [ in a class needs a backslash';
      else if (low == 0x5c) low = this.escaped();
      if (low == NOTHING || this.fault.length > 0) continue;
      let high = low;
      if (this.peek() == 0x2d && this.at + 1 < this.end && load<u8>(this.at, 1) != 0x5d) {
        this.next();
        high = this.next();
        if (high == 0x5c) high = this.escaped();
        if (high == NOTHING || high < low) this.fault = 'a range that is none';
      }
      this.range(low, high);
    }
    this.emit(isNot ? NOT_CLASS : CLASS, first, this.rangeCount - first);
  }

  // --- repetition -----------------------------------------------------------------------------------------------

  private repeat(begin: u32): void {
    const char = this.peek();
    let least: u32 = 0;
    let most: u32 = NOTHING;
    if (char == 0x2b) least = 1;
    else if (char == 0x3f) most = 1;
    else if (char != 0x2a && char != 0x7b) return;
    this.next();
    if (char == 0x7b) {
      least = this.number();
      most = least;
      if (this.eat(0x2c)) most = this.peek() == 0x7d ? NOTHING : this.number();
      if (!this.eat(0x7d) || least > most) this.fault = 'a malformed {n,m}';
    }
    const after = this.peek();
    if (after == 0x2a || after == 0x2b || after == 0x3f || after == 0x7b)
      this.fault = 'two repetitions in a row';
    if (this.fault.length == 0) this.write(begin, least, most);
  }

  private number(): u32 {
    let value: u32 = 0;
    const from = this.at;
    for (; this.peek() - 0x30 < 10 && value <= MAX_REPEAT; this.next())
      value = 10 * value + this.peek() - 0x30;
    if (this.at == from || value > MAX_REPEAT) this.fault = 'a malformed {n,m}';
    return value;
  }

  /** Appends a copy of the code between `begin` and `end`. */
  private again(begin: u32, end: u32): void {
    const by = this.count - begin;
    for (let pc = begin; pc < end && this.fault.length == 0; pc++)
      this.copy(pc, this.emit(JUMP, 0, 0), by, begin);
  }

  /** What was written since `begin` once becomes that many times. */
  private write(begin: u32, least: u32, most: u32): void {
    const end = this.count;
    const length = end - begin;
    if (most == 0) {
      this.count = begin;
      return;
    }
    if (least == 0) {
      // split body, end; body; for * back to the split
      this.insert(begin);
      if (most == NOTHING) this.emit(JUMP, begin, 0);
      const inner = begin + 1;
      for (let n: u32 = 1; most != NOTHING && n < most && this.fault.length == 0; n++) {
        this.emit(SPLIT, this.count + 1, NOTHING);
        const to = this.count;
        for (let i: u32 = 0; i < length && this.fault.length == 0; i++)
          this.copy(inner + i, this.emit(JUMP, 0, 0), to - inner, inner);
      }
      this.set(begin, SPLIT, inner, NOTHING);
      this.close(begin);
      return;
    }
    for (let n: u32 = 1; n < least; n++) this.again(begin, end);
    if (most == NOTHING) this.emit(SPLIT, this.count - length, this.count + 1);
    const optional = this.count;
    for (let n = least; most != NOTHING && n < most && this.fault.length == 0; n++) {
      const to = this.emit(SPLIT, this.count + 1, NOTHING) + 1;
      for (let pc = begin; pc < end && this.fault.length == 0; pc++)
        this.copy(pc, this.emit(JUMP, 0, 0), to - begin, begin);
    }
    this.close(optional);
  }

  /** Splits that were to lead to the end of a repetition lead here. */
  private close(from: u32): void {
    for (let pc = from; pc < this.count; pc++) {
      if (this.op(pc) == SPLIT && this.b(pc) == NOTHING) this.set(pc, SPLIT, this.a(pc), this.count);
    }
  }
}

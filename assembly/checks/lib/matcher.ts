// Runs a pattern over a text: all states at once (Thompson, Pike), each at most once for each character.
// Keeps: no state is followed twice at a place, so loops of empty parts end, and time is linear.

import { BEGIN, END, JUMP, MATCH, Pattern, SPLIT } from './pattern';
import { decode, sizeAt } from './utf8';

export class Matcher {
  private pattern: Pattern;
  private now: usize;
  private nowCount: u32 = 0;
  private after: usize;
  private afterCount: u32 = 0;
  /** By instruction: the place for which it was last listed. */
  private seen: usize;
  private stack: usize;
  private mark: u32 = 0;
  private isMatch: bool = false;

  constructor(pattern: Pattern) {
    const bytes: usize = (<usize>pattern.count) << 2;
    this.pattern = pattern;
    this.now = heap.alloc(bytes);
    this.after = heap.alloc(bytes);
    this.seen = heap.alloc(bytes);
    this.stack = heap.alloc(2 * bytes);
    memory.fill(this.seen, 0, bytes);
  }

  // Lists what takes a character and is reached from `start` without one.
  private follow(start: u32, isBegin: bool, isEnd: bool): void {
    const pattern = this.pattern;
    let depth: u32 = 1;
    store<u32>(this.stack, start);
    while (depth > 0) {
      const pc = load<u32>(this.stack + 4 * --depth);
      if (load<u32>(this.seen + 4 * pc) == this.mark) continue;
      store<u32>(this.seen + 4 * pc, this.mark);
      const op = pattern.op(pc);
      if (op == SPLIT) store<u32>(this.stack + 4 * depth++, pattern.b(pc));
      if (op == SPLIT || op == JUMP) store<u32>(this.stack + 4 * depth++, pattern.a(pc));
      else if ((op == BEGIN && isBegin) || (op == END && isEnd)) store<u32>(this.stack + 4 * depth++, pc + 1);
      else if (op == MATCH) this.isMatch = true;
      else if (op != BEGIN && op != END) store<u32>(this.after + 4 * this.afterCount++, pc);
    }
  }

  private turn(): void {
    const list = this.now;
    this.now = this.after;
    this.nowCount = this.afterCount;
    this.after = list;
    this.afterCount = 0;
    this.mark++;
    this.isMatch = false;
  }

  /** True if the text, which is UTF-8, matches as a whole, or with `isSearch` some part of it. */
  matches(from: usize, end: usize, isSearch: bool): bool {
    const pattern = this.pattern;
    this.afterCount = 0;
    this.turn();
    this.nowCount = 0;
    this.follow(0, true, from == end);
    for (let at = from; at < end; ) {
      if (isSearch && this.isMatch) return true;
      this.turn();
      if (this.nowCount == 0) return false;
      const char = decode(at, end);
      at += sizeAt(at);
      for (let i: u32 = 0; i < this.nowCount; i++) {
        const pc = load<u32>(this.now + 4 * i);
        if (pattern.takes(pc, char)) this.follow(pc + 1, false, at == end);
      }
      if (isSearch) this.follow(0, false, at == end);
    }
    return this.isMatch;
  }
}

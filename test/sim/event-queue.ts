// Simulated time: callbacks by time, and by order of scheduling where times are equal.

interface Entry {
  atMs: number;
  turn: number;
  run: () => void;
  isCancelled: boolean;
}

const isBefore = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn);

export class EventQueue {
  #turns = 0;
  readonly #heap: Entry[] = [];

  constructor(public nowMs = 0) {}

  /** Schedules `run`; the result cancels it. A time that is past means now. */
  after(ms: number, run: () => void): () => void {
    const entry = { atMs: this.nowMs + Math.max(0, ms), turn: this.#turns++, run, isCancelled: false };
    this.#push(entry);
    return () => {
      entry.isCancelled = true;
    };
  }

  /** The next callback that is due until this time, which is its time now; undefined: there is none, and the end is now. */
  take(endMs: number): (() => void) | undefined {
    for (let next = this.#heap[0]; next && next.atMs <= endMs; next = this.#heap[0]) {
      this.#pop();
      if (next.isCancelled) continue;
      this.nowMs = next.atMs;
      return next.run;
    }
    this.nowMs = endMs;
    return undefined;
  }

  /** Runs everything due until this time. */
  runUntil(endMs: number): void {
    for (let run = this.take(endMs); run; run = this.take(endMs)) run();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isBefore(entry, heap[up]!)) break;
      heap[at] = heap[up]!;
      at = up;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

// Simulated time: callbacks by time, and by order of scheduling where times are equal.

interface Entry {
  atMs: number;
  turn: number;
  run: () => void;
}

const isBefore = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn);

export class EventQueue {
  nowMs = 0;
  private turns = 0;
  private readonly heap: Entry[] = [];

  after(ms: number, run: () => void): void {
    const { heap } = this;
    const entry = { atMs: this.nowMs + ms, turn: this.turns++, run };
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

  /** Runs everything due until this time. */
  runUntil(endMs: number): void {
    while (this.heap.length > 0 && this.heap[0]!.atMs <= endMs) {
      const entry = this.pop();
      this.nowMs = entry.atMs;
      entry.run();
    }
    this.nowMs = endMs;
  }

  private pop(): Entry {
    const { heap } = this;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return top;
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
    return top;
  }
}

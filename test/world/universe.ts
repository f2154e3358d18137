// Simulated time for everything that happens in a run: one queue of callbacks, by time and then by order of scheduling.
// Keeps: nothing here or above reads a real clock; between two callbacks every promise that can settle has settled, so a
// run is a function of its seed.

import { Dice } from '../model/consensus/random-dag.ts';

interface Entry {
  atMs: number;
  turn: number;
  run: () => void;
  isCancelled: boolean;
}

const isBefore = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn);

/** Lets every promise settle that needs nothing but other promises. */
const settle = (): Promise<void> => new Promise((next) => setImmediate(next));

export class Universe {
  /** True time, Unix milliseconds. Machines' clocks differ from it. */
  nowMs = 1_800_000_000_000;
  /** Callbacks that ran. */
  steps = 0;
  readonly dice: Dice;
  readonly #heap: Entry[] = [];
  #turns = 0;

  constructor(readonly seed: number) {
    this.dice = new Dice(seed);
  }

  /** Runs `run` after `ms`; the result cancels it. */
  after(ms: number, run: () => void): () => void {
    const entry = { atMs: this.nowMs + Math.max(0, ms), turn: this.#turns++, run, isCancelled: false };
    this.#push(entry);
    return () => {
      entry.isCancelled = true;
    };
  }

  /** Resolves after `ms`. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Runs what is due until `ms` from now, or until `isDone`; true when that came first. */
  async run(ms: number, isDone: () => boolean = () => false): Promise<boolean> {
    const endMs = this.nowMs + ms;
    await settle();
    while (!isDone()) {
      const next = this.#heap[0];
      if (!next || next.atMs > endMs) {
        this.nowMs = endMs;
        return isDone();
      }
      this.#pop();
      if (next.isCancelled) continue;
      this.nowMs = next.atMs;
      this.steps += 1;
      next.run();
      await settle();
    }
    return true;
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

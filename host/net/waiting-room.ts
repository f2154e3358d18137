// What peers sent too early to be of use, for each sender and in all: vertices whose parents are missing, vertices of the next
// epoch, signatures of checkpoints to come.
// Keeps: a full room lets go what is highest, so that the lowest, which is of use first, can always come in; what one sender
// sent pushes out its own only, or that of the sender that takes most.

import type { Bound, SenderLoad } from './sender-load.ts';

export interface Waiting {
  /** Bytes. */
  length: number;
  /** Who sent it. */
  from: string;
  /** Lamport number of a vertex, height of a checkpoint. */
  height: number;
}

export class WaitingRoom<T extends Waiting> {
  readonly #bySender = new Map<string, Set<T>>();

  constructor(private readonly load: SenderLoad) {}

  get all(): Readonly<Bound> {
    return this.load.all;
  }

  /** Adds one; those that found no room then, which may be this one. */
  add(item: T): T[] {
    const { from, length } = item;
    const out: T[] = [];
    while (!this.load.hasRoom(from, length)) {
      const sender = this.load.isFull(from, length) ? from : this.load.fullest;
      const highest = this.#highestOf(sender);
      if (!highest || (sender === from && highest.height <= item.height)) {
        return [...out, item];
      }
      this.remove(highest);
      out.push(highest);
    }
    this.load.add(from, length);
    const own = this.#bySender.get(from);
    if (own) own.add(item);
    else this.#bySender.set(from, new Set([item]));
    return out;
  }

  remove(item: T): void {
    const own = this.#bySender.get(item.from);
    if (!own?.delete(item)) return;
    if (own.size === 0) this.#bySender.delete(item.from);
    this.load.remove(item.from, item.length);
  }

  clear(): void {
    this.#bySender.clear();
    this.load.clear();
  }

  #highestOf(sender: string | undefined): T | undefined {
    let highest: T | undefined;
    for (const item of this.#bySender.get(sender ?? '') ?? []) {
      if (!highest || item.height > highest.height) highest = item;
    }
    return highest;
  }
}

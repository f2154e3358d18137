// Vertices whose parents are missing, for each sender and in all.
// Keeps: a full room lets go what is highest in the DAG, so that the lowest, for whose parents least is missing, can always
// come in; one sender's vertices push out its own only, or those of the sender that takes most.

import type { Bound, SenderLoad } from './sender-load.ts';

export interface Waiting {
  bytes: Uint8Array;
  /** Who sent it. */
  from: string;
  vertex: { header: { lamport: number } };
}

export class WaitingRoom<T extends Waiting> {
  readonly #bySender = new Map<string, Set<T>>();

  constructor(private readonly load: SenderLoad) {}

  get all(): Readonly<Bound> {
    return this.load.all;
  }

  /** Adds one; those that found no room then, which may be this one. */
  add(item: T): T[] {
    const { from, bytes } = item;
    const out: T[] = [];
    while (!this.load.hasRoom(from, bytes.length)) {
      const sender = this.load.isFull(from, bytes.length) ? from : this.load.fullest;
      const highest = this.#highestOf(sender);
      if (!highest || (sender === from && highest.vertex.header.lamport <= item.vertex.header.lamport)) {
        return [...out, item];
      }
      this.remove(highest);
      out.push(highest);
    }
    this.load.add(from, bytes.length);
    const own = this.#bySender.get(from);
    if (own) own.add(item);
    else this.#bySender.set(from, new Set([item]));
    return out;
  }

  remove(item: T): void {
    const own = this.#bySender.get(item.from);
    if (!own?.delete(item)) return;
    if (own.size === 0) this.#bySender.delete(item.from);
    this.load.remove(item.from, item.bytes.length);
  }

  clear(): void {
    this.#bySender.clear();
    this.load.clear();
  }

  #highestOf(sender: string | undefined): T | undefined {
    let highest: T | undefined;
    for (const item of this.#bySender.get(sender ?? '') ?? []) {
      if (!highest || item.vertex.header.lamport > highest.vertex.header.lamport) highest = item;
    }
    return highest;
  }
}

// Vertices that could be admitted and are held back, since their seat signs too much of no use (consensus 5.12).
// Keeps: a seat that does not fork has one vertex here, for its next ones wait for that one; what a seat that may be built on
// needs comes in, as far as it may vouch; what comes in is charged to its seat.

import type { EntryProof } from '../ordering/entry-proof.ts';
import type { Vertex } from '../wire/vertex.ts';
import type { ForkKind } from './fork-counts.ts';
import type { ForkNeeds } from './fork-needs.ts';
import type { Holding } from './holding.ts';
import { junkIn } from './junk-budget.ts';
import type { Bound } from './sender-load.ts';

export interface Holdable {
  key: string;
  vertex: Vertex;
  bytes: Uint8Array;
  proofs: readonly EntryProof[] | undefined;
  fork: ForkKind | undefined;
}

/** What was done to a seat since the start. */
export interface HeldCounts {
  held: number;
  dropped: number;
}

export class HeldVertices<T extends Holdable> {
  readonly #held = new Set<T>();
  /** By seat: let through and not admitted yet. */
  readonly #underWay = new Map<number, Bound>();
  readonly #counts = new Map<number, HeldCounts>();
  readonly all: Bound = { count: 0, bytes: 0 };

  constructor(
    private readonly holding: Holding,
    private readonly needs: ForkNeeds,
  ) {}

  /** Since the start, by seat. */
  get counts(): ReadonlyMap<number, Readonly<HeldCounts>> {
    return this.#counts;
  }

  list(): T[] {
    return [...this.#held];
  }

  /** Is a vertex of this seat held back. */
  hasOf(seat: number): boolean {
    for (const { vertex } of this.#held) if (vertex.header.creator === seat) return true;
    return false;
  }

  /** Is nothing more of this seat worth keeping, since what is here cannot come in. */
  refuses(seat: number): boolean {
    if (this.#held.size === 0 || !this.hasOf(seat) || !this.holding.isOverdrawn(seat)) return false;
    this.#countsOf(seat).dropped += 1;
    return true;
  }

  /** Lets a vertex through whose parents are there, and charges its seat; or holds it back. */
  passes(item: T): boolean {
    const { creator, entryCount } = item.vertex.header;
    const isHeavy = entryCount > 0 || item.fork === 'repeated';
    if (this.holding.holds(creator, isHeavy, this.#underWayOf(creator)) && !this.#isVouchedFor(item)) {
      this.#keep(item);
      return false;
    }
    if (this.#held.delete(item)) this.#count(this.all, item, -1);
    this.holding.charge(creator, junkIn(item.vertex, item.proofs!, item.fork === 'repeated'));
    const load = this.#underWayOf(creator);
    this.#count(load, item, 1);
    this.#underWay.set(creator, load);
    return true;
  }

  // Who builds on it answers for it: two seats together can bring in no more than each of them could.
  #isVouchedFor({ key, bytes }: T): boolean {
    const by = this.needs.voucherOf(key);
    return by !== undefined && this.holding.vouch(by, bytes.length);
  }

  #keep(item: T): void {
    if (this.#held.has(item)) return;
    this.#held.add(item);
    this.#count(this.all, item, 1);
    this.#countsOf(item.vertex.header.creator).held += 1;
  }

  /** It was let through and is admitted now, or refused. */
  admitted(item: T): void {
    const { creator } = item.vertex.header;
    const load = this.#underWayOf(creator);
    this.#count(load, item, -1);
    if (load.count === 0) this.#underWay.delete(creator);
  }

  clear(): void {
    this.#held.clear();
    this.#underWay.clear();
    this.all.count = 0;
    this.all.bytes = 0;
  }

  #underWayOf(seat: number): Bound {
    return this.#underWay.get(seat) ?? { count: 0, bytes: 0 };
  }

  #count(load: Bound, { bytes }: T, sign: 1 | -1): void {
    load.count += sign;
    load.bytes += sign * bytes.length;
  }

  #countsOf(seat: number): HeldCounts {
    const known = this.#counts.get(seat);
    if (known) return known;
    const made = { held: 0, dropped: 0 };
    this.#counts.set(seat, made);
    return made;
  }
}

// What the other seats report of themselves and of this seat's vertices since the start, unproven; and what follows for a
// seat that may have lost vertices (consensus 5.12).
// Keeps: one claim a seat, the newest; only seats of the running epoch count, by weight; the own seat never does.

import { type Epoch, includesHonest, isQuorumOf } from './epoch.ts';

/** How long unconfirmed claims of a minority are waited for, once as many others have reported as are a quorum. */
const MAX_UNCONFIRMED_MS = 60_000;
/**
 * Where fewer have: those that report less may be old copies as this store is, and the one that tells the truth may need long
 * to send all that is missing here. Not for ever: a liar would shut its neighbors where seats are linked to few others.
 */
const MAX_UNCONFIRMED_OF_FEW_MS = 600_000;
/** A seat whose link was lost for so long does not count as open any more. */
const MAX_GONE_MS = 60_000;

/** A seat's running epoch, the newest seq of this seat that it has there, and whether it may sign itself. */
export interface PeerClaim {
  epoch: number;
  seq: number;
  isOpen: boolean;
}

/** A claim with the seat that made it. */
export interface SeatClaim extends PeerClaim {
  seat: number;
}

interface Known extends SeatClaim {
  /** When the seat first reported anything. */
  sinceMs: number;
  /** When it was first known to claim more than this node has. */
  aheadMs: number | undefined;
  /** When its link was lost; undefined: it is connected. */
  goneMs: number | undefined;
}

/** What this node has: the running epoch, and the newest seq of this seat in it, 0 = none. */
export interface OwnProgress {
  epoch: Epoch;
  seq: number;
}

export class SeatClaims {
  readonly #claims = new Map<number, Known>();

  constructor(
    private readonly seat: number,
    private readonly monotonicMs: () => number,
  ) {}

  /** True when it is the seat's first one. */
  add(seat: number, claim: PeerClaim): boolean {
    if (seat === this.seat) return false;
    const { sinceMs, aheadMs } = this.#claims.get(seat) ?? {};
    const known = { sinceMs: sinceMs ?? this.monotonicMs(), aheadMs, goneMs: undefined };
    this.#claims.set(seat, { ...claim, seat, ...known });
    return sinceMs === undefined;
  }

  /** The link to a seat was lost. */
  gone(seat: number): void {
    const claim = this.#claims.get(seat);
    if (claim) claim.goneMs ??= this.monotonicMs();
  }

  get all(): SeatClaim[] {
    return [...this.#claims.values()]
      .map(({ seat, epoch, seq, isOpen }) => ({ seat, epoch, seq, isOpen }))
      .sort((a, b) => a.seat - b.seat);
  }

  get isEmpty(): boolean {
    return this.#claims.size === 0;
  }

  /** When the first of them came; Infinity without one. */
  get firstMs(): number {
    return Math.min(...[...this.#claims.values()].map(({ sinceMs }) => sinceMs));
  }

  /**
   * Do they claim more than this node has. A minority whose claims nothing here confirms may be lying: each is waited for
   * only for a time, from its first such claim on. To be called after each claim.
   */
  areAhead({ epoch, seq }: OwnProgress): boolean {
    const ahead = [...this.#claims.values()].filter(
      (claim) => claim.epoch > epoch.number || (claim.epoch === epoch.number && claim.seq > seq),
    );
    const nowMs = this.monotonicMs();
    for (const claim of ahead) claim.aheadMs ??= nowMs;
    const maxMs = this.hasQuorum(epoch) ? MAX_UNCONFIRMED_MS : MAX_UNCONFIRMED_OF_FEW_MS;
    const isRecent = ahead.some(({ aheadMs }) => nowMs - aheadMs! < maxMs);
    const seats = ahead.map(({ seat }) => seat);
    return isRecent || includesHonest(epoch, seats);
  }

  /** Has every other seat of weight reported. */
  hasAll(epoch: Epoch): boolean {
    return this.#others(epoch).every((seat) => this.#claims.has(seat));
  }

  /** Have as many others reported as are a quorum; all of them, where no quorum is possible without this seat. */
  hasQuorum(epoch: Epoch): boolean {
    const others = this.#others(epoch);
    return isQuorumOf(epoch, others) ? isQuorumOf(epoch, this.#claims.keys()) : this.hasAll(epoch);
  }

  /** Are those that have reported a quorum together with this seat. */
  makeQuorum(epoch: Epoch): boolean {
    return isQuorumOf(epoch, [this.seat, ...this.#claims.keys()]);
  }

  /** Are the seats that may sign a quorum without this one. */
  isOpenQuorum(epoch: Epoch): boolean {
    const nowMs = this.monotonicMs();
    const open = [...this.#claims.values()].filter(
      ({ isOpen, goneMs }) => isOpen && nowMs - (goneMs ?? nowMs) < MAX_GONE_MS,
    );
    return isQuorumOf(
      epoch,
      open.map(({ seat }) => seat),
    );
  }

  /** How many seats before this one are held as well. */
  get heldBefore(): number {
    return [...this.#claims.values()].filter(({ seat, isOpen }) => !isOpen && seat < this.seat).length;
  }

  /** Highest epoch that was reported and is not beyond this one. */
  newestEpoch(running: number): number {
    return Math.max(...this.all.map(({ epoch }) => epoch).filter((number) => number <= running));
  }

  #others(epoch: Epoch): number[] {
    return epoch.seats.flatMap(({ weight }, seat) => (weight > 0n && seat !== this.seat ? [seat] : []));
  }
}

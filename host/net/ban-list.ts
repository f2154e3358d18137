// What keys have done wrong: points of faults, and keys that are kept out for a while (protocol 12.8).
// Keeps: what anybody makes for nothing pushes out nothing that has a price. Keys of seats and of observers by name have places
// of their own, more than there can be such keys; new keys push out only others of their kind, and no ban before it ends.

import type { Clock } from '../world/clock.ts';
import { HANDSHAKES_AT_ONCE, HANDSHAKES_PER_SECOND } from '../world/handshake-places.ts';

const BAN_MS = 10 * 60_000;
/** Points that ban a key; one is forgiven each minute. */
const BAN_SCORE = 100;
const FORGIVE_MS = 60_000;
/** Keys whose faults are remembered, of each kind; and those of the kind that has a price that are banned. */
const MAX_KEYS = 10_000;
/**
 * A link costs a handshake. So many begin while a ban runs, of strangers and of known addresses each; besides, there are the
 * links that were there before, and those that this node dials.
 */
const MAX_BANS_OF_STRANGERS = 2 * (HANDSHAKES_AT_ONCE + (HANDSHAKES_PER_SECOND * BAN_MS) / 1000) + 1000;

interface Faults {
  points: number;
  atMs: number;
}

/** Keys of one kind; of each map the oldest entry is the first. */
class Kind {
  readonly faults = new Map<string, Faults>();
  /** Key -> end of its ban, by the monotonic clock. */
  readonly bans = new Map<string, number>();

  constructor(private readonly maxBans: number) {}

  blame(key: string, points: number, atMs: number): void {
    setLast(this.faults, key, { points, atMs }, MAX_KEYS);
  }

  ban(key: string, nowMs: number): void {
    this.faults.delete(key);
    for (const [old, untilMs] of this.bans) {
      if (untilMs > nowMs) break;
      this.bans.delete(old);
    }
    setLast(this.bans, key, nowMs + BAN_MS, this.maxBans);
  }
}

export class BanList {
  readonly #priced = new Kind(MAX_KEYS);
  readonly #strangers = new Kind(MAX_BANS_OF_STRANGERS);

  /** `isPriced`: nobody gets another key like this one for nothing. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly isPriced: (key: string) => boolean,
  ) {}

  /** Keys that are remembered. */
  get size(): number {
    return [this.#priced, this.#strangers].reduce(
      (sum, { faults, bans }) => sum + faults.size + bans.size,
      0,
    );
  }

  isBanned(key: string): boolean {
    const nowMs = this.clock.monotonicMs();
    return [this.#priced, this.#strangers].some(({ bans }) => (bans.get(key) ?? nowMs) > nowMs);
  }

  /** Adds points to a key; true: they are so many that it is banned. */
  blame(key: string, points: number): boolean {
    const kind = this.#kindOf(key);
    const nowMs = this.clock.monotonicMs();
    const before = kind.faults.get(key) ?? { points: 0, atMs: nowMs };
    const forgiven = Math.floor((nowMs - before.atMs) / FORGIVE_MS);
    const sum = Math.max(0, before.points - forgiven) + points;
    if (sum >= BAN_SCORE) kind.ban(key, nowMs);
    else kind.blame(key, sum, nowMs);
    return sum >= BAN_SCORE;
  }

  ban(key: string): void {
    this.#kindOf(key).ban(key, this.clock.monotonicMs());
  }

  #kindOf(key: string): Kind {
    return this.isPriced(key) ? this.#priced : this.#strangers;
  }
}

/** The oldest entry gives way to one more than `most`. */
function setLast<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

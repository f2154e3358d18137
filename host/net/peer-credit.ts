// What the answers to a peer, and what it says unasked, may cost this node.
// Keeps: it is kept by key, so that who connects anew begins with what it had left; a key without a seat, of which anybody has
// any number, begins with little, and shares with all such keys what they may cost together. Source: protocol 12.8.

import { Allowance } from '../world/allowance.ts';
import type { Clock } from '../world/clock.ts';

/** Credit for requests: far more than a node needs that catches up. Who owes the most is answered again after two seconds. */
const CREDIT = { atOnce: 2000, perSecond: 1000, maxDebt: 2000 };
/** Of all peers without a seat together: a sixth of the time of a node. Each may have as much as a seat while they are few. */
const PER_SECOND_WITHOUT_SEAT = 5000;
const AT_FIRST_WITHOUT_SEAT = 100;
/** Keys whose credit is remembered. */
const MAX_KEYS = 1000;

export class PeerCredit {
  /** For questions; and for what it says unasked, which a node in debt goes on saying. */
  readonly questions: Allowance;
  readonly unasked: Allowance;

  /** `others`: peers without a seat, this one included if it is one. */
  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    public hasSeat = true,
    others: () => number = () => 1,
  ) {
    const rate = (): number =>
      this.hasSeat
        ? CREDIT.perSecond
        : Math.min(CREDIT.perSecond, PER_SECOND_WITHOUT_SEAT / Math.max(1, others()));
    const atFirst = hasSeat ? CREDIT.atOnce : AT_FIRST_WITHOUT_SEAT;
    const { atOnce, maxDebt } = CREDIT;
    const own = {
      ...{ atOnce, atFirst, maxDebt },
      get perSecond() {
        return rate();
      },
    };
    this.questions = new Allowance(clock, own);
    this.unasked = new Allowance(clock, own);
  }
}

export class PeerCredits {
  /** The one that connected last is the last. */
  readonly #byKey = new Map<string, PeerCredit>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly others: () => number,
  ) {}

  /** Of a key that connects. */
  of(key: string, hasSeat: boolean): PeerCredit {
    const credit = this.#byKey.get(key) ?? new PeerCredit(this.clock, hasSeat, this.others);
    credit.hasSeat = hasSeat;
    this.#byKey.delete(key);
    this.#byKey.set(key, credit);
    if (this.#byKey.size > MAX_KEYS) this.#byKey.delete(this.#leastNeeded);
    return credit;
  }

  /** Keys without a seat come and go as anybody likes, and must not push out what a seat owes. */
  get #leastNeeded(): string {
    const [first] = [...this.#byKey].find(([, { hasSeat }]) => !hasSeat) ?? [];
    return first ?? this.#byKey.keys().next().value!;
  }
}

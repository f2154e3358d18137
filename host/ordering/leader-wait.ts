// How long a witness is held back for witnesses of leaders of the round below (consensus 5.13): a slot is final a round earlier when
// its leader's witness is in the past of all of the round above (consensus 5.5).
// Keeps: each wait ends by the clock, so no leader can stop a round.

import type { Explained } from '../core/consensus.ts';
import { canGoAhead, type RoundView } from './ahead.ts';
import { hasPassed } from './intervals.ts';

/** What it depends on. */
export interface WaitView extends Omit<RoundView, 'nextWriter'> {
  seat: number;
  /** Round of the oldest unfinished work, if that is no witness; else undefined. */
  followedRound(): number | undefined;
  /** Did the newest vertex of a seat come after the oldest unfinished work. */
  isAfterWork(seat: number): boolean;
}

export interface Pace {
  /** What a round takes. */
  roundMs: number;
  /** The network was not silent just before. */
  isInStep: boolean;
  /** But it was before the newest own witness. */
  isFirst: boolean;
}

/** See WaitView, for the oldest unfinished work. */
export function followedRound(work: Pick<Explained, 'round' | 'isWitness'> | undefined): number | undefined {
  return work?.isWitness === false ? work.round : undefined;
}

/** Measured in decisions/0022. */
const LATE = { rounds: 0.25, mostMs: 100 };
/** In the first round after a silence, so that all seats begin the next one together. Measured in decisions/0027. */
const LATE_FIRST = { rounds: 0.5, mostMs: 100 };
/** A whole round and what it takes longer now and then: the leader's witness leaves as the work reaches it. */
const FOLLOWING = { rounds: 1.25, mostMs: 500 };
/** A leader whose newest vertex is further below is away, and nobody waits for it. */
const ACTIVE_ROUNDS = 3;

export class LeaderWait {
  /** The round whose leaders are awaited, since when and for how long. */
  #present: { round: number; sinceMs: number; waitMs: number } | undefined;

  /** Do leaders of a round deserve that a witness above it waits. */
  isOn(view: WaitView, round: number, nowMs: number, { roundMs, isInStep, isFirst }: Pace): boolean {
    const isFollowed = view.followedRound() === round && canGoAhead(view);
    const isLate = isFollowed ? isFollowerLate(view, round) : isInStep && isLeaderLate(view, round);
    if (!isLate) {
      this.end();
      return false;
    }
    if (this.#present?.round !== round) {
      const { rounds, mostMs } = isFollowed ? FOLLOWING : isFirst ? LATE_FIRST : LATE;
      this.#present = { round, sinceMs: nowMs, waitMs: Math.min(mostMs, Math.ceil(roundMs * rounds)) };
    }
    return !hasPassed(this.#present.sinceMs, this.#present.waitMs, nowMs);
  }

  end(): void {
    this.#present = undefined;
  }

  /** Clock reading at which the present wait is over; undefined: there is none. */
  get dueMs(): number | undefined {
    return this.#present && this.#present.sinceMs + this.#present.waitMs;
  }
}

const isActive = (newest: number | undefined, round: number): newest is number =>
  newest !== undefined && newest >= round - ACTIVE_ROUNDS;

/** Is the witness of a leader of this round missing here, though the leader was active lately. */
function isLeaderLate(view: WaitView, round: number): boolean {
  if (round < 1) return false;
  return view.leadersOf(round).some((leader) => {
    const newest = view.newestRound(leader);
    return leader !== view.seat && isActive(newest, round) && newest < round;
  });
}

/**
 * The oldest work came into this round beside its seat's witness, so it is ordered with the first slot whose leader's witness followed
 * it. Is one missing up to that slot.
 */
function isFollowerLate(view: WaitView, round: number): boolean {
  for (const leader of view.leadersOf(round)) {
    const newest = view.newestRound(leader);
    if (!isActive(newest, round)) continue;
    if (newest >= round && view.isAfterWork(leader)) return false;
    if (newest < round && leader !== view.seat) return true;
  }
  return false;
}

// When this seat makes a vertex, over which parents, and whether payload goes in (consensus 5.13).
// Keeps: pure; it sees a view of the DAG and a clock reading, and says what to make. A network with
// nothing to finish falls silent, one with something to finish never waits for a timer.
// Must not judge validity: a vertex it dislikes is only not chosen as a parent.

import type { Preview } from '../core/consensus.ts';
import { compareBytes } from '../wire/bytes.ts';

export interface EmissionRules {
  /** Least milliseconds between two vertices with payload. */
  minIntervalMs: number;
  /** Most parents of a vertex, the self-parent included; at most P_max of the epoch. */
  maxParents: number;
}

/** The newest vertex of another seat that may become a parent. */
export interface ParentHead {
  id: Uint8Array;
  creator: number;
}

export interface EmissionView {
  /** This node's clock, milliseconds. */
  nowMs: number;
  seat: number;
  /** Does this seat have vote weight in the epoch; without it, only payload makes vertices. */
  hasWeight: boolean;
  /** This seat's newest vertex in the epoch. */
  own: { id: Uint8Array; timeMs: number } | undefined;
  /** Heads that are not in the past of `own`, longest waiting first; no proven cheaters. */
  heads: readonly ParentHead[];
  /** Is a `work` vertex in the past of `own` or of one of the heads not final. */
  hasUnfinishedWork: boolean;
  hasPayload: boolean;
  /** Names of deadlines and changes that wait for consensus time or a seal (consensus 5.13 d). */
  causes: readonly string[];
  preview(parents: readonly Uint8Array[], timeMs: number): Preview;
  leaderOf(round: number): number;
  quorumWitnesses(round: number): boolean;
}

export interface Emission {
  reason: 'payload' | 'wake' | 'progress' | 'merge' | 'cause';
  /** In the order of 5.17: the self-parent first, the others ascending. */
  parents: Uint8Array[];
  timeMs: number;
  work: boolean;
  withPayload: boolean;
  isWitness: boolean;
  /** The cause it serves, for reason `cause`. */
  cause?: string;
}

// Consensus time further behind the own clock than this would make deadlines of the payload stale.
const STALE_MS = 2000;
// Own witnesses after which payload goes out whatever the time: the own clock may be the wrong one.
const WAKE_WITNESSES = 3;
const CAUSE_INTERVAL_MS = 1000;

export class EmissionPolicy {
  private lastPayloadMs = Number.NEGATIVE_INFINITY;
  /** Own witnesses since payload first met a stale time; undefined while none waits. */
  private wakeWitnesses: number | undefined;
  private readonly lastCauseMs = new Map<string, number>();

  constructor(private readonly rules: EmissionRules) {}

  /** What to make now, or undefined: wait for vertices of others, payload or `dueMs`. */
  next(view: EmissionView): Emission | undefined {
    if (!view.hasPayload && !view.hasUnfinishedWork && view.causes.length === 0) return undefined;
    const timeMs = Math.max(view.nowMs, view.own?.timeMs ?? 0);
    const parents = chooseParents(view, this.rules.maxParents, timeMs);
    const preview = view.preview(parents, timeMs);
    if (preview.isRefusedByRun) return undefined;
    const base = { parents, timeMs, isWitness: preview.isWitness };
    const payloadReason = this.forPayload(view, preview);
    if (payloadReason) {
      return { ...base, reason: payloadReason, work: true, withPayload: payloadReason === 'payload' };
    }
    if (!view.hasWeight) return undefined;
    if (view.hasUnfinishedWork && preview.isWitness) {
      return { ...base, reason: 'progress', work: false, withPayload: false };
    }
    if (view.hasUnfinishedWork && isMerge(view, preview)) {
      return { ...base, reason: 'merge', work: false, withPayload: false };
    }
    const cause = view.causes.find((name) =>
      hasPassed(this.lastCauseMs.get(name), CAUSE_INTERVAL_MS, view.nowMs),
    );
    if (cause === undefined) return undefined;
    return { ...base, reason: 'cause', work: true, withPayload: false, cause };
  }

  /** Must follow each vertex that was made from `next`. `nowMs`: the clock of that view. */
  made(emission: Emission, nowMs: number): void {
    if (emission.reason === 'wake') this.wakeWitnesses ??= 0;
    if (this.wakeWitnesses !== undefined && emission.isWitness) this.wakeWitnesses += 1;
    if (emission.withPayload) {
      this.lastPayloadMs = nowMs;
      this.wakeWitnesses = undefined;
    }
    if (emission.cause !== undefined) this.lastCauseMs.set(emission.cause, nowMs);
  }

  /** Clock reading at which asking again may help without any news; undefined: never. */
  dueMs(hasPayload: boolean, causes: readonly string[]): number | undefined {
    const dues = causes.map((name) => this.causeDueMs(name));
    if (hasPayload) dues.push(this.lastPayloadMs + this.rules.minIntervalMs);
    return dues.length > 0 ? Math.min(...dues) : undefined;
  }

  private causeDueMs(name: string): number {
    return (this.lastCauseMs.get(name) ?? Number.NEGATIVE_INFINITY) + CAUSE_INTERVAL_MS;
  }

  /** Rule (a) with the wake-up: payload only under a time that is near the own clock. */
  private forPayload(view: EmissionView, preview: Preview): 'payload' | 'wake' | undefined {
    const mayGo = hasPassed(this.lastPayloadMs, this.rules.minIntervalMs, view.nowMs);
    if (!view.hasPayload || !mayGo) return undefined;
    const isFresh = view.nowMs - preview.timeMs <= STALE_MS;
    if (isFresh || (this.wakeWitnesses ?? 0) >= WAKE_WITNESSES) return 'payload';
    // One wake-up is under way at a time; while it is, witnesses come by rule (b), which a seat without
    // weight does not have.
    if (this.wakeWitnesses === undefined || !view.hasUnfinishedWork) return 'wake';
    return preview.isWitness && !view.hasWeight ? 'wake' : undefined;
  }
}

/** Has the interval passed since `lastMs`; a clock that was set back must not hold anything up. */
const hasPassed = (lastMs: number | undefined, intervalMs: number, nowMs: number): boolean =>
  lastMs === undefined || nowMs < lastMs || nowMs >= lastMs + intervalMs;

/**
 * Rule (c): a quorum of the highest round is in view, but too many parents apart to take at once. The highest round is
 * that of the heads that may be chosen: a proven cheater's vertex in a higher one, on which nobody stands, must not
 * keep everybody else from merging.
 */
function isMerge(view: EmissionView, preview: Preview): boolean {
  if (preview.isWitness || preview.newWitnessCreators.length === 0) return false;
  return view.quorumWitnesses(preview.round);
}

/** Own head and heads of others, as many as fit: those that bring most unseen witnesses come first. */
function chooseParents(view: EmissionView, maxParents: number, timeMs: number): Uint8Array[] {
  const own = view.own ? [view.own.id] : [];
  const room = maxParents - own.length;
  const chosen = view.heads.length <= room ? view.heads : mostWitnesses(view, room, timeMs);
  return [...own, ...chosen.map((head) => head.id).sort(compareBytes)];
}

interface Candidate {
  head: ParentHead;
  round: number;
  brings: Set<number>;
}

/** Greedy cover: always the head that adds most witnesses of the highest round to those chosen. */
function mostWitnesses(view: EmissionView, room: number, timeMs: number): ParentHead[] {
  const own = view.own ? [view.own.id] : [];
  const offers = view.heads.map((head): Candidate => {
    const preview = view.preview([...own, head.id], timeMs);
    return { head, round: preview.round, brings: new Set(preview.newWitnessCreators) };
  });
  const round = Math.max(...offers.map((offer) => offer.round));
  const leader = view.leaderOf(round);
  const covered = new Set<number>();
  const chosen: ParentHead[] = [];
  const gain = (offer: Candidate): number => {
    if (offer.round < round) return 0;
    let count = 0;
    for (const creator of offer.brings) if (!covered.has(creator)) count += 1;
    // The leader's witness first: the sooner all see it, the sooner its slot is committed.
    return count > 0 && offer.head.creator === leader ? count + view.heads.length : count;
  };
  const left = new Set(offers);
  while (chosen.length < room && left.size > 0) {
    let best: Candidate | undefined;
    let most = 0;
    for (const offer of left) {
      const gained = gain(offer);
      if (gained > most) [best, most] = [offer, gained];
    }
    if (!best) break;
    left.delete(best);
    chosen.push(best.head);
    for (const creator of best.brings) covered.add(creator);
  }
  for (const offer of left) {
    if (chosen.length >= room) break;
    chosen.push(offer.head);
  }
  return chosen;
}

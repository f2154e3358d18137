// When this seat makes a vertex, with which parents, and whether it carries payload (consensus 5.13).
// Keeps: pure: it gets a view of the DAG and a clock reading, and returns what to make. A network with nothing to finish
// falls silent; one with something to finish waits for leaders for a fraction of a round at most, else for no timer.
// Never judges validity: a vertex it avoids is merely not chosen as a parent.

import type { Preview } from '../core/consensus.ts';
import { compareBytes } from '../wire/bytes.ts';
import { type RoundView, seatsAhead } from './ahead.ts';
import { hasPassed } from './intervals.ts';
import { LeaderWait, type WaitView } from './leader-wait.ts';
import { NextWrites } from './next-writes.ts';

export interface EmissionRules {
  /** Minimum milliseconds between two vertices with payload. */
  minIntervalMs: number;
  /** Maximum number of parents, the self-parent included; at most P_max of the epoch. */
  maxParents: number;
}

/** The newest vertex of another seat that may become a parent. */
export interface ParentHead {
  id: Uint8Array;
  creator: number;
}

export interface EmissionView extends RoundView, WaitView {
  /** This node's clock, milliseconds. */
  nowMs: number;
  seat: number;
  /** Does this seat have vote weight in the epoch; without it, it makes vertices for payload and for its return only. */
  hasWeight: boolean;
  /** This seat's newest vertex in the epoch. */
  own: { id: Uint8Array; timeMs: number } | undefined;
  /** Heads that are not ancestors of `own`, longest waiting first; none of proven cheaters. */
  heads: readonly ParentHead[];
  /** Is `own`, a head or an ancestor of them a `work` vertex that is not final. */
  hasUnfinishedWork: boolean;
  hasPayload: boolean;
  /** Were writes of this node executed whose answers leave next. */
  isAnswering: boolean;
  /** How much of the epoch's room for vertices is used up, 0 to 1. */
  fill: number;
  /** Names of deadlines and changes that wait for consensus time or a seal (consensus 5.13 d). */
  causes: readonly string[];
  preview(parents: readonly Uint8Array[], timeMs: number): Preview;
  quorumWitnesses(round: number): boolean;
}

export interface Emission {
  reason: 'payload' | 'wake' | 'progress' | 'merge' | 'cause' | 'ahead';
  /** In the order of consensus 5.17: the self-parent first, the others ascending. */
  parents: Uint8Array[];
  timeMs: number;
  work: boolean;
  withPayload: boolean;
  isWitness: boolean;
  /** For reason `cause`: the one it serves. */
  cause?: string;
}

type EmissionBase = Pick<Emission, 'parents' | 'timeMs' | 'isWitness'>;

// If consensus time is further behind this node's clock, deadlines set by the payload would be stale. Longer than an idle
// network is silent (causes.ts), so that a write on one needs no wake-up, and within the 5 s of protocol 1.4.
const STALE_MS = 4500;
// Own witnesses after which payload is sent in spite of the time: this node's clock may be the wrong one.
const WAKE_WITNESSES = 3;
const CAUSE_INTERVAL_MS = 1000;
/** The own round takes more than so many times the one before: the network was silent. */
const MAX_ROUND_GROWTH = 4;

/** The only cause that a seat without weight serves: that way it gets its weight back (consensus 5.13 d). */
export const RETURN_CAUSE = 'return';
/**
 * From which fill on payload waits for so long after the last one, so that what remains is left to the vertices that seal the
 * epoch (consensus 5.13). An epoch whose vertices are ordered seals at one half.
 */
const SLOWED: readonly { fill: number; intervalMs: number }[] = [
  { fill: 7 / 8, intervalMs: Number.POSITIVE_INFINITY },
  { fill: 3 / 4, intervalMs: 1000 },
  { fill: 5 / 8, intervalMs: 100 },
];

export class EmissionPolicy {
  private lastPayloadMs = Number.NEGATIVE_INFINITY;
  /** Own witnesses since payload first waited for a fresh time; undefined while none waits. */
  private wakeWitnesses: number | undefined;
  private readonly lastCauseMs = new Map<string, number>();
  private readonly leaderWait = new LeaderWait();
  private readonly nextWrites = new NextWrites();
  /** The own next witness is held back for them. */
  private isGathering = false;
  /** There was work since it was last decided whether this seat goes ahead. */
  private hasFinished = false;
  private lastWitnessMs: number | undefined;
  /** Nothing was to be done at some time since then. */
  private wasIdle = false;
  /** The newest own witness came after a silence. */
  private isFirst = false;
  /** Between the two newest own witnesses without a silence between them. */
  private roundMs = Number.POSITIVE_INFINITY;
  /** Between two vertices with payload, at the last fill. */
  private intervalMs: number;

  constructor(private readonly rules: EmissionRules) {
    this.intervalMs = rules.minIntervalMs;
  }

  /** What to make now; undefined: wait for vertices of others, for payload or for `dueMs`. */
  next(view: EmissionView): Emission | undefined {
    this.intervalMs = this.intervalAt(view.fill);
    const isIdle = !view.hasPayload && !view.hasUnfinishedWork && view.causes.length === 0;
    if (view.hasUnfinishedWork) this.hasFinished = view.hasWeight;
    this.wasIdle ||= isIdle;
    const isDone = isIdle && !this.hasFinished;
    const timeMs = Math.max(view.nowMs, view.own?.timeMs ?? 0);
    const parents = isDone ? [] : chooseParents(view, this.rules.maxParents, timeMs);
    const preview = isDone ? undefined : view.preview(parents, timeMs);
    if (!preview || preview.isRefusedByRun) {
      this.endWaits();
      return undefined;
    }
    if (isIdle) return this.goAhead(view, preview, parents, timeMs);
    if (this.isHeldBack(view, preview)) return undefined;
    const base = { parents, timeMs, isWitness: preview.isWitness };
    const payloadReason = this.reasonForPayload(view, preview);
    if (payloadReason) {
      return { ...base, reason: payloadReason, work: true, withPayload: payloadReason === 'payload' };
    }
    return view.hasWeight ? this.progress(view, preview, base) : this.forCause(view, base, RETURN_CAUSE);
  }

  /** Rule (e): once for all work that is finished, as soon as the next round can begin. */
  private goAhead(
    view: EmissionView,
    { round, isWitness }: Preview,
    parents: Uint8Array[],
    timeMs: number,
  ): Emission | undefined {
    this.endWaits();
    if (!isWitness) return undefined;
    // Writes that follow answers would just miss the witness.
    this.isGathering = this.nextWrites.areAwaited(view.isAnswering, view.nowMs, this.roundMs);
    if (this.isGathering) return undefined;
    this.hasFinished = false;
    if (!seatsAhead(view, round).includes(view.seat)) return undefined;
    return { parents, timeMs, isWitness, reason: 'ahead', work: false, withPayload: false };
  }

  /** Is this vertex a witness that waits, for leaders of the round below or for writes that follow answers. */
  private isHeldBack(view: EmissionView, { isWitness, round }: Preview): boolean {
    if (!view.hasWeight || !view.hasUnfinishedWork || !isWitness) {
      this.endWaits();
      return false;
    }
    const isInStep = this.isInStep(view.nowMs);
    this.isGathering =
      isInStep &&
      this.nextWrites.areAwaited(view.isAnswering, view.nowMs, this.roundMs) &&
      !view.isQuorum([view.seat]);
    const pace = { roundMs: this.roundMs, isInStep, isFirst: this.isFirst };
    const isWaiting = this.leaderWait.isOn(view, round - 1, view.nowMs, pace);
    return isWaiting || this.isGathering;
  }

  private endWaits(): void {
    this.leaderWait.end();
    this.isGathering = false;
  }

  /** Do own witnesses follow each other without a silence between them. */
  private isInStep(nowMs: number): boolean {
    return (
      this.lastWitnessMs !== undefined &&
      !hasPassed(this.lastWitnessMs, MAX_ROUND_GROWTH * this.roundMs + 1, nowMs)
    );
  }

  /** Rules (b) to (d). */
  private progress(view: EmissionView, preview: Preview, base: EmissionBase): Emission | undefined {
    if (view.hasUnfinishedWork && preview.isWitness) {
      return { ...base, reason: 'progress', work: false, withPayload: false };
    }
    if (view.hasUnfinishedWork && isMerge(view, preview)) {
      return { ...base, reason: 'merge', work: false, withPayload: false };
    }
    return this.forCause(view, base);
  }

  /** Rule (d), for one cause or any. */
  private forCause(view: EmissionView, base: EmissionBase, only?: string): Emission | undefined {
    const cause = view.causes.find(
      (name) =>
        (only === undefined || name === only) &&
        hasPassed(this.lastCauseMs.get(name), CAUSE_INTERVAL_MS, view.nowMs),
    );
    if (cause === undefined) return undefined;
    return { ...base, reason: 'cause', work: true, withPayload: false, cause };
  }

  /** To be called for each vertex made from `next`. `nowMs`: that of the view. */
  made(emission: Emission, nowMs: number): void {
    if (emission.reason === 'wake') this.wakeWitnesses ??= 0;
    if (this.wakeWitnesses !== undefined && emission.isWitness) this.wakeWitnesses += 1;
    if (emission.withPayload) {
      this.lastPayloadMs = nowMs;
      this.wakeWitnesses = undefined;
    }
    if (emission.cause !== undefined) this.lastCauseMs.set(emission.cause, nowMs);
    if (!emission.isWitness) return;
    this.endWaits();
    if (this.lastWitnessMs !== undefined) {
      const betweenMs = Math.max(0, nowMs - this.lastWitnessMs);
      // A round took no longer than one with a silence in it.
      this.roundMs = this.wasIdle ? Math.min(this.roundMs, betweenMs) : betweenMs;
    }
    this.isFirst = this.wasIdle;
    this.wasIdle = false;
    // The silence that begins is no round.
    this.lastWitnessMs = emission.reason === 'ahead' ? undefined : nowMs;
  }

  /** Writes of this node were answered. */
  answered(count: number, nowMs: number): void {
    this.nextWrites.answered(count, nowMs, this.roundMs);
  }

  /** Writes came to this node. */
  came(count: number, nowMs: number): void {
    this.nextWrites.came(count, nowMs);
  }

  /** Clock reading at which `next` may return something although nothing else has changed; undefined: never. */
  dueMs(hasPayload: boolean, causes: readonly string[]): number | undefined {
    const dues = causes.map((name) => this.causeDueMs(name));
    if (hasPayload) dues.push(this.payloadDueMs());
    const waits: number[] = [];
    const { dueMs } = this.leaderWait;
    if (dueMs !== undefined) waits.push(dueMs);
    if (this.isGathering) waits.push(this.nextWrites.dueMs);
    // Nothing leaves before a wait is over.
    const due = waits.length > 0 ? Math.max(...waits) : Math.min(...dues);
    return due === Number.POSITIVE_INFINITY ? undefined : due;
  }

  private payloadDueMs(): number {
    return this.intervalMs === Number.POSITIVE_INFINITY
      ? this.intervalMs
      : this.lastPayloadMs + this.intervalMs;
  }

  private intervalAt(fill: number): number {
    const slowed = SLOWED.find((step) => fill >= step.fill);
    return Math.max(this.rules.minIntervalMs, slowed?.intervalMs ?? 0);
  }

  private causeDueMs(name: string): number {
    return (this.lastCauseMs.get(name) ?? Number.NEGATIVE_INFINITY) + CAUSE_INTERVAL_MS;
  }

  /** Rule (a) with the wake-up: payload only if consensus time is near this node's clock. */
  private reasonForPayload(view: EmissionView, preview: Preview): 'payload' | 'wake' | undefined {
    if (!view.hasPayload || this.intervalMs === Number.POSITIVE_INFINITY) return undefined;
    if (!hasPassed(this.lastPayloadMs, this.intervalMs, view.nowMs)) return undefined;
    const isFresh = view.nowMs - preview.timeMs <= STALE_MS;
    if (isFresh || (this.wakeWitnesses ?? 0) >= WAKE_WITNESSES) return 'payload';
    // One wake-up at a time; during it witnesses are made by rule (b), which a seat without weight does not have.
    if (this.wakeWitnesses === undefined || !view.hasUnfinishedWork) return 'wake';
    return preview.isWitness && !view.hasWeight ? 'wake' : undefined;
  }
}

/**
 * Rule (c): a quorum of the highest round is known, but spread over more heads than fit one vertex. The highest round is
 * that of the heads that may be chosen: a proven cheater's vertex in a higher round, on which nobody builds, must not keep
 * everybody else from merging.
 */
function isMerge(view: EmissionView, preview: Preview): boolean {
  if (preview.isWitness || preview.newWitnessCreators.length === 0) return false;
  return view.quorumWitnesses(preview.round);
}

/** The own head and as many heads of others as fit: first those that add most unseen witnesses. */
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

/** Greedy cover: always the head that adds most witnesses of the highest round. */
function mostWitnesses(view: EmissionView, room: number, timeMs: number): ParentHead[] {
  const own = view.own ? [view.own.id] : [];
  const candidates = view.heads.map((head): Candidate => {
    const preview = view.preview([...own, head.id], timeMs);
    return { head, round: preview.round, brings: new Set(preview.newWitnessCreators) };
  });
  const round = Math.max(...candidates.map((candidate) => candidate.round));
  const leaders = view.leadersOf(round);
  const covered = new Set<number>();
  const chosen: ParentHead[] = [];
  const gain = (candidate: Candidate): number => {
    if (candidate.round < round) return 0;
    let count = 0;
    for (const creator of candidate.brings) if (!covered.has(creator)) count += 1;
    // Leaders' witnesses first: the sooner all have one, the sooner its slot is committed.
    return count > 0 && leaders.includes(candidate.head.creator) ? count + view.heads.length : count;
  };
  const left = new Set(candidates);
  while (chosen.length < room && left.size > 0) {
    let best: Candidate | undefined;
    let most = 0;
    for (const candidate of left) {
      const gained = gain(candidate);
      if (gained > most) [best, most] = [candidate, gained];
    }
    if (!best) break;
    left.delete(best);
    chosen.push(best.head);
    for (const creator of best.brings) covered.add(creator);
  }
  for (const candidate of left) {
    if (chosen.length >= room) break;
    chosen.push(candidate.head);
  }
  return chosen;
}

// How old, how complete and how well anchored what a node shows is. Findings accuse nobody: a node may lag, a network may
// stand still, a clock may be wrong. But whoever reads "all of it is right" must know of them.
//
// Weak subjectivity: a seat that is long gone has nothing to lose, so keys of old seats prove nothing about today. A
// history counts only from a point that is known from elsewhere and is not too old: genesis, a pin, or an earlier audit.

export type FindingKind =
  /** Consensus time is far behind the local clock. */
  | 'stale'
  /** Consensus time is ahead of the local clock. */
  | 'clock'
  /** The node is behind what it served before. */
  | 'rollback'
  /** The node is behind what another one served. */
  | 'behind'
  /** Checkpoints that were due are not signed by a quorum, or not shown. */
  | 'unsigned'
  /** The newest point that does not come from the node is too old. */
  | 'anchor'
  /** The pinned checkpoint is not in what the node shows. */
  | 'pin'
  /** The node does not have the vertices of an epoch, as one that joined later. */
  | 'pruned'
  /** The time for the audit ended. */
  | 'unfinished';

export interface Finding {
  kind: FindingKind;
  /** One sentence. */
  text: string;
}

/** An idle network makes a vertex every few seconds (consensus 5.13), so its time stays near the clock's. */
export const MAX_AGE_MS = 120_000;
/** Vertices may be ahead of the time by this much (consensus 5.8). */
const MAX_AHEAD_MS = 60_000;
/** Signatures come a moment after the block: the newest checkpoints may be without them. */
const MAX_UNSIGNED = 3;
/** Whoever has left may hold keys for as long as it likes; after this time they count for nothing. */
export const MAX_ANCHOR_MS = 30 * 86_400_000;

export interface Freshness {
  nowMs: number;
  /** Consensus time of the newest block; 0 before the first. */
  timeMs: number;
  order: number;
  /** Checkpoints computed that no quorum has signed, as far as the node shows. */
  unsigned: number;
  signed: number;
  /** When the newest point that does not come from the node was made or checked; undefined: it has no date. */
  anchorMs: number | undefined;
  maxAgeMs: number;
  maxAnchorMs: number;
}

const spanOf = (ms: number): string => {
  const secs = Math.round(ms / 1000);
  if (secs < 600) return `${secs} s`;
  if (secs < 36_000) return `${Math.round(secs / 60)} min`;
  return secs < 864_000 ? `${Math.round(secs / 3600)} h` : `${Math.round(secs / 86_400)} days`;
};

export function findingsOf(f: Freshness): Finding[] {
  const found: Finding[] = [];
  const age = f.nowMs - f.timeMs;
  if (f.order === 0) found.push({ kind: 'stale', text: 'no vertex of a log was executed' });
  else if (age > f.maxAgeMs)
    found.push({
      kind: 'stale',
      text: `the log ends ${spanOf(age)} ago: the network stands still, the node lags, or it hides what came after`,
    });
  if (f.timeMs - f.nowMs > MAX_AHEAD_MS)
    found.push({
      kind: 'clock',
      text: `the log ends ${spanOf(f.timeMs - f.nowMs)} ahead of this clock: one of both is wrong`,
    });
  if (f.unsigned >= MAX_UNSIGNED)
    found.push({
      kind: 'unsigned',
      text: `${f.signed === 0 ? 'no checkpoint is' : `after checkpoint ${f.signed} none is`} signed by a quorum, although ${f.unsigned} were due: the network lacks a quorum, or the node withholds the signatures`,
    });
  if (f.anchorMs !== undefined && f.nowMs - f.anchorMs > f.maxAnchorMs)
    found.push({
      kind: 'anchor',
      text: `the newest point that does not come from the node is ${spanOf(f.nowMs - f.anchorMs)} old: whoever got hold of a quorum of the seats' keys since could have made this history. Give --pin with a checkpoint from somebody you trust`,
    });
  return found;
}

// What a vote on a dispute commits to before it is revealed (protocol 15.8). The core computes the same.

import { utf8 } from './bytes.ts';
import { sha256Hex } from './hash.ts';
import { GROUNDS, SHARE_STEP_BP } from './operations/ledger.ts';

/** What a judge says, as in POST /v1/verify. */
export interface DisputeVote {
  verdict: boolean;
  /** With verdict true: the worker's share, default 10000. */
  worker_share_bp?: number | undefined;
  /** With verdict false, optional. */
  ground?: (typeof GROUNDS)[number] | undefined;
}

/**
 * SHA-256, in hex, of the vote. `key`: the agent key of the validator's operator, hex64, which is its public key unless its
 * agent_id was chosen; `salt`: 64 hex, random, new for each dispute and kept until the vote is revealed.
 */
export function voteCommitment(eventId: string, key: string, vote: DisputeVote, salt: string): string {
  const share = vote.verdict ? (vote.worker_share_bp ?? 10_000) / SHARE_STEP_BP : 0;
  const ground = vote.ground === undefined ? 0 : GROUNDS.indexOf(vote.ground) + 1;
  const ids = [eventId, key].map((id) => id.toLowerCase()).join(':');
  return sha256Hex(utf8(`vote:${ids}:${share}:${ground}:${salt.toLowerCase()}`));
}

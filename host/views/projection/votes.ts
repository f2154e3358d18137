// Converts votes to members of documents.

import * as abi from '../../../assembly/abi.ts';
import type { ItemState, Voter } from '../../core/item-state.ts';
import { GROUND } from '../../core/task-names.ts';
import type { Identities } from '../../execution/identity.ts';
import type { EventDoc, VoteCommitmentDoc, VoterDoc, Votes, VotingDoc } from '../../store/documents.ts';
import type { DisputeJudgeDoc } from '../../store/task-documents.ts';
import { toHex } from '../../wire/bytes.ts';
import { SHARE_STEP_BP } from '../../wire/operations/ledger.ts';

export const SETTLEMENT_REASONS: Record<number, EventDoc['settlement_reason']> = {
  [abi.SETTLED_VERIFIED]: 'verified',
  [abi.SETTLED_REJECTED]: 'rejected',
  [abi.SETTLED_EXPIRED]: 'expired',
};

// All or nothing is what the verdict says already.
const isSplit = (share: number): boolean => share > 0 && share < abi.SHARES;

export const voterDocs = (voters: readonly Voter[], ids: Identities): VoterDoc[] =>
  voters.map((v) => ({
    validator_id: ids.validatorId(v.validator),
    agent_id: ids.agentId(ids.state.validator(v.validator)!.agent),
    verdict: v.verdict,
    ...(isSplit(v.share) ? { worker_share_bp: v.share * SHARE_STEP_BP } : {}),
    ...(v.ground === abi.GROUND_NONE ? {} : { ground: GROUND[v.ground]! }),
    verified_value: v.verifiedValue,
    weight: v.weight,
    timestamp: v.timestamp,
  }));

const STAGES: Record<number, VotingDoc['stage']> = {
  [abi.VOTES_COMMITTED]: 'commit',
  [abi.VOTES_REVEALED]: 'reveal',
};

/** What the judges of a contested dispute do now; nothing of any other event. */
export function votingDoc(item: ItemState): { voting?: VotingDoc } {
  const stage = STAGES[item.stage];
  if (!stage) return {};
  const revealed = item.voters.length;
  const committed = revealed + item.commitments.length;
  return { voting: { stage, committed, revealed, judges: item.judges, until: item.deadline } };
}

export const commitmentDocs = (item: ItemState, ids: Identities): VoteCommitmentDoc[] =>
  item.commitments.map((c) => ({
    validator_id: ids.validatorId(c.validator),
    agent_id: ids.agentId(ids.state.validator(c.validator)!.agent),
    commitment: toHex(c.hash),
    timestamp: c.timestamp,
  }));

/**
 * Who judges an open dispute, and how far each vote is. `isPanel`: its judges were drawn; otherwise whoever may vote is not
 * known before it does, and those that have committed are listed.
 */
export function disputeJudges(item: ItemState, isPanel: boolean, ids: Identities): DisputeJudgeDoc[] {
  const votes = new Map<number, DisputeJudgeDoc['vote']>();
  if (isPanel) for (const validator of item.assigned) votes.set(validator, 'none');
  for (const { validator } of item.voters) votes.set(validator, 'revealed');
  for (const { validator } of item.commitments) votes.set(validator, 'committed');
  return [...votes].map(([validator, vote]) => ({ validator_id: ids.validatorId(validator), vote }));
}

export interface Tally {
  approve: number;
  reject: number;
  total: number;
  participants: number;
}
export const votesDoc = (t: Tally): Votes => ({
  approve_weight: t.approve,
  reject_weight: t.reject,
  total_weight: t.total,
  participants: t.participants,
});

export const NO_VOTES: Readonly<Votes> = {
  approve_weight: 0,
  reject_weight: 0,
  total_weight: 0,
  participants: 0,
};

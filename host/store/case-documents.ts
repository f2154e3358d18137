// The stored documents of challenges and replay jobs; they remain after the core has archived the case.
// Members of the API objects (protocol 3.9) have the same names and units here.

import type { Comparison } from '../scoring/index.ts';

/** The part of a challenge that never changes. */
interface ChallengeTextDoc {
  event_id: string;
  task_id: string;
  challenger_id: string;
  /** Validator id. */
  target_id: string;
  offense: string;
  reason?: string;
  evidence_uri?: string;
  evidence_hash?: string;
}

interface ChallengeVotesDoc {
  succeeded_weight: number;
  failed_weight: number;
  partial_weight: number;
  total_weight: number;
  participants: number;
}

/** The part of a challenge that the core decides, as of the end of a block. */
export interface ChallengeCoreDoc {
  status: string;
  bond: number;
  created_at: number;
  deadline: number;
  votes: ChallengeVotesDoc;
  resolved_at?: number | undefined;
  refunded_bond?: number | undefined;
  forfeit_amount?: number | undefined;
  slash_amount?: number | undefined;
  bounty?: number | undefined;
}

export interface ChallengeDoc {
  /** Position among all challenges, in order of creation, from 0. */
  number: number;
  /** Row numbers of the agent and the validator, for lists. */
  challenger: number;
  target: number;
  text: ChallengeTextDoc;
  core: ChallengeCoreDoc;
}

/** The part of a replay job that never changes. */
interface JobTextDoc {
  task_id: string;
  category: string;
  policy_version: string;
  acceptance_contract_hash: string;
}

/** The part of a job that the core decides, as of the end of a block. */
export interface JobCoreDoc {
  status: string;
  reason: string;
  attempt: number;
  reward: number;
  created_at: number;
  submission_deadline: number;
  executor_id: string;
  outcome?: string | undefined;
  action?: string | undefined;
  closed_at?: number | undefined;
  severity_bp?: number | undefined;
  mismatch_count?: number | undefined;
}

export interface JobDoc {
  number: number;
  /** Order number of the vertex that created it: the baseline is public from the next block on. */
  order: number;
  /** Row number of the current or last executor, for lists. */
  executor: number;
  text: JobTextDoc;
  core: JobCoreDoc;
  /** From the last report that had notes. */
  notes?: string;
  comparisons?: Comparison[];
}

/** Numbers of all cases ever created. */
export interface CaseTotals {
  challenges: number;
  jobs: number;
}

/** An unfinished canary of this node; its secrets are derived from the node's key. */
export interface CanaryDoc {
  /** Event that triggered it. */
  trigger: string;
  category: string;
  /** Sign bytes of the request that posts it. */
  posting?: string;
  /** Consensus time of its commitment, seconds. */
  committed_at?: number;
}

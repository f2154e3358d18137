// The documents of challenges and replay jobs, as stored: they stay when the core has forgotten the case.
// Members of the API objects (protocol 3.9) have their names and units here.

import type { Comparison } from '../scoring/index.ts';

/** What of a challenge never changes. */
export interface ChallengeTextDoc {
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

export interface ChallengeVotesDoc {
  succeeded_weight: number;
  failed_weight: number;
  partial_weight: number;
  total_weight: number;
  participants: number;
}

/** What the core says of a challenge at the end of a block. */
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
  /** Rows of the agent and the validator, for lists. */
  challenger: number;
  target: number;
  text: ChallengeTextDoc;
  core: ChallengeCoreDoc;
}

/** What of a replay job never changes. */
export interface JobTextDoc {
  task_id: string;
  category: string;
  policy_version: string;
  acceptance_contract_hash: string;
}

/** What the core says of a job at the end of a block. */
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
  /** Order of the vertex that brought it: its baseline counts as known from the next block on. */
  order: number;
  /** Row of the present or last executor, for lists. */
  executor: number;
  text: JobTextDoc;
  core: JobCoreDoc;
  /** Of the last report that had some. */
  notes?: string;
  comparisons?: Comparison[];
}

/** How many there ever were. */
export interface CaseTotals {
  challenges: number;
  jobs: number;
}

/** A canary of this node that is under way; what is secret of it follows from the node's key. */
export interface CanaryDoc {
  /** Event that called for it. */
  trigger: string;
  category: string;
  /** Consensus time of its commitment, seconds. */
  committed_at?: number;
}

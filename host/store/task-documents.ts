// The stored documents of a task: the fixed part, the changing part, and the submission.
// Keeps: together they are the Task object (protocol 3.3), so reads do not need the core, and a task that the core has
// archived stays complete. Members of the API objects have the same names and units here.

import type { Evidence, VerificationResult, VerificationScore } from '../scoring/index.ts';

/** The fixed part, from the request that posted the task. */
export interface TaskTextDoc {
  /** Position among all tasks, in order of creation, from 0. */
  number: number;
  /** Order number of the vertex that created it: the text is public from the next block on. */
  order: number;
  title: string;
  description: string;
  category: string;
  delivery_method: string;
  routing: string;
  success_criteria: string[];
  required_checks: string[];
  tags: string[];
  spec_hash: string;
  policy_version: string;
  challenge_window_secs: number;
  max_delivery_time_secs: number;
  /** content or external. */
  delivered: string;
  pay_external_on_silence?: boolean;
  accept_no_judges?: boolean;
  acceptance?: AcceptanceDoc;
  /** Of a direct hire: the agent, and open or refund. */
  reserved_for?: string;
  reserved_then?: string;
}

/** One check of a contract (protocol 14.9). */
export interface CheckDoc {
  /** Hash of the program in hex. */
  program: string;
  parameters: Record<string, unknown>;
  fuel: number;
  fields: string[];
  seeded: boolean;
}

/** What accepts a delivery. */
export interface AcceptanceDoc {
  checks: CheckDoc[];
  /** review or on_pass. */
  settle: string;
  /** acceptance_contract_hash. */
  hash: string;
}

/** The outcome of a run of a contract. */
export interface ContractReportDoc {
  passed: boolean;
  /** Position of the check that failed; 0 on a pass. */
  check: number;
  /** Its program; absent on a pass. */
  program?: string;
  /** How its run ended (protocol 14.6). */
  end: string;
  reason: string;
  /** The lowest score of the checks that ran. */
  score_bp: number;
  /** Used by all checks that ran. */
  fuel: number;
}

/** A submission whose contract is to run: nobody is shown it before it has passed. */
export interface DueDeliveryDoc {
  submission: SubmissionDoc;
  content: string;
}

/** A published program without its module. */
export interface ProgramDoc {
  hash: string;
  bytes: number;
  publisher_id: string;
  /** Order number of the vertex that published it: it may be named from the next block on. */
  order: number;
  published_at: number;
}

/** Runs of contracts, by the checks of a program or the tasks of a poster. */
export interface RunCountDoc {
  runs: number;
  passed: number;
}

/** The part of a task that the core decides, as of the end of a block, in members of the Task object. */
export interface TaskCoreDoc {
  poster_id: string;
  claimer_id?: string | undefined;
  budget: number;
  escrow_amount: number;
  escrow_locked_to?: string | undefined;
  status: string;
  payout_status: string;
  resolution?: string | undefined;
  requested_lane?: string | undefined;
  assurance_lane?: string | undefined;
  downgraded: boolean;
  is_subtask: boolean;
  generation_eligible: boolean;
  assurance_fee?: number | undefined;
  worker_net_payout?: number | undefined;
  base_fee?: number | undefined;
  worker_bond: number;
  dispute_bond: number;
  contested?: boolean | undefined;
  dispute_panels?: number | undefined;
  no_quorum: string;
  worker_share_bp?: number | undefined;
  panel?: string[] | undefined;
  submission_event_id?: string | undefined;
  dispute_event_id?: string | undefined;
  parent_task_id?: string | undefined;
  routed_to?: string | undefined;
  replay_status?: string | undefined;
  replay_job_id?: string | undefined;
  generation_status?: string | undefined;
  posted_at: number;
  expires_at?: number | undefined;
  exclusive_until?: number | undefined;
  reserved_until?: number | undefined;
  claimed_at?: number | undefined;
  claim_deadline?: number | undefined;
  cancel_at?: number | undefined;
  submitted_at?: number | undefined;
  review_deadline?: number | undefined;
  disputed_at?: number | undefined;
  dispute_deadline?: number | undefined;
  completed_at?: number | undefined;
  cancelled_at?: number | undefined;
  /** A submission waits for the run of the contract. */
  acceptance_due?: boolean | undefined;
}

/** A sealed delivery that was opened (protocol 15.10): by whom, when, and whether its box holds a delivery. */
export interface OpeningDoc {
  content_key: string;
  opened_by: string;
  opened_at: number;
  is_delivery: boolean;
}

/** A validator that judges a contested dispute, and how far its vote is (protocol 15.8). */
export interface DisputeJudgeDoc {
  validator_id: string;
  vote: 'none' | 'committed' | 'revealed';
}

/** The changing part of a task. */
export interface TaskStateDoc {
  /** Missing between the transaction that posts the task and the end of its block. */
  core?: TaskCoreDoc;
  /** Row numbers of the parties, for lists. */
  poster?: number;
  claimer?: number;
  /** Row of the agent that the task is reserved for, while it is open. */
  hired?: number;
  /** Micro-units paid to its worker so far. */
  paid: number;
  dispute_reason?: string;
  /** While judges may vote: the panel, or where there is none whoever has committed. */
  dispute_judges?: DisputeJudgeDoc[];
  opening?: OpeningDoc;
  /** Of the newest run of its contract. */
  acceptance_report?: ContractReportDoc & { submission_event_id: string };
  /** Ids of subtasks in order of creation. */
  subtasks: string[];
  /** Number of trajectory commits. */
  commits: number;
}

/** The submission: from the request that submitted the result, and the node's verification of it. */
export interface SubmissionDoc {
  /** Its event; the payload has the request's fields except the content. */
  event_id: string;
  result_hash: string;
  result_note?: string;
  result_uri?: string;
  result_encrypted: boolean;
  /** Of a sealed box: what was committed to, and the order number of the vertex, after which it may be opened. */
  key_commitment?: string;
  order?: number;
  evidence: Evidence;
  verification: VerificationResult;
  score: VerificationScore;
}

/** TrajectoryCommit (protocol 3.5) without its body. */
export interface CommitDoc {
  event_id: string;
  task_id: string;
  agent_id: string;
  branch_id: string;
  outcome: string;
  parent_commit_id?: string;
  category_hint?: string;
  checkpoint_hash: string;
  checkpoint_size: number;
  compute_cost: number;
  quality_score_bp: number;
  causal_timestamp: number;
  timestamp: number;
}

/** Body of a commit; empty texts are stored, too. */
export interface CommitBody {
  approach_description: string;
  error_detail: string;
  evidence_snippet: string;
  intermediate_output_hash: string;
  parameters: Record<string, string>;
}

/** Sums over all tasks, for TaskStats. */
export interface TaskTotals {
  count: number;
  by_status: Record<string, number>;
  /** Budgets of top-level tasks. */
  budget: number;
  escrowed: number;
  /** Of it, in subtasks. */
  escrowed_subtasks: number;
  /** Bonds of workers that are held. */
  claim_bonds: number;
  paid: number;
  /** Number of categories that have a counter. */
  categories: number;
}

/** Counter of one category; the category's number is the position of its counter. */
export interface CategoryDoc {
  name: string;
  /** Top-level tasks. */
  tasks: number;
}

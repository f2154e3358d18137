// Challenges, replay jobs and canaries in the model: plain objects with references instead of rows.

import type { ModelAgent } from './state.ts';
import type { ModelTask } from './task-state.ts';
import type { ModelValidator } from './validator-state.ts';

export interface ModelChallengeVote {
  validator: ModelValidator;
  /** CHALLENGE_SUCCEEDED, _FAILED or _PARTIAL. */
  outcome: number;
  at: number;
}

export interface ModelChallenge {
  /** hex24 */
  id: string;
  /** hex64 of the event that opened it. */
  event: string;
  task: ModelTask;
  status: number;
  offense: number;
  challenger: ModelAgent;
  target: ModelValidator;
  bond: bigint;
  created: number;
  deadline: number;
  isProtocol: boolean;
  votes: ModelChallengeVote[];
  /** From here 0 until it is resolved. */
  resolvedAt: number;
  refunded: bigint;
  forfeit: bigint;
  slash: bigint;
  bounty: bigint;
  /** Weights for succeeded, failed, partial, and of all who may judge, as of the resolution. */
  weights: bigint[];
  total: bigint;
  participants: number;
}

export interface ModelJob {
  /** hex64 */
  id: string;
  task: ModelTask;
  status: number;
  reason: number;
  /** Executors in order of attempts; the last is the present one. */
  executors: ModelValidator[];
  reward: bigint;
  created: number;
  deadline: number;
  closedAt: number;
  outcome: number;
  action: number;
  severity: number;
  mismatches: number;
}

export interface ModelCanary {
  /** In the ring; the oldest gives way. */
  place: number;
  commitment: string;
  validator: ModelValidator;
  at: number;
}

// API names of the core's numbers for tasks (protocol 2).

import * as abi from '../../assembly/abi.ts';

export const TASK_STATUS: Readonly<Record<number, string>> = {
  [abi.TASK_OPEN]: 'open',
  [abi.TASK_CLAIMED]: 'claimed',
  [abi.TASK_SUBMITTED]: 'submitted',
  [abi.TASK_COMPLETED]: 'completed',
  [abi.TASK_DISPUTED]: 'disputed',
  [abi.TASK_CANCELLED]: 'cancelled',
};
/** The position numbers a status in stored lists: append only. */
export const TASK_STATUSES: readonly string[] = [
  'open',
  'claimed',
  'submitted',
  'completed',
  'disputed',
  'cancelled',
];
export const LANE: Readonly<Record<number, string | undefined>> = {
  [abi.LANE_NONE]: undefined,
  [abi.LANE_STANDARD]: 'standard',
  [abi.LANE_HIGH]: 'high_assurance',
  [abi.LANE_ENTERPRISE]: 'enterprise',
};
export const RESOLUTION: Readonly<Record<number, string | undefined>> = {
  [abi.RESOLUTION_NONE]: undefined,
  [abi.RESOLUTION_APPROVED]: 'approved',
  [abi.RESOLUTION_WINDOW_PASSED]: 'window_passed',
  [abi.RESOLUTION_DISPUTE_QUORUM]: 'dispute_quorum',
  [abi.RESOLUTION_DISPUTE_DEADLINE]: 'dispute_deadline',
  [abi.RESOLUTION_POSTER_CANCELLED]: 'poster_cancelled',
  [abi.RESOLUTION_EXPIRED]: 'expired',
  [abi.RESOLUTION_PARENT_CLOSED]: 'parent_closed',
  [abi.RESOLUTION_NOTHING_DELIVERED]: 'nothing_delivered',
  [abi.RESOLUTION_CONCEDED]: 'conceded',
  [abi.RESOLUTION_CONTRACT]: 'contract',
  [abi.RESOLUTION_UNREVIEWED]: 'unreviewed',
  [abi.RESOLUTION_DECLINED]: 'declined',
};
export const NO_QUORUM: Readonly<Record<number, string>> = {
  [abi.NO_QUORUM_SPLIT]: 'split',
  [abi.NO_QUORUM_WORKER]: 'worker',
  [abi.NO_QUORUM_POSTER]: 'poster',
};
export const NO_QUORUM_OF = {
  split: abi.NO_QUORUM_SPLIT,
  worker: abi.NO_QUORUM_WORKER,
  poster: abi.NO_QUORUM_POSTER,
} as const;
/** GROUND_* by name. */
export const GROUND_OF = {
  nothing_delivered: abi.GROUND_NOTHING_DELIVERED,
  plagiarism: abi.GROUND_PLAGIARISM,
  fraud: abi.GROUND_FRAUD,
} as const;
export const GROUND: Readonly<Record<number, string>> = {
  [abi.GROUND_NOTHING_DELIVERED]: 'nothing_delivered',
  [abi.GROUND_PLAGIARISM]: 'plagiarism',
  [abi.GROUND_FRAUD]: 'fraud',
};
export const PAYOUT: Readonly<Record<number, string>> = {
  [abi.PAYOUT_NONE]: 'none',
  [abi.PAYOUT_HELD]: 'held',
  [abi.PAYOUT_PAID]: 'paid',
  [abi.PAYOUT_REFUNDED]: 'refunded',
};
export const GENERATION: Readonly<Record<number, string | undefined>> = {
  [abi.GENERATION_NONE]: undefined,
  [abi.GENERATION_HELD]: 'held',
  [abi.GENERATION_RECOGNIZED]: 'recognized',
  [abi.GENERATION_DENIED]: 'denied',
};
export const REPLAY: Readonly<Record<number, string | undefined>> = {
  [abi.REPLAY_NONE]: undefined,
  [abi.REPLAY_PENDING]: 'replay_pending',
  [abi.REPLAY_COMPLETE]: 'replay_complete',
  [abi.REPLAY_DISPUTED]: 'replay_disputed',
};

/** True for a final status: the task never changes its status again. */
export const isFinal = (status: string): boolean => status === 'completed' || status === 'cancelled';

// The event types (protocol 2.1). The position numbers a type in stored lists: append only.

export const EVENT_TYPES = [
  'genesis',
  'registration',
  'faucet_grant',
  'stake',
  'unstake',
  'transfer',
  'generation',
  'verification',
  'settlement',
  'slash',
  'task_posted',
  'subtask_posted',
  'task_claimed',
  'task_submitted',
  'task_approved',
  'task_cancelled',
  'task_disputed',
  'claim_expired',
  'task_settled',
  'trajectory_commit',
  'router_registered',
  'router_unregistered',
  'router_availability',
  'task_routed',
  'service_listed',
  'service_unlisted',
  'challenge_opened',
  'challenge_vote',
  'challenge_resolved',
  'replay_created',
  'replay_submitted',
  'replay_closed',
  'validator_applied',
  'validator_resumed',
  'validator_status',
  'recovery_key_set',
  'ValidatorKeyRotate',
  'api_key_created',
  'api_key_revoked',
  'canary_commit',
  'canary_reveal',
  'seat_resumed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Number of a type in list keys, from 1; 0 means any type. */
export const typeNumber = (type: EventType): number => EVENT_TYPES.indexOf(type) + 1;

/** Types that take verdicts: the filter values of GET /v1/pending. */
export const VERIFIABLE_TYPES = ['transfer', 'generation', 'task_submitted', 'task_disputed'] as const;

// The stream data of each event type: one table, from which messages and the API description are generated.
// Keeps: the data of an event is the same whenever and wherever it is read, so no member comes from a part of the stored
// document that later events change. Members without a value are left out. Source: protocol 2.1, 9.

import type { EventDoc } from '../store/documents.ts';
import { EVENT_TYPES, type EventType } from '../store/event-types.ts';
import { typeSchema } from './object-schema.ts';

type Read = (doc: EventDoc) => unknown;
/** A type of the table of objects, with `?` if the member may be missing; with a reader if it is not read by its name. */
type Member = string | readonly [type: string, read: Read];

const author: Read = (doc) => doc.agent_id;
const recipient: Read = (doc) => doc.recipient_id;
/** The state at the event itself; the stored document changes when the event is settled. */
const initialState: Read = () => 'optimistic';

const AMOUNT = { amount: 'u', staked_amount: 'u?' } as const;
const POSTED = {
  task_id: 'str',
  title: 'str',
  category: 'str',
  budget: 'u',
  assurance_lane: 'str?',
  parent_task_id: 'str?',
  reserved_for: ['str?', recipient],
} as const;
const ROUTER = { categories: 'str[]?', available: 'bool?' } as const;
const SERVICE = { name: 'str', category: 'str', active: 'bool' } as const;
const CHALLENGE = {
  challenge_id: 'str',
  task_id: 'str',
  target_id: 'str',
  bond: 'u?',
  outcome: 'any?',
  status: 'str?',
  slash_amount: 'u?',
  bounty: 'u?',
} as const;
const REPLAY = {
  job_id: 'str',
  task_id: 'str',
  executor_id: 'str',
  status: 'str?',
  outcome: 'str?',
  action: 'str?',
} as const;
const VALIDATOR = {
  validator_id: 'str',
  status: 'str',
  reason: 'str?',
  suspended_until: 'ts?',
} as const;
const SEAT_KEY = {
  validator_id: 'str',
  effective_at: 'ts',
  old_public_key: 'hex64?',
  new_public_key: 'hex64?',
  old_key_epoch: 'int?',
  new_key_epoch: 'int?',
  signed_by: 'str?',
} as const;
const CANARY = { commitment: 'str', task_id: 'str?', truth: 'any?' } as const;

/** Members of `data` in addition to event_id and agent_id. */
export const STREAM_DATA = {
  genesis: { chain_id: 'str', genesis_hash: 'hex64' },
  registration: {
    public_key: 'hex64?',
    deposit_address: 'str?',
    onboarding_allocation: 'u',
    staked_amount: 'u',
  },
  faucet_grant: AMOUNT,
  stake: AMOUNT,
  unstake: AMOUNT,
  transfer: {
    from: ['str', author],
    to: ['str', recipient],
    amount: 'u',
    memo: 'str?',
    deadline: 'ts',
    settlement_state: ['str', initialState],
  },
  generation: {
    beneficiary: ['str', recipient],
    claimed_value: 'u',
    evidence_hash: 'str',
    deadline: 'ts',
    settlement_state: ['str', initialState],
  },
  verification: {
    target_event_id: 'hex64',
    validator_id: 'str',
    verdict: 'bool',
    verified_value: ['u?', (doc) => doc.payload.verified_value],
    ground: ['str?', (doc) => doc.payload.ground],
    worker_share_bp: ['int?', (doc) => doc.payload.worker_share_bp],
    weight: 'int',
  },
  settlement: {
    target_event_id: 'hex64',
    target_type: 'str',
    settlement_state: 'str',
    settlement_reason: 'str',
    amount: 'u?',
    verified_value: 'u?',
    fee: 'u?',
    votes: 'Votes',
  },
  slash: {
    target_agent: 'str',
    amount: 'u',
    reason: 'str',
    remaining_stake: 'u',
    challenge_id: 'str?',
  },
  task_posted: POSTED,
  subtask_posted: POSTED,
  task_claimed: { task_id: 'str', claim_deadline: 'ts' },
  task_submitted: {
    task_id: 'str',
    result_hash: 'str',
    verdict: 'str?',
    overall: 'ratio?',
    panel: 'str[]?',
    review_deadline: 'ts?',
  },
  task_approved: { task_id: 'str', reason: 'str?' },
  task_cancelled: { task_id: 'str', reason: 'str?' },
  task_disputed: { task_id: 'str', reason: 'str?', dispute_deadline: 'ts' },
  claim_expired: { task_id: 'str', claimer_id: 'str' },
  task_settled: {
    task_id: 'str',
    resolution: 'str',
    claimer_id: 'str?',
    payout: 'u',
    refund: 'u',
    base_fee: 'u',
    assurance_fee: 'u',
    replay: 'bool',
    bootstrap_reward: 'u',
  },
  trajectory_commit: {
    task_id: 'str',
    checkpoint_hash: 'hex64',
    checkpoint_size: 'int',
    branch_id: 'str',
    outcome: 'str',
  },
  router_registered: ROUTER,
  router_unregistered: ROUTER,
  router_availability: ROUTER,
  task_routed: { task_id: 'str', routed_to: 'str', match_score: 'bp', is_newcomer: 'bool' },
  service_listed: SERVICE,
  service_unlisted: SERVICE,
  challenge_opened: CHALLENGE,
  challenge_vote: CHALLENGE,
  challenge_resolved: CHALLENGE,
  replay_created: REPLAY,
  replay_submitted: REPLAY,
  replay_closed: REPLAY,
  validator_applied: VALIDATOR,
  validator_resumed: VALIDATOR,
  validator_status: VALIDATOR,
  recovery_key_set: SEAT_KEY,
  ValidatorKeyRotate: SEAT_KEY,
  api_key_created: { key_id: 'str' },
  api_key_revoked: { key_id: 'str' },
  canary_commit: CANARY,
  canary_reveal: CANARY,
  seat_resumed: {
    validator_id: 'str',
    seat: 'int',
    epoch: 'int',
    incarnation: 'int',
    writes_may_be_lost: 'bool',
  },
  seat_weight: {
    seat: 'int',
    validator_id: 'str',
    change: 'str',
    epoch: 'int',
    silent_from_epoch: 'int?',
    silent_since: 'ts?',
  },
  validator_objected: VALIDATOR,
  task_cancel_requested: { task_id: 'str', cancel_at: 'ts' },
  canary_return: AMOUNT,
  program_published: { hash: 'hex64', bytes: 'int' },
  task_released: { task_id: 'str' },
  task_checked: {
    task_id: 'str',
    submission_event_id: 'hex64',
    claimer_id: 'str',
    passed: 'bool',
    check: 'int',
    end: 'str',
    reason: 'str',
    score_bp: 'bp',
    fee: 'u',
  },
  task_contested: { task_id: 'str', reason: 'str?', dispute_deadline: 'ts' },
  task_conceded: { task_id: 'str' },
  task_declined: { task_id: 'str', reason: 'str?' },
  validator_judge: { validator_id: 'str', announced: 'bool' },
  vote_committed: { target_event_id: 'hex64', validator_id: 'str', commitment: 'hex64' },
  task_opened: { task_id: 'str', content_key: 'hex64' },
} as const satisfies Record<EventType, Readonly<Record<string, Member>>>;

const membersOf = (type: EventType): [name: string, member: Member][] =>
  Object.entries<Member>(STREAM_DATA[type]);

/** Reads a member by its name: from the payload, which has the data of system events, else from the event itself. */
const named =
  (name: string): Read =>
  (doc) =>
    doc.payload[name] ?? (doc as unknown as Record<string, unknown>)[name];

const READERS = new Map<EventType, [name: string, read: Read][]>(
  EVENT_TYPES.map((type) => [
    type,
    membersOf(type).map(([name, m]) => [name, typeof m === 'string' ? named(name) : m[1]]),
  ]),
);

/** `data` of an event's message, whether live or read from the store later. */
export function streamData(doc: EventDoc): Record<string, unknown> {
  const data: Record<string, unknown> = { event_id: doc.event_id, agent_id: doc.agent_id };
  for (const [name, read] of READERS.get(doc.event_type)!) {
    const value = read(doc);
    if (value !== undefined && value !== null) data[name] = value;
  }
  return data;
}

const BASE: [name: string, member: Member][] = [
  ['event_id', 'hex64'],
  ['agent_id', 'str'],
];

/** JSON Schema of `data` for a type. */
export function streamDataSchema(type: EventType): Record<string, unknown> {
  const texts = [...BASE, ...membersOf(type)].map(([name, m]): [string, string] => [
    name,
    typeof m === 'string' ? m : m[0],
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(texts.map(([name, text]) => [name, typeSchema(text.replace('?', ''))])),
    required: texts.filter(([, text]) => !text.endsWith('?')).map(([name]) => name),
  };
}

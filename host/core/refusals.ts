// Maps a core code to the error that a client sees, with its details (protocol 2.2).
// Keeps: every code of assembly/abi.ts is here; a test checks the list.

import * as abi from '../../assembly/abi.ts';
import type { ErrorCode, ErrorInit } from '../errors.ts';
import { ServiceError } from '../errors.ts';
import { SCOPES } from '../wire/operations.ts';

/** Names that only the host can add to a refusal. */
interface RefusalNames {
  agentId(index: number): string;
}
type Row = [ErrorCode, ((details: number[], names: RefusalNames) => ErrorInit)?];

const retry = (secs: number): Record<string, string> => ({ 'Retry-After': String(secs) });
const REASONS: Record<number, string> = {
  [abi.REASON_STAKE_ABOVE_GRANT]: 'initial_stake is above the grant',
  [abi.REASON_SELF_TRANSFER]: 'sender and recipient are the same agent',
  [abi.REASON_VALUE_ABOVE_CLAIM]: 'verified_value is above the claimed value of the event',
  [abi.REASON_VALUE_ZERO]: 'verified_value of an approved generation must be at least 1',
  [abi.REASON_KEY_EXPIRY]: 'expires_at must be later than now',
  [abi.REASON_CONSENSUS_KEY]: 'recovery_public_key must differ from the consensus key',
  [abi.REASON_VALIDATOR_ID]: 'agent_id is the id of a validator',
  [abi.REASON_GROUND]: 'ground is for the work of a dispute',
  [abi.REASON_SHARE]: 'worker_share_bp is for the work of a dispute',
  [abi.REASON_COMMITMENT]:
    'only votes on a dispute are committed and revealed: give this verdict without salt',
  [abi.REASON_ID_TAKEN]:
    'an agent has the id that the validator would get: send the request with another nonce',
};

const LANES: Record<number, string> = {
  [abi.LANE_NONE]: 'none',
  [abi.LANE_STANDARD]: 'standard',
  [abi.LANE_HIGH]: 'high_assurance',
  [abi.LANE_ENTERPRISE]: 'enterprise',
};

const STAKE_LOCKS = ['exposure', 'validator_lock', 'claims'] as const;
const CLAIM_BOUNDS = ['claims', 'budgets'] as const;

/** Which bound of protocol 4.4 a claim met, and the stake that would raise it; none raises the limit of 20 claims. */
function claimLimit([bound, held, limit, stake_missing]: number[]): ErrorInit {
  const details = { bound: CLAIM_BOUNDS[bound ?? 0], held, limit };
  if (!stake_missing) return { text: `an agent holds at most ${limit} claimed tasks`, details };
  return { details: { ...details, stake_missing } };
}

export const REFUSALS: Record<number, Row> = {
  [abi.ENTRY_INVALID]: ['invalid_request'],
  [abi.TX_EXPIRED]: [
    'tx_expired',
    ([window]) => ({ details: { reason: window === abi.WINDOW_AHEAD ? 'created_in_future' : 'expired' } }),
  ],
  [abi.AUTH_REQUIRED]: ['auth_required'],
  [abi.INVALID_API_KEY]: ['invalid_api_key'],
  [abi.INSUFFICIENT_SCOPE]: [
    'insufficient_scope',
    ([bit]) => ({ details: { required: SCOPES[Math.log2(bit ?? 1)] } }),
  ],
  [abi.KEY_RATE]: [
    'rate_limited',
    ([secs]) => ({ text: 'the hourly limit of the API key is used up', headers: retry(secs ?? 3600) }),
  ],
  [abi.DUPLICATE_TX]: ['DUPLICATE_TX'],
  [abi.AGENT_NOT_FOUND]: ['agent_not_found', () => ({ text: 'the acting agent is not registered' })],
  [abi.INVALID_REQUEST]: [
    'invalid_request',
    ([reason, fee]) =>
      reason === abi.REASON_MAX_FEE
        ? {
            text: `the row of a validator costs ${fee} micro-units now, more than max_fee`,
            details: { fee },
            isOfState: true,
          }
        : { text: REASONS[reason ?? 0] ?? 'invalid request' },
  ],
  [abi.ALREADY_REGISTERED]: ['already_registered'],
  [abi.FAUCET_COOLDOWN]: ['faucet_cooldown', ([secs]) => ({ headers: retry(secs ?? 1) })],
  [abi.FAUCET_EMPTY]: [
    'faucet_empty',
    ([secs]) =>
      secs
        ? { text: 'this seat has given out its part of the daily budget', headers: retry(secs) }
        : { headers: retry(3600) },
  ],
  [abi.RECIPIENT_NOT_FOUND]: ['agent_not_found'],
  [abi.TRUST_LIMIT_EXCEEDED]: [
    'trust_limit_exceeded',
    ([trust_limit, exposure, amount]) => ({ details: { trust_limit, exposure, amount } }),
  ],
  [abi.INSUFFICIENT_BALANCE]: [
    'insufficient_balance',
    ([balance, needed]) => ({ details: { balance, needed } }),
  ],
  [abi.INSUFFICIENT_STAKE]: [
    'insufficient_stake',
    ([staked_amount, amount]) => ({ details: { staked_amount, amount } }),
  ],
  [abi.STAKE_LOCKED]: [
    'stake_locked',
    ([reason, releasable]) => ({
      details: { reason: STAKE_LOCKS[reason ?? 0], releasable },
    }),
  ],
  [abi.NOT_PENDING]: ['not_pending'],
  [abi.SELF_DEALING]: ['self_dealing'],
  [abi.NOT_A_VALIDATOR]: ['not_a_validator'],
  [abi.ALREADY_VOTED]: ['already_voted'],
  [abi.KEY_NOT_FOUND]: ['key_not_found'],
  [abi.FORBIDDEN_ACTOR]: ['forbidden_actor'],
  [abi.KEY_LIMIT]: ['invalid_state', () => ({ text: 'an owner has at most 50 active keys' })],
  [abi.CAPACITY]: [
    'overloaded',
    () => ({ text: 'a table of this network is full', headers: retry(60), isOfState: true }),
  ],
  [abi.NOT_ASSIGNED]: ['not_assigned'],
  [abi.NOT_COMMITTED]: ['not_committed'],
  [abi.COMMITMENTS_OVER]: ['commitments_over', ([until]) => ({ details: { reveal_until: until } })],
  [abi.REVEAL_EARLY]: ['reveal_early', ([until]) => ({ details: { commit_until: until } })],
  [abi.COMMITMENT_DIFFERS]: ['commitment_differs'],
  [abi.TASK_NOT_FOUND]: ['task_not_found'],
  [abi.NOT_POSTER]: ['not_poster'],
  [abi.TASK_STATE]: ['invalid_state'],
  [abi.SELF_CLAIM]: ['self_claim'],
  [abi.CLAIM_BARRED]: ['claim_barred'],
  [abi.ROUTED_TO_OTHER]: [
    'routed_to_other',
    ([agent, exclusive_until], names) => ({
      details: { routed_to: names.agentId(agent ?? 0), exclusive_until },
    }),
  ],
  [abi.RESERVED_FOR_OTHER]: [
    'reserved_for_other',
    ([agent, reserved_until], names) => ({
      details: { reserved_for: names.agentId(agent ?? 0), reserved_until },
    }),
  ],
  [abi.CLAIM_LIMIT]: ['claim_limit', claimLimit],
  [abi.NOT_CLAIMER]: ['not_claimer'],
  [abi.NOT_PARTY]: ['not_party'],
  [abi.CONTENT_KEY_NEEDED]: ['content_key_needed'],
  [abi.CONTENT_KEY_MISMATCH]: ['content_key_mismatch'],
  [abi.SUBTASKS_OPEN]: ['subtasks_open'],
  [abi.DELIVERY_MISMATCH]: ['delivery_mismatch'],
  [abi.NOT_SEALED]: ['not_sealed'],
  [abi.DELIVERY_MISSING]: ['delivery_missing'],
  [abi.RESULT_HASH_MISMATCH]: ['result_hash_mismatch'],
  [abi.BUDGET_BELOW_MINIMUM]: ['budget_below_minimum', ([minimum]) => ({ details: { minimum } })],
  [abi.ASSURANCE_BLOCKED]: [
    'assurance_blocked',
    ([reserve, required]) => ({ details: { reserve, required } }),
  ],
  [abi.TOO_FEW_JUDGES]: ['too_few_judges', ([announced, required]) => ({ details: { announced, required } })],
  [abi.SECURITY_FLOOR]: [
    'SecurityFloorError',
    ([asked, offered, required, available]) => ({
      details: {
        requested_lane: LANES[asked ?? 0],
        offered_lane: LANES[offered ?? 0],
        required,
        available,
      },
    }),
  ],
  [abi.COMMIT_NOT_FOUND]: [
    'event_not_found',
    () => ({ text: 'parent_commit_id is not a commit of this task' }),
  ],
  [abi.COMMIT_RATE]: [
    'rate_limited',
    ([secs]) => ({ text: 'more than 10 commits by one agent in 60 seconds', headers: retry(secs ?? 60) }),
  ],
  [abi.CAPABILITY_NOT_FOUND]: ['capability_not_found'],
  [abi.LISTING_NOT_FOUND]: ['listing_not_found'],
  [abi.NOT_CHALLENGEABLE]: ['not_challengeable'],
  [abi.ALREADY_CHALLENGED]: ['already_challenged'],
  [abi.BOND_BELOW_MINIMUM]: ['bond_below_minimum', ([minimum]) => ({ details: { minimum } })],
  [abi.CHALLENGE_NOT_FOUND]: ['challenge_not_found'],
  [abi.JOB_NOT_FOUND]: ['replay_job_not_found'],
  [abi.USE_REPLAY_SUBMIT]: ['use_replay_submit'],
  [abi.VALIDATOR_NOT_FOUND]: ['validator_not_found'],
  [abi.ALREADY_VALIDATOR]: ['already_validator'],
  [abi.PERMANENTLY_EXCLUDED]: ['permanently_excluded'],
  [abi.STAKE_BELOW_REQUIRED]: [
    'stake_below_required',
    ([staked_amount, required_stake]) => ({ details: { staked_amount, required_stake } }),
  ],
  [abi.COOLDOWN_ACTIVE]: ['cooldown_active', ([suspended_until]) => ({ details: { suspended_until } })],
  [abi.KEY_IN_USE]: ['key_in_use'],
  [abi.ROTATION_PENDING]: ['rotation_pending'],
};

/** The error for a core code other than OK. */
export function refusalOf(code: number, details: number[], names: RefusalNames): ServiceError {
  const row = REFUSALS[code];
  if (!row) throw new Error(`core answered an unknown code ${code}`);
  return new ServiceError(row[0], row[1]?.(details, names));
}

// From a core code to the error a client sees, with its details (DECISIONS 2.2).
// Keeps: every code of assembly/abi.ts is here; a test walks the list.

import * as abi from '../../assembly/abi.ts';
import type { ErrorCode, ErrorInit } from '../errors.ts';
import { ServiceError } from '../errors.ts';
import { SCOPES } from '../wire/operations.ts';

type Row = [ErrorCode, ((details: number[]) => ErrorInit)?];

const retry = (secs: number): Record<string, string> => ({ 'Retry-After': String(secs) });
const REASONS: Record<number, string> = {
  [abi.REASON_STAKE_ABOVE_GRANT]: 'initial_stake is above the grant',
  [abi.REASON_SELF_TRANSFER]: 'sender and recipient are the same agent',
  [abi.REASON_VALUE_ABOVE_CLAIM]: 'verified_value is above what the event claims',
  [abi.REASON_VALUE_ZERO]: 'verified_value of an approved generation must be at least 1',
  [abi.REASON_KEY_EXPIRY]: 'expires_at must be later than now',
};

export const REFUSALS: Record<number, Row> = {
  [abi.ENTRY_INVALID]: ['invalid_request'],
  [abi.TX_EXPIRED]: ['tx_expired', () => ({ details: { reason: 'expired' } })],
  [abi.AUTH_REQUIRED]: ['auth_required'],
  [abi.INVALID_API_KEY]: ['invalid_api_key'],
  [abi.INSUFFICIENT_SCOPE]: [
    'insufficient_scope',
    ([bit]) => ({ details: { required: SCOPES[Math.log2(bit ?? 1)] } }),
  ],
  [abi.DUPLICATE_TX]: ['DUPLICATE_TX'],
  [abi.AGENT_NOT_FOUND]: ['agent_not_found', () => ({ text: 'the acting agent is not registered' })],
  [abi.INVALID_REQUEST]: [
    'invalid_request',
    ([reason]) => ({ text: REASONS[reason ?? 0] ?? 'invalid request' }),
  ],
  [abi.ALREADY_REGISTERED]: ['already_registered'],
  [abi.FAUCET_COOLDOWN]: ['faucet_cooldown', ([secs]) => ({ headers: retry(secs ?? 1) })],
  [abi.FAUCET_EMPTY]: ['faucet_empty', () => ({ headers: retry(3600) })],
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
      details: { reason: reason === 0 ? 'exposure' : 'validator_lock', releasable },
    }),
  ],
  [abi.NOT_PENDING]: ['not_pending'],
  [abi.SELF_DEALING]: ['self_dealing'],
  [abi.NOT_A_VALIDATOR]: ['not_a_validator'],
  [abi.ALREADY_VOTED]: ['already_voted'],
  [abi.KEY_NOT_FOUND]: ['key_not_found'],
  [abi.FORBIDDEN_ACTOR]: ['forbidden_actor'],
  [abi.KEY_LIMIT]: ['invalid_state', () => ({ text: 'an owner has at most 50 active keys' })],
  [abi.CAPACITY]: ['overloaded', () => ({ text: 'a table of this network is full', headers: retry(60) })],
};

/** The refusal that a core code other than OK stands for. */
export function refusalOf(code: number, details: number[]): ServiceError {
  const row = REFUSALS[code];
  if (!row) throw new Error(`core answered an unknown code ${code}`);
  return new ServiceError(row[0], row[1]?.(details));
}

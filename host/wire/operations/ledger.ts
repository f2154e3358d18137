// Writes about agents, transfers, stake and verdicts (DECISIONS 4.1 to 4.3).

import { AGENT, AMOUNT, type Operation } from './types.ts';

export const LEDGER_OPERATIONS = {
  register: {
    method: 'POST',
    path: '/v1/agents',
    fields: {
      agent_id: { kind: 'str', max: 64, form: 'agent', doc: 'default: hex of the public key' },
      public_key_b64: { kind: 'str', max: 64, form: 'base64', doc: 'base64 of the 32-byte Ed25519 key' },
      initial_stake: { kind: 'int', doc: 'micro-units, at most the grant' },
      display_name: { kind: 'str', max: 64 },
    },
    actors: [],
    event: 'registration',
    status: 201,
  },
  faucet: {
    method: 'POST',
    path: '/v1/faucet',
    fields: {},
    actors: ['agent_id'],
    scope: 'agents',
    event: 'faucet_grant',
    status: 200,
  },
  transfer: {
    method: 'POST',
    path: '/v1/transfer',
    fields: {
      to_agent: { kind: 'str', min: 1, max: 64, required: true },
      amount: AMOUNT,
      memo: { kind: 'str', max: 256 },
    },
    actors: ['from_agent'],
    scope: 'transfers',
    event: 'transfer',
    status: 201,
  },
  generation: {
    method: 'POST',
    path: '/v1/generation',
    fields: {
      beneficiary: AGENT,
      claimed_value: AMOUNT,
      evidence_hash: { kind: 'str', min: 1, max: 128, required: true },
      task_description: { kind: 'str', max: 5000 },
    },
    actors: ['agent_id'],
    scope: 'transfers',
    event: 'generation',
    status: 201,
  },
  stake: {
    method: 'POST',
    path: '/v1/stake',
    fields: { amount: AMOUNT },
    actors: ['agent_id'],
    scope: 'staking',
    event: 'stake',
    status: 200,
  },
  unstake: {
    method: 'POST',
    path: '/v1/unstake',
    fields: { amount: AMOUNT },
    actors: ['agent_id'],
    scope: 'staking',
    event: 'unstake',
    status: 200,
  },
  verify: {
    method: 'POST',
    path: '/v1/verify',
    fields: {
      event_id: { kind: 'str', min: 1, max: 128, required: true },
      verdict: { kind: 'bool', required: true, doc: 'true approves' },
      verified_value: {
        kind: 'int',
        doc: 'micro-units; generation: 1..claimed_value, default claimed_value',
      },
    },
    actors: ['validator_id', 'agent_id'],
    scope: 'verification',
    event: 'verification',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

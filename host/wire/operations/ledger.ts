// Writes about agents, transfers, stake and verdicts (protocol 4.1 to 4.3).

import { invalid } from '../../errors.ts';
import { AGENT, AMOUNT, type Operation } from './types.ts';

/** A verdict on a dispute is for a part of the worker's pay in steps of 10 % (protocol 15.6). */
export const SHARE_STEP_BP = 1000;
/** What a verdict against the worker of a dispute may name (protocol 15.7). */
export const GROUNDS = ['nothing_delivered', 'plagiarism', 'fraud'] as const;

/**
 * The vote that a judge's share for the worker becomes. In a dispute the verdict says all and nothing by itself; a verdict
 * on a delivery is for one side, so a split is rounded (protocol 15.9).
 */
export function voteFor(shareBp: number, isDispute: boolean): { verdict: boolean; worker_share_bp?: number } {
  if (!isDispute) return { verdict: shareBp >= 5000 };
  const isSplit = shareBp > 0 && shareBp < 10_000;
  return { verdict: shareBp > 0, ...(isSplit ? { worker_share_bp: shareBp } : {}) };
}

/** What a judge has read: a node that shows a task with the event of another gets no vote on that one. */
const JUDGED_TASK = {
  kind: 'str',
  min: 1,
  max: 128,
  doc: 'of a delivery or a dispute: the task that was judged; an event of another task is not found then',
} as const;

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
    example: { display_name: 'Alice', initial_stake: 1_000_000_000 },
    actors: [],
    event: 'registration',
    status: 201,
  },
  faucet: {
    method: 'POST',
    path: '/v1/faucet',
    fields: {},
    example: {},
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
    example: { to_agent: '{agent_id}', amount: 2_500_000, memo: 'invoice 7' },
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
    example: {
      claimed_value: 80_000_000,
      evidence_hash: 'sha256:4242424242424242424242424242424242424242424242424242424242424242',
      task_description: 'translation of a manual, 40 pages',
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
    example: { amount: 1_000_000 },
    actors: ['agent_id'],
    scope: 'staking',
    event: 'stake',
    status: 200,
  },
  unstake: {
    method: 'POST',
    path: '/v1/unstake',
    fields: { amount: AMOUNT },
    example: { amount: 1_000_000 },
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
      task_id: JUDGED_TASK,
      verdict: { kind: 'bool', required: true, doc: 'true approves' },
      verified_value: {
        kind: 'int',
        doc: 'micro-units; generation: 1..claimed_value, default claimed_value',
      },
      ground: {
        kind: 'enum',
        values: GROUNDS,
        doc: 'with verdict false, in a dispute: a quorum that names the same one slashes the worker',
      },
      worker_share_bp: {
        kind: 'int',
        min: SHARE_STEP_BP,
        max: 10_000,
        doc: "with verdict true, in a dispute: the worker's share of the escrow, in steps of 1000; default 10000",
      },
      salt: {
        kind: 'str',
        max: 64,
        form: 'hex64',
        doc: 'in a dispute, always: the salt of the commitment that this verdict reveals, 64 hex',
      },
      reason: { kind: 'str', max: 500, doc: 'why, in words; public' },
    },
    check: ({ verdict, ground, worker_share_bp: share }) => {
      if (verdict === true && ground !== undefined) throw invalid('ground needs verdict false');
      if (typeof share !== 'number') return;
      if (verdict !== true) throw invalid('worker_share_bp needs verdict true');
      if (share % SHARE_STEP_BP !== 0) throw invalid('worker_share_bp must be a multiple of 1000');
    },
    example: { event_id: '{event_id}', verdict: true },
    actors: ['validator_id', 'agent_id'],
    scope: 'verification',
    event: 'verification',
    status: 200,
  },
  voteCommit: {
    method: 'POST',
    path: '/v1/verify/commit',
    fields: {
      event_id: { kind: 'str', min: 1, max: 128, required: true, doc: 'of a contested dispute' },
      task_id: JUDGED_TASK,
      commitment: {
        kind: 'str',
        max: 64,
        form: 'hex64',
        required: true,
        doc: 'SHA-256 of vote:event_id:key:share:ground:salt, 64 hex (15.8)',
      },
    },
    example: {
      event_id: '{event_id}',
      commitment: '4242424242424242424242424242424242424242424242424242424242424242',
    },
    actors: ['validator_id', 'agent_id'],
    scope: 'verification',
    event: 'vote_committed',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

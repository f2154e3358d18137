// Writes about challenges and replays (protocol 4.7, 4.8), and the two that nodes create for canaries (protocol 7.7).
// Keeps: canary writes have no endpoint; they arrive in vertices only, signed by the operator of a seat.

import { invalid } from '../../errors.ts';
import { fromHex } from '../bytes.ts';
import { CANARY_TYPES, type CanaryAnswer, isPostedWith } from '../canary.ts';
import { AGENT, type Operation } from './types.ts';

export const OFFENSES = ['fraudulent_approval', 'dishonest_replay', 'collusion'] as const;
export const CHALLENGE_OUTCOMES = ['succeeded', 'failed', 'partial'] as const;
export const REPLAY_OUTCOMES = ['match', 'partial_match', 'mismatch'] as const;
/** Largest number of checks in one report. */
const MAX_CHECKS = 50;

const CHECK_RESULT = {
  check_type: { kind: 'str', min: 1, max: 64, required: true },
  pass: { kind: 'bool', required: true },
  exit_code: { kind: 'int', min: -2_147_483_648, max: 2_147_483_647 },
  artifact_hash: {
    kind: 'str',
    min: 1,
    max: 128,
    doc: 'compared without case and without a leading sha256:',
  },
  value_bp: { kind: 'int', doc: 'basis points' },
  notes: { kind: 'str', max: 1000 },
} as const;
const JOB_ID = { kind: 'str', min: 1, max: 128, required: true } as const;
const HEX64 = { kind: 'str', max: 64, form: 'hex64', required: true } as const;

export const CASE_OPERATIONS = {
  challengeOpen: {
    method: 'POST',
    path: '/v1/challenges',
    fields: {
      task_id: { kind: 'str', min: 1, max: 128, required: true },
      target_id: { ...AGENT, required: true, doc: 'id of the validator, or agent_id of its operator' },
      offense: { kind: 'enum', values: OFFENSES, doc: 'default fraudulent_approval' },
      bond: { kind: 'int', doc: 'micro-units; default and minimum: 1 % of the budget, at least 1 token' },
      reason: { kind: 'str', max: 2000 },
      evidence_hash: { kind: 'str', max: 128 },
      evidence_uri: { kind: 'str', max: 2048, form: 'url' },
    },
    example: {
      task_id: '{task_id}',
      target_id: '{validator_id}',
      reason: 'the result counts vessels of another harbour',
      evidence_uri: 'https://example.org/harbour-log',
    },
    actors: ['challenger_id'],
    scope: 'challenges',
    event: 'challenge_opened',
    status: 201,
  },
  challengeVote: {
    method: 'POST',
    path: '/v1/challenges/{id}/resolve',
    fields: {
      outcome: { kind: 'enum', values: CHALLENGE_OUTCOMES, required: true },
      note: { kind: 'str', max: 1000 },
    },
    example: { outcome: 'failed', note: 'the log shows the same number' },
    actors: ['validator_id', 'agent_id'],
    scope: 'challenges',
    event: 'challenge_vote',
    status: 200,
  },
  replaySubmit: {
    method: 'POST',
    path: '/v1/replay/submit',
    fields: {
      job_id: JOB_ID,
      task_id: { kind: 'str', max: 128, doc: "the job's task" },
      check_results: {
        kind: 'objects',
        fields: CHECK_RESULT,
        minItems: 1,
        maxItems: MAX_CHECKS,
        required: true,
      },
    },
    example: {
      job_id: '{job_id}',
      check_results: [
        { check_type: 'has_output', pass: true },
        { check_type: 'completeness', pass: true, value_bp: 10_000, notes: 'all criteria found' },
      ],
    },
    actors: ['submitter_id'],
    scope: 'replay',
    event: 'replay_submitted',
    status: 200,
  },
  replayOutcome: {
    method: 'POST',
    path: '/v1/replay/outcome',
    fields: {
      job_id: JOB_ID,
      status: { kind: 'enum', values: ['completed', 'failed'], required: true },
      outcome: { kind: 'enum', values: REPLAY_OUTCOMES, doc: 'required for completed' },
      notes: { kind: 'str', max: 2000 },
    },
    check({ status, outcome }) {
      if (status === 'completed' && outcome === undefined) throw invalid('outcome is required');
    },
    example: { job_id: '{job_id}', status: 'failed', notes: 'the content is encrypted' },
    actors: ['submitter_id'],
    scope: 'replay',
    event: 'replay_submitted',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

export const CANARY_OPERATIONS = {
  canaryCommit: {
    method: 'POST',
    path: '/node/canary/commit',
    fields: { commitment: HEX64 },
    example: { commitment: 'ab'.repeat(32) },
    actors: [],
    isNodeOnly: true,
    event: 'canary_commit',
    status: 200,
  },
  canaryReveal: {
    method: 'POST',
    path: '/node/canary/reveal',
    fields: {
      task_id: { kind: 'str', min: 1, max: 128, required: true },
      salt: HEX64,
      type: { kind: 'enum', values: CANARY_TYPES, required: true },
      truth: { kind: 'bool', required: true },
      posting: {
        kind: 'str',
        max: 2048,
        required: true,
        doc: 'sign bytes of the request that posted the task',
      },
    },
    check({ task_id, salt, type, truth, posting }) {
      const answer = { type, truth, salt: fromHex(String(salt))! } as CanaryAnswer;
      if (!isPostedWith(String(posting), String(task_id), answer))
        throw invalid('posting is not that of the task with the nonce of this answer');
    },
    example: {
      task_id: '715ed0f5ac1dbcd8c4bd511a3bf81848',
      salt: 'cd'.repeat(32),
      type: 'known_good',
      truth: true,
      posting:
        `{"actor":"${'ab'.repeat(32)}","body_sha256":"${'ef'.repeat(32)}","chain_id":"vws-testnet-1",` +
        '"method":"POST","nonce":"c0eff0b9d644df201d45d00b6405f674","path":"/v1/tasks","version":"SERVICE-TX-V1"}',
    },
    actors: [],
    isNodeOnly: true,
    event: 'canary_reveal',
    status: 200,
  },
  canaryReturn: {
    method: 'POST',
    path: '/node/canary/return',
    fields: {},
    example: {},
    actors: [],
    isNodeOnly: true,
    event: 'canary_return',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

// Writes about tasks (protocol 4.4).

import { invalid } from '../../errors.ts';
import { taskCategory } from '../category.ts';
import { CHECK_NAMES } from '../check-names.ts';
import { AMOUNT, type Operation } from './types.ts';

export const LANES = ['standard', 'high_assurance', 'enterprise'] as const;
const DELIVERY_METHODS = ['public', 'encrypted'] as const;
const ROUTINGS = ['advisory', 'exclusive'] as const;
const POLICY_VERSIONS = ['v1'] as const;
const OUTPUT_TYPES = ['text', 'json', 'code', 'data', 'image'] as const;

const CRITERIA = { kind: 'strs', maxItems: 20, maxBytes: 500 } as const;
const DESCRIPTION = {
  title: { kind: 'str', min: 1, max: 200, required: true },
  description: { kind: 'str', max: 5000 },
  category: { kind: 'str', max: 50, doc: 'default general; transfer and generation are reserved' },
  budget: { ...AMOUNT, doc: 'micro-units; at least min_task_budget, with a lane 25 tokens' },
  delivery_method: { kind: 'enum', values: DELIVERY_METHODS, doc: 'default public' },
  success_criteria: CRITERIA,
  required_checks: { kind: 'strs', maxItems: 20, maxBytes: 64, values: CHECK_NAMES },
} as const;
const TERMS = {
  challenge_window_secs: { kind: 'int', min: 1, max: 604_800 },
  max_delivery_time_secs: { kind: 'int', min: 1, max: 2_592_000 },
  policy_version: { kind: 'enum', values: POLICY_VERSIONS },
  routing: { kind: 'enum', values: ROUTINGS, doc: 'default advisory' },
  tags: { kind: 'strs', maxItems: 10, maxBytes: 50 },
} as const;
const METRICS = { kind: 'map', maxEntries: 50, maxKeyBytes: 64, maxBytes: 1024 } as const;
const EVIDENCE = {
  hash: { kind: 'str', max: 128 },
  output_type: { kind: 'enum', values: OUTPUT_TYPES, doc: 'default text' },
  output_size: { kind: 'int', doc: 'bytes; measured by the node when the content is plain' },
  summary: { kind: 'str', max: 2000 },
  input_hash: { kind: 'str', max: 128 },
  output_preview: { kind: 'str', max: 2000 },
  output_url: { kind: 'str', max: 2048, form: 'url' },
  metrics: METRICS,
} as const;
const TEXT = { kind: 'str', max: 16_384 } as const;
/** Refuses reserved names. */
const checkCategory: Operation['check'] = ({ category }) => void taskCategory(category as string | undefined);
const CLAIMERS = ['claimer_id', 'agent_id'] as const;
const POSTER = ['poster_id'] as const;

export const TASK_OPERATIONS = {
  taskCreate: {
    method: 'POST',
    path: '/v1/tasks',
    fields: {
      ...DESCRIPTION,
      assurance_lane: { kind: 'enum', values: LANES, doc: 'absent or empty: unassured' },
      allow_downgrade: { kind: 'bool', doc: 'default true' },
      generation_eligible: { kind: 'bool', doc: 'default true with a lane, false without' },
      ...TERMS,
    },
    check: checkCategory,
    example: {
      title: 'Summarise the harbour log',
      description: 'Count the vessels of each day and say which weeks were busy.',
      category: 'research',
      budget: 5_000_000,
      success_criteria: ['every day is counted'],
      required_checks: ['has_output'],
      max_delivery_time_secs: 86_400,
      tags: ['shipping'],
    },
    actors: POSTER,
    scope: 'tasks',
    event: 'task_posted',
    status: 201,
  },
  subtaskCreate: {
    method: 'POST',
    path: '/v1/tasks/{id}/subtask',
    fields: { ...DESCRIPTION, ...TERMS },
    check: checkCategory,
    example: { title: 'Count the vessels of May', category: 'data', budget: 1_000_000 },
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'subtask_posted',
    status: 201,
  },
  taskClaim: {
    method: 'POST',
    path: '/v1/tasks/{id}/claim',
    fields: {},
    example: {},
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'task_claimed',
    status: 200,
  },
  taskSubmit: {
    method: 'POST',
    path: '/v1/tasks/{id}/submit',
    fields: {
      result_hash: { kind: 'str', min: 1, max: 128, doc: 'default: SHA-256 of result_content' },
      result_note: { kind: 'str', max: 5000 },
      result_uri: { kind: 'str', max: 2048, form: 'url', doc: 'http, https or ipfs; never fetched' },
      result_content: { kind: 'str', max: 1_048_576 },
      result_encrypted: { kind: 'bool', doc: 'default false' },
      evidence: { kind: 'object', fields: EVIDENCE },
    },
    check({ result_hash, result_content }) {
      if (!result_content && result_hash === undefined)
        throw invalid('result_hash or result_content is required');
    },
    example: {
      result_content: 'Harbour log, May: 212 vessels; the weeks of the 4th and the 18th were busy.',
      result_note: 'days without an entry count as none',
      evidence: { output_type: 'text', summary: 'all 31 days counted', metrics: { days: '31' } },
    },
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'task_submitted',
    status: 200,
  },
  taskApprove: {
    method: 'POST',
    path: '/v1/tasks/{id}/approve',
    fields: {},
    example: {},
    actors: ['approver_id', 'poster_id'],
    scope: 'tasks',
    event: 'task_approved',
    status: 200,
  },
  taskDispute: {
    method: 'POST',
    path: '/v1/tasks/{id}/dispute',
    fields: { reason: { kind: 'str', max: 1000 } },
    example: { reason: 'two weeks are missing' },
    actors: POSTER,
    scope: 'tasks',
    event: 'task_disputed',
    status: 200,
  },
  taskCancel: {
    method: 'POST',
    path: '/v1/tasks/{id}/cancel',
    fields: {},
    example: {},
    actors: POSTER,
    scope: 'tasks',
    event: 'task_cancelled',
    status: 200,
  },
  trajectoryCommit: {
    method: 'POST',
    path: '/v1/tasks/{id}/trajectory/commit',
    fields: {
      outcome: { kind: 'str', min: 1, max: 32, required: true },
      parent_commit_id: { kind: 'str', max: 128, doc: 'a commit of the same task' },
      branch_id: { kind: 'str', max: 64, doc: 'default main' },
      category_hint: { kind: 'str', max: 50 },
      approach_description: TEXT,
      error_detail: TEXT,
      evidence_snippet: TEXT,
      intermediate_output_hash: { kind: 'str', max: 128 },
      parameters: { ...METRICS, doc: 'names and values of the attempt' },
      compute_cost: { kind: 'int' },
      quality_score_bp: { kind: 'int', max: 10_000 },
    },
    example: {
      outcome: 'progress',
      approach_description: 'counted the first two weeks by hand, the rest from the index',
      parameters: { weeks: '2' },
      quality_score_bp: 7_000,
    },
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'trajectory_commit',
    status: 201,
  },
} as const satisfies Record<string, Operation>;

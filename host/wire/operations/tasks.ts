// Writes about tasks (protocol 4.4).

import { invalid } from '../../errors.ts';
import { taskCategory } from '../category.ts';
import { CHECK_NAMES } from '../check-names.ts';
import { AMOUNT, type Operation } from './types.ts';

export const LANES = ['standard', 'high_assurance', 'enterprise'] as const;
const DELIVERY_METHODS = ['public', 'encrypted'] as const;
const ROUTINGS = ['advisory', 'exclusive'] as const;
const POLICY_VERSIONS = ['v1'] as const;
/** The supply. */
const MAX_BOND = 1e15;
/** 30 days, as long as a task stays open. */
const MAX_RESERVED_SECS = 2_592_000;
export const AFTER_RESERVATION = ['refund', 'open'] as const;
export const NO_QUORUM = ['split', 'worker', 'poster'] as const;
const OUTPUT_TYPES = ['text', 'json', 'code', 'data', 'image'] as const;

export const SETTLES = ['review', 'on_pass'] as const;
export const DELIVERIES = ['content', 'external'] as const;
/** Fields of a task that a check may read; none of them names the worker. */
export const CHECKED_FIELDS = [
  'title',
  'description',
  'category',
  'success_criteria',
  'required_checks',
  'tags',
] as const;
const MAX_CHECKS = 16;
const MAX_CHECK_FUEL = 199_000_000;
/** What a check has as parameters, in canonical form. */
const MAX_PARAMETER_BYTES = 65_536;

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
const CHECK = {
  program: {
    kind: 'str',
    min: 1,
    max: 64,
    required: true,
    doc: 'hash of a program, or name of a standard check',
  },
  parameters: { kind: 'json', maxBytes: MAX_PARAMETER_BYTES, doc: 'default {}' },
  fuel: { kind: 'int', min: 1, max: MAX_CHECK_FUEL, doc: 'default 10,000,000' },
  fields: {
    kind: 'strs',
    maxItems: CHECKED_FIELDS.length,
    maxBytes: 32,
    values: CHECKED_FIELDS,
    doc: 'fields of the task that it is given',
  },
  seeded: { kind: 'bool', doc: 'it is given a seed; default false' },
} as const;
/** How the result is delivered and what accepts it. */
const ACCEPTANCE = {
  acceptance: { kind: 'objects', fields: CHECK, minItems: 1, maxItems: MAX_CHECKS },
  settle: { kind: 'enum', values: SETTLES, doc: 'default review' },
  delivered: { kind: 'enum', values: DELIVERIES, doc: 'default content' },
  pay_external_on_silence: { kind: 'bool', doc: 'with delivered external; default false' },
} as const;
const TERMS = {
  challenge_window_secs: { kind: 'int', min: 1, max: 604_800, doc: 'review; default review_default_secs' },
  worker_bond: {
    kind: 'int',
    max: MAX_BOND,
    doc: 'micro-units reserved of the worker at its claim, at most the budget; default as much as a dispute costs, with acceptance 0',
  },
  no_quorum: {
    kind: 'enum',
    values: NO_QUORUM,
    doc: 'who is paid when judges reach no quorum; default split, with acceptance worker',
  },
  accept_no_judges: {
    kind: 'bool',
    doc: 'needed without acceptance where fewer than min_judges judges are announced; default false',
  },
  max_delivery_time_secs: { kind: 'int', min: 1, max: 2_592_000 },
  policy_version: { kind: 'enum', values: POLICY_VERSIONS },
  routing: { kind: 'enum', values: ROUTINGS, doc: 'default advisory' },
  tags: { kind: 'strs', maxItems: 10, maxBytes: 50 },
  reserved_for: { kind: 'str', min: 1, max: 64, doc: 'agent_id; only this agent may claim' },
  reserved_secs: { kind: 'int', min: 1, max: MAX_RESERVED_SECS, doc: 'with reserved_for; default a day' },
  reserved_then: {
    kind: 'enum',
    values: AFTER_RESERVATION,
    doc: 'with reserved_for: what follows if that agent does not deliver; default refund',
  },
} as const;
/** The signer's own bound: a node that shows another bond than the task has gets nothing reserved. */
const MAX_RESERVED = {
  kind: 'int',
  max: MAX_BOND,
  doc: 'micro-units; refused if the task reserves more; default any',
} as const;
/** Opens a sealed delivery. */
const CONTENT_KEY = { kind: 'str', max: 64, form: 'hex64' } as const;
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
/** Refuses reserved names, bonds above the budget, and terms that do not go together. */
const checkTerms: Operation['check'] = (args) => {
  taskCategory(args.category as string | undefined);
  const { acceptance, settle, delivered, delivery_method, assurance_lane, pay_external_on_silence } = args;
  const { worker_bond, budget, reserved_for, reserved_secs, reserved_then } = args;
  if (worker_bond !== undefined && (worker_bond as number) > (budget as number))
    throw invalid('worker_bond must be at most the budget');
  if (reserved_for === undefined && (reserved_secs !== undefined || reserved_then !== undefined))
    throw invalid('reserved_secs and reserved_then need reserved_for');
  const isExternal = delivered === 'external';
  if (settle !== undefined && !acceptance) throw invalid('settle needs acceptance');
  if (settle === 'on_pass' && delivery_method === 'encrypted')
    throw invalid('a contract runs on a sealed delivery when it is opened: settle must be review');
  if (acceptance && isExternal) throw invalid('a contract needs the bytes: delivered must be content');
  if (acceptance && assurance_lane !== undefined)
    throw invalid('a task with a contract takes no assurance lane');
  if (pay_external_on_silence !== undefined && !isExternal)
    throw invalid('pay_external_on_silence needs delivered external');
};
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
      ...ACCEPTANCE,
    },
    check: checkTerms,
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
    fields: { ...DESCRIPTION, ...TERMS, ...ACCEPTANCE },
    check: checkTerms,
    example: { title: 'Count the vessels of May', category: 'data', budget: 1_000_000 },
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'subtask_posted',
    status: 201,
  },
  taskClaim: {
    method: 'POST',
    path: '/v1/tasks/{id}/claim',
    fields: { max_bond: MAX_RESERVED },
    example: {},
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'task_claimed',
    status: 200,
  },
  taskRelease: {
    method: 'POST',
    path: '/v1/tasks/{id}/release',
    fields: { reason: { kind: 'str', max: 1000 } },
    example: { reason: 'the log of May is not readable' },
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'task_released',
    status: 200,
  },
  taskDecline: {
    method: 'POST',
    path: '/v1/tasks/{id}/decline',
    fields: { reason: { kind: 'str', max: 1000 } },
    example: { reason: 'too much work until Friday' },
    actors: ['agent_id'],
    scope: 'tasks',
    event: 'task_declined',
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
      key_commitment: {
        kind: 'str',
        max: 64,
        form: 'hex64',
        doc: 'with result_encrypted and content: SHA-256 of tag, task and content key',
      },
      evidence: { kind: 'object', fields: EVIDENCE },
    },
    check({ result_hash, result_content, result_encrypted, key_commitment }) {
      if (!result_content && result_hash === undefined)
        throw invalid('result_hash or result_content is required');
      if (key_commitment !== undefined && !(result_encrypted && result_content))
        throw invalid('key_commitment goes with an encrypted result_content');
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
    fields: {
      reason: { kind: 'str', max: 1000 },
      content_key: { ...CONTENT_KEY, doc: 'opens a sealed delivery at once' },
      max_bond: MAX_RESERVED,
    },
    example: { reason: 'two weeks are missing' },
    actors: POSTER,
    scope: 'tasks',
    event: 'task_disputed',
    status: 200,
  },
  taskContest: {
    method: 'POST',
    path: '/v1/tasks/{id}/contest',
    fields: {
      reason: { kind: 'str', max: 1000 },
      content_key: { ...CONTENT_KEY, doc: 'needed for a sealed delivery that nobody has opened' },
    },
    example: { reason: 'the two weeks are in the appendix' },
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'task_contested',
    status: 200,
  },
  taskConcede: {
    method: 'POST',
    path: '/v1/tasks/{id}/concede',
    fields: {},
    example: {},
    actors: CLAIMERS,
    scope: 'tasks',
    event: 'task_conceded',
    status: 200,
  },
  taskOpen: {
    method: 'POST',
    path: '/v1/tasks/{id}/open',
    fields: { content_key: { ...CONTENT_KEY, required: true, doc: 'hex; the one that was committed to' } },
    example: { content_key: '5f'.repeat(32) },
    actors: ['agent_id'],
    scope: 'tasks',
    event: 'task_opened',
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

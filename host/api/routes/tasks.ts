// Routes of tasks (protocol 4.4). Fixed segments after /v1/tasks/ win over an id.

import { TASK_STATUSES } from '../../core/task-names.ts';
import { LANES } from '../../wire/operations/tasks.ts';
import type { ReadContext } from '../context.ts';
import * as tasks from '../handlers/tasks.ts';
import type { QueryParam, ReadRoute, WriteRoute } from '../route.ts';
import { get, MEMBERS, PAGE } from './get.ts';

const TAG = 'tasks';
/** A submission contains the result (protocol 8.2). */
const SUBMIT_BODY_BYTES = 1_048_576;
const STATUS: QueryParam = { kind: 'enum', name: 'status', values: TASK_STATUSES };
const KNOWN = { errors: ['task_not_found'] } as const;

export const TASK_READS: ReadRoute<ReadContext>[] = [
  get('/v1/tasks', TAG, 'Tasks, newest first', 'Task[]', tasks.list, {
    query: [
      STATUS,
      { kind: 'text', name: 'category' },
      { kind: 'text', name: 'poster_id' },
      { kind: 'text', name: 'claimer_id' },
      { kind: 'enum', name: 'assurance_lane', values: LANES },
      PAGE,
    ],
  }),
  get('/v1/tasks/stats', TAG, 'Counts and sums over all tasks', 'TaskStats', tasks.stats, {
    query: [MEMBERS],
  }),
  get('/v1/tasks/result/{id}', TAG, 'Result of a task', 'TaskResult', tasks.result, KNOWN),
  get('/v1/tasks/agent/{agent_id}', TAG, 'Tasks of an agent, newest first', 'Task[]', tasks.ofAgent, {
    query: [
      { kind: 'enum', name: 'role', values: ['poster', 'claimer'], doc: 'default: either' },
      STATUS,
      PAGE,
    ],
    errors: ['agent_not_found'],
  }),
  get('/v1/tasks/subtasks/{id}', TAG, 'Subtasks in order of creation', 'Task[]', tasks.subtasks, {
    query: [PAGE],
    ...KNOWN,
  }),
  get(
    '/v1/tasks/trajectories/{id}',
    TAG,
    'Trajectory commits in order',
    'TrajectoryCommit[]',
    tasks.trajectories,
    {
      query: [
        { kind: 'text', name: 'branch_id' },
        { kind: 'enum', name: 'include_bodies', values: ['true', 'false'], default: 'false' },
        PAGE,
      ],
      ...KNOWN,
    },
  ),
  get('/v1/tasks/{id}', TAG, 'One task', 'Task', tasks.task, KNOWN),
];

const write = (
  path: string,
  operation: WriteRoute['operation'],
  summary: string,
  limit: NonNullable<WriteRoute['limit']>,
  errors: WriteRoute['errors'],
  more: Partial<WriteRoute> = {},
): WriteRoute => ({
  method: 'POST',
  path,
  tag: TAG,
  summary,
  operation,
  reply: 'Task',
  limit,
  ...(errors ? { errors } : {}),
  ...more,
});

export const TASK_WRITES: WriteRoute[] = [
  write('/v1/tasks', 'taskCreate', 'Post a task; its budget goes into escrow', 'tasks', [
    'budget_below_minimum',
    'assurance_blocked',
    'SecurityFloorError',
    'insufficient_balance',
  ]),
  write('/v1/tasks/{id}/claim', 'taskClaim', 'Claim a task', 'claim', [
    'task_not_found',
    'invalid_state',
    'self_claim',
    'claim_barred',
    'routed_to_other',
    'claim_limit',
  ]),
  write(
    '/v1/tasks/{id}/submit',
    'taskSubmit',
    'Submit the result',
    'submit',
    [
      'task_not_found',
      'invalid_state',
      'not_claimer',
      'subtasks_open',
      'delivery_mismatch',
      'result_hash_mismatch',
    ],
    { maxBodyBytes: SUBMIT_BODY_BYTES },
  ),
  write('/v1/tasks/{id}/approve', 'taskApprove', 'Accept the result and pay', 'approve', [
    'task_not_found',
    'not_poster',
    'invalid_state',
  ]),
  write('/v1/tasks/{id}/dispute', 'taskDispute', 'Dispute the result', 'dispute', [
    'task_not_found',
    'not_poster',
    'invalid_state',
  ]),
  write('/v1/tasks/{id}/cancel', 'taskCancel', 'Cancel the task before a result is submitted', 'cancel', [
    'task_not_found',
    'not_poster',
    'invalid_state',
  ]),
  write(
    '/v1/tasks/{id}/subtask',
    'subtaskCreate',
    'Post a part of a claimed task, paid from its escrow',
    'subtask',
    ['task_not_found', 'invalid_state', 'not_claimer', 'budget_below_minimum', 'insufficient_balance'],
  ),
  write(
    '/v1/tasks/{id}/trajectory/commit',
    'trajectoryCommit',
    'Record a step of the work',
    'trajectory',
    ['task_not_found', 'invalid_state', 'not_claimer', 'event_not_found', 'rate_limited'],
    { reply: 'TrajectoryCommitted' },
  ),
];

// Routes of tasks (protocol 4.4). Fixed segments after /v1/tasks/ win over an id.

import { TASK_STATUSES } from '../../core/task-names.ts';
import { LANES } from '../../wire/operations/tasks.ts';
import type { ReadContext } from '../context.ts';
import * as tasks from '../handlers/tasks.ts';
import type { QueryParam, ReadRoute, WriteRoute } from '../route.ts';
import { get, MEMBERS, PAGE } from './get.ts';

/** A submission contains the result (protocol 8.2). */
const SUBMIT_BODY_BYTES = 1_048_576;
const STATUS: QueryParam = { kind: 'enum', name: 'status', values: TASK_STATUSES };
const KNOWN = { errors: ['task_not_found'] } as const;

export const TASK_READS: ReadRoute<ReadContext>[] = [
  get('/v1/tasks', 'tasks_list', 'Tasks, newest first', 'Task[]', tasks.list, {
    query: [
      STATUS,
      { kind: 'text', name: 'category' },
      { kind: 'text', name: 'poster_id' },
      { kind: 'text', name: 'claimer_id' },
      { kind: 'enum', name: 'assurance_lane', values: LANES },
      PAGE,
    ],
  }),
  get('/v1/tasks/stats', 'tasks_stats', 'Counts and sums over all tasks', 'TaskStats', tasks.stats, {
    query: [MEMBERS],
  }),
  get('/v1/tasks/result/{id}', 'tasks_result', 'Result of a task', 'TaskResult', tasks.result, {
    errors: ['task_not_found', 'content_hidden'],
  }),
  get(
    '/v1/tasks/agent/{agent_id}',
    'tasks_of_agent',
    'Tasks of an agent, newest first',
    'Task[]',
    tasks.ofAgent,
    {
      query: [
        {
          kind: 'enum',
          name: 'role',
          values: ['poster', 'claimer', 'hired'],
          doc: 'hired: open and reserved for it; default: poster or claimer',
        },
        STATUS,
        PAGE,
      ],
      errors: ['agent_not_found'],
    },
  ),
  get(
    '/v1/tasks/subtasks/{id}',
    'tasks_subtasks',
    'Subtasks in order of creation',
    'Task[]',
    tasks.subtasks,
    {
      query: [PAGE],
      ...KNOWN,
    },
  ),
  get(
    '/v1/tasks/trajectories/{id}',
    'tasks_trajectories',
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
  get('/v1/tasks/{id}', 'tasks_get', 'One task', 'Task', tasks.task, KNOWN),
];

const write = (
  path: string,
  id: WriteRoute['id'],
  operation: WriteRoute['operation'],
  summary: string,
  limit: NonNullable<WriteRoute['limit']>,
  errors: WriteRoute['errors'],
  more: Partial<WriteRoute> = {},
): WriteRoute => ({
  method: 'POST',
  path,
  id,
  summary,
  operation,
  reply: 'Task',
  limit,
  ...(errors ? { errors } : {}),
  ...more,
});

export const TASK_WRITES: WriteRoute[] = [
  write('/v1/tasks', 'tasks_create', 'taskCreate', 'Post a task; its budget goes into escrow', 'tasks', [
    'agent_not_found',
    'self_claim',
    'budget_below_minimum',
    'assurance_blocked',
    'SecurityFloorError',
    'too_few_judges',
    'insufficient_balance',
    'program_not_found',
    'overloaded',
  ]),
  write('/v1/tasks/{id}/claim', 'tasks_claim', 'taskClaim', 'Claim a task', 'claim', [
    'task_not_found',
    'invalid_state',
    'self_claim',
    'claim_barred',
    'routed_to_other',
    'reserved_for_other',
    'claim_limit',
    'insufficient_balance',
  ]),
  write(
    '/v1/tasks/{id}/submit',
    'tasks_submit',
    'taskSubmit',
    'Submit the result',
    'submit',
    [
      'task_not_found',
      'invalid_state',
      'not_claimer',
      'subtasks_open',
      'delivery_mismatch',
      'not_sealed',
      'delivery_missing',
      'result_hash_mismatch',
      'insufficient_balance',
      'acceptance_failed',
      'overloaded',
    ],
    { maxBodyBytes: SUBMIT_BODY_BYTES },
  ),
  write('/v1/tasks/{id}/release', 'tasks_release', 'taskRelease', 'Give a claim back', 'release', [
    'task_not_found',
    'invalid_state',
    'not_claimer',
    'subtasks_open',
  ]),
  write(
    '/v1/tasks/{id}/decline',
    'tasks_decline',
    'taskDecline',
    'Decline a direct hire: refund',
    'decline',
    ['task_not_found', 'invalid_state', 'reserved_for_other'],
  ),
  write('/v1/tasks/{id}/approve', 'tasks_approve', 'taskApprove', 'Accept the result and pay', 'approve', [
    'task_not_found',
    'not_poster',
    'invalid_state',
  ]),
  write('/v1/tasks/{id}/dispute', 'tasks_dispute', 'taskDispute', 'Dispute the result', 'dispute', [
    'task_not_found',
    'not_poster',
    'invalid_state',
    'content_key_mismatch',
    'insufficient_balance',
  ]),
  write(
    '/v1/tasks/{id}/contest',
    'tasks_contest',
    'taskContest',
    'Stand by a disputed result: judges decide',
    'contest',
    ['task_not_found', 'not_claimer', 'invalid_state', 'content_key_needed', 'content_key_mismatch'],
  ),
  write(
    '/v1/tasks/{id}/open',
    'tasks_open',
    'taskOpen',
    'Open the sealed delivery of a disputed task: everybody can read it',
    'contest',
    ['task_not_found', 'not_party', 'invalid_state', 'content_key_mismatch'],
  ),
  write(
    '/v1/tasks/{id}/concede',
    'tasks_concede',
    'taskConcede',
    'Give in to a dispute: refund, no judges',
    'contest',
    ['task_not_found', 'not_claimer', 'invalid_state'],
  ),
  write(
    '/v1/tasks/{id}/cancel',
    'tasks_cancel',
    'taskCancel',
    'Cancel an open task, or give notice to cancel a claimed one',
    'cancel',
    ['task_not_found', 'not_poster', 'invalid_state'],
  ),
  write(
    '/v1/tasks/{id}/subtask',
    'tasks_create_subtask',
    'subtaskCreate',
    'Post a part of a claimed task, paid from its escrow',
    'subtask',
    [
      'task_not_found',
      'invalid_state',
      'not_claimer',
      'agent_not_found',
      'self_claim',
      'budget_below_minimum',
      'too_few_judges',
      'insufficient_balance',
      'program_not_found',
      'overloaded',
    ],
  ),
  write(
    '/v1/tasks/{id}/trajectory/commit',
    'tasks_commit_trajectory',
    'trajectoryCommit',
    'Record a step of the work',
    'trajectory',
    ['task_not_found', 'invalid_state', 'not_claimer', 'event_not_found', 'rate_limited'],
    { reply: 'TrajectoryCommitted' },
  ),
];

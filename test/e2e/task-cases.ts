// The API contract of tasks: a scenario after which every read returns something, and the refusals of every step.

import { expect } from 'vitest';
import { Agent, type Answer, get, type Json, TOKEN, until } from './agent.ts';
import { refuseOpenings, sealedWrites } from './sealed-cases.ts';
import type { Story } from './story.ts';

const NO_TASK = 'f'.repeat(32);
const UNKNOWN_EVENT = 'f'.repeat(64);
export const TASK = { title: 'Harbour traffic summary', description: 'Count vessels', budget: 2 * TOKEN };
export const RESULT = {
  result_content:
    'Harbour traffic summary. The count of vessels was high this week, and vessels waited. Traffic grew.',
  result_note: 'done',
  result_uri: 'ipfs://bafy',
  evidence: { output_type: 'text', summary: 'all counted', metrics: { vessels: '12' } },
};

/** Tasks of the story: one in each state that a read tells apart. */
export interface TaskStory {
  /** Submitted, with a commit and a closed subtask. */
  submitted: string;
  completed: string;
  disputed: string;
}

/** Who can refuse or be refused. */
export type Refused = (who: Agent, path: string, body: object | string, code: string) => Promise<Answer>;

const at = (id: string, step: string): string => `/v1/tasks/${id}/${step}`;

async function delivered(poster: Agent, worker: Agent): Promise<string> {
  const { id } = await poster.do('/v1/tasks', TASK);
  await worker.do(at(id, 'claim'));
  await worker.do(at(id, 'submit'), RESULT);
  return id;
}

export async function tellTasks(poster: Agent, worker: Agent): Promise<TaskStory> {
  const { id: submitted } = await poster.do('/v1/tasks', {
    ...TASK,
    category: 'Poetry',
    tags: ['a'],
    success_criteria: ['count'],
    required_checks: ['has_output'],
  });
  await worker.do(at(submitted, 'claim'));
  await worker.do(at(submitted, 'trajectory/commit'), {
    outcome: 'progress',
    approach_description: 'by eye',
    category_hint: 'poetry',
  });
  const { id: part } = await worker.do(at(submitted, 'subtask'), { title: 'Part', budget: 100_000 });
  await worker.do(at(part, 'cancel'));
  await worker.do(at(submitted, 'submit'), RESULT);
  const completed = await delivered(poster, worker);
  await poster.do(at(completed, 'approve'));
  const disputed = await delivered(poster, worker);
  await poster.do(at(disputed, 'dispute'), { reason: 'late' });
  await poster.do('/v1/tasks', { ...TASK, delivery_method: 'encrypted', routing: 'exclusive' });
  return { submitted, completed, disputed };
}

const all = (s: Story): string[] => Object.values(s.tasks);

export const TASK_READS: Record<string, (s: Story) => string[]> = {
  '/v1/tasks': (s) =>
    [
      '',
      '?status=completed&limit=2',
      '?category=poetry',
      '?category=never',
      `?poster_id=${s.alice.id}&claimer_id=bob&page=2&per_page=1`,
      '?assurance_lane=enterprise',
    ].map((q) => `/v1/tasks${q}`),
  '/v1/tasks/stats': () => ['/v1/tasks/stats'],
  '/v1/tasks/{id}': (s) => all(s).map((id) => `/v1/tasks/${id}`),
  '/v1/tasks/result/{id}': (s) => all(s).map((id) => `/v1/tasks/result/${id}`),
  '/v1/tasks/agent/{agent_id}': (s) =>
    ['', '?role=claimer', '?role=poster&status=disputed'].map((q) => `/v1/tasks/agent/${s.alice.id}${q}`),
  '/v1/tasks/subtasks/{id}': (s) => all(s).map((id) => `/v1/tasks/subtasks/${id}`),
  '/v1/tasks/trajectories/{id}': (s) =>
    ['', '?include_bodies=true', '?branch_id=main&limit=1'].map(
      (q) => `/v1/tasks/trajectories/${s.tasks.submitted}${q}`,
    ),
};

export const TASK_READ_REFUSALS: [string, string][] = [
  [`/v1/tasks/${NO_TASK}`, 'task_not_found'],
  ['/v1/tasks/no-id', 'task_not_found'],
  [`/v1/tasks/result/${NO_TASK}`, 'task_not_found'],
  [`/v1/tasks/subtasks/${NO_TASK}`, 'task_not_found'],
  [`/v1/tasks/trajectories/${NO_TASK}`, 'task_not_found'],
  ['/v1/tasks/agent/nobody', 'agent_not_found'],
  ['/v1/tasks?status=lost', 'invalid_request'],
  ['/v1/tasks?assurance_lane=gold', 'invalid_request'],
  ['/v1/tasks?limit=0', 'invalid_request'],
  [`/v1/tasks/agent/bob?role=king`, 'invalid_request'],
  [`/v1/tasks/trajectories/${NO_TASK}?include_bodies=maybe`, 'invalid_request'],
];

/** Refusals that the network of the contract cannot be brought to. */
export const TASK_UNREACHED = [
  // A testnet asks for no judges (`min_judges` 0): test/host/sequencer/panels.test.ts.
  'POST /v1/tasks too_few_judges',
  'POST /v1/tasks/{id}/subtask too_few_judges',
  // Nothing there draws on a replay reserve.
  'POST /v1/tasks assurance_blocked',
  // Needs an operator who hides content: test/host/audit/hidden.test.ts.
  'GET /v1/tasks/result/{id} content_hidden',
];

async function refusePosting(s: Story, refused: Refused): Promise<void> {
  await refused(s.alice, '/v1/tasks', { ...TASK, budget: 99_999 }, 'budget_below_minimum');
  await refused(s.alice, '/v1/tasks', { ...TASK, budget: 60_000 * TOKEN }, 'insufficient_balance');
  const lane = { ...TASK, budget: 25 * TOKEN, assurance_lane: 'enterprise', allow_downgrade: false };
  const floor = await refused(s.alice, '/v1/tasks', lane, 'SecurityFloorError');
  expect(floor.body.details).toMatchObject({
    requested_lane: 'enterprise',
    offered_lane: 'standard',
    required: 10,
  });
}

async function refuseClaims(s: Story, refused: Refused): Promise<void> {
  const { alice: poster } = s;
  const [w, x] = [await new Agent(s.port).register(), await new Agent(s.port).register()];
  const post = async (more: object = {}): Promise<string> =>
    (await poster.do('/v1/tasks', { ...TASK, ...more })).id;
  await refused(w, at(NO_TASK, 'claim'), {}, 'task_not_found');
  await refused(w, at(s.tasks.completed, 'claim'), {}, 'invalid_state');
  await refused(poster, at(await post(), 'claim'), {}, 'self_claim');
  const late = await post({ max_delivery_time_secs: 1 });
  await w.do(at(late, 'claim'));
  await until(
    async () => (await get(s.port, `/v1/tasks/${late}`)).body,
    (task: Json) => task.status === 'open',
  );
  await refused(w, at(late, 'claim'), {}, 'claim_barred');
  await x.do('/v1/router/register', { categories: ['sailing'] });
  const routed = await post({ category: 'sailing', routing: 'exclusive' });
  const other = await refused(w, at(routed, 'claim'), {}, 'routed_to_other');
  expect(other.body.details.routed_to).toBe(x.id);
  await refuseHires(s, w, x, refused);
  await w.do(at(await post(), 'claim'));
  const second = await post();
  const bound = await refused(w, at(second, 'claim'), {}, 'claim_limit');
  expect(bound.body.details).toEqual({ bound: 'claims', held: 1, limit: 1, stake_missing: 100 * TOKEN });
  await w.do('/v1/stake', { amount: 100 * TOKEN });
  await w.do(at(second, 'claim'));
}

/** Direct hire (protocol 7.1.1): `x` is hired, `w` is not. */
async function refuseHires(s: Story, w: Agent, x: Agent, refused: Refused): Promise<void> {
  const { alice: poster } = s;
  const { id } = await poster.do('/v1/tasks', { ...TASK, reserved_for: x.id });
  const other = await refused(w, at(id, 'claim'), {}, 'reserved_for_other');
  expect(other.body.details.reserved_for).toBe(x.id);
  await refused(w, at(id, 'decline'), {}, 'reserved_for_other');
  await refused(w, at(NO_TASK, 'decline'), {}, 'task_not_found');
  await refused(w, at(s.tasks.completed, 'decline'), {}, 'invalid_state');
  await refused(poster, '/v1/tasks', { ...TASK, reserved_for: poster.id }, 'self_claim');
  await refused(poster, '/v1/tasks', { ...TASK, reserved_for: 'nobody' }, 'agent_not_found');
  const { id: parent } = await poster.do('/v1/tasks', TASK);
  await x.do(at(parent, 'claim'));
  const part = { title: 'Part', budget: 100_000 };
  await refused(x, at(parent, 'subtask'), { ...part, reserved_for: poster.id }, 'self_claim');
  await refused(x, at(parent, 'subtask'), { ...part, reserved_for: 'nobody' }, 'agent_not_found');
}

async function refuseResults(s: Story, refused: Refused): Promise<void> {
  const { alice: poster, bob: worker } = s;
  const { id } = await poster.do('/v1/tasks', TASK);
  const x = await new Agent(s.port).register();
  await refused(worker, at(NO_TASK, 'submit'), RESULT, 'task_not_found');
  await refused(worker, at(id, 'submit'), RESULT, 'invalid_state');
  await worker.do(at(id, 'claim'));
  await refused(x, at(id, 'submit'), RESULT, 'not_claimer');
  await refused(worker, at(id, 'submit'), { ...RESULT, result_encrypted: true }, 'delivery_mismatch');
  await refused(worker, at(id, 'submit'), { ...RESULT, result_hash: 'a' }, 'result_hash_mismatch');
  const part = { title: 'Part', budget: 100_000 };
  await refused(worker, at(NO_TASK, 'subtask'), part, 'task_not_found');
  await refused(worker, at(s.tasks.submitted, 'subtask'), part, 'invalid_state');
  await refused(x, at(id, 'subtask'), part, 'not_claimer');
  await refused(worker, at(id, 'subtask'), { ...part, budget: 1 }, 'budget_below_minimum');
  await refused(worker, at(id, 'subtask'), { ...part, budget: 3 * TOKEN }, 'insufficient_balance');
  await worker.do(at(id, 'subtask'), part);
  await refused(worker, at(id, 'submit'), RESULT, 'subtasks_open');
  const commit = { outcome: 'progress' };
  const path = (task: string): string => at(task, 'trajectory/commit');
  await refused(worker, path(NO_TASK), commit, 'task_not_found');
  await refused(worker, path(s.tasks.completed), commit, 'invalid_state');
  await refused(x, path(id), commit, 'not_claimer');
  await refused(worker, path(id), { ...commit, parent_commit_id: UNKNOWN_EVENT }, 'event_not_found');
  // Ten in a minute of consensus time; the story has one, maybe more than a minute ago.
  let last: Answer | undefined;
  for (let i = 0; i < 11 && last?.body.code !== 'rate_limited'; i++)
    last = await worker.post(path(id), commit);
  await refused(worker, path(id), commit, 'rate_limited');
}

async function refuseDecisions(s: Story, refused: Refused): Promise<void> {
  for (const step of ['approve', 'dispute', 'cancel']) {
    await refused(s.alice, at(NO_TASK, step), {}, 'task_not_found');
    await refused(s.bob, at(s.tasks.submitted, step), {}, 'not_poster');
    await refused(s.bob, at(s.tasks.completed, step), {}, 'not_poster');
    await refused(s.alice, at(s.tasks.completed, step), {}, 'invalid_state');
  }
}

/** Answers to a dispute, and the bonds of both sides (protocol 15.4, 15.5). */
async function refuseAnswers(s: Story, refused: Refused): Promise<void> {
  for (const step of ['contest', 'concede']) {
    await refused(s.bob, at(NO_TASK, step), {}, 'task_not_found');
    await refused(s.bob, at(s.tasks.completed, step), {}, 'invalid_state');
    await refused(s.alice, at(s.tasks.disputed, step), {}, 'not_claimer');
  }
  // A dispute is answered once.
  const contested = await delivered(s.alice, s.bob);
  await s.alice.do(at(contested, 'dispute'));
  await s.bob.do(at(contested, 'contest'));
  await refused(s.bob, at(contested, 'contest'), {}, 'invalid_state');
  await refused(s.bob, at(contested, 'concede'), {}, 'invalid_state');

  const poster = await new Agent(s.port).register();
  const id = await delivered(poster, s.bob);
  const { id: open } = await s.alice.do('/v1/tasks', TASK);
  const { balance } = (await get(s.port, `/v1/agents/${poster.id}/balance`)).body;
  await poster.do('/v1/stake', { amount: balance });
  for (const path of [at(id, 'dispute'), at(open, 'claim')]) {
    const { body } = await refused(poster, path, {}, 'insufficient_balance');
    expect(body.details).toMatchObject({ balance: 0, needed: TASK.budget });
  }
}

/** Provokes every error that the writes about tasks list, but for TASK_UNREACHED. */
export async function refuseTaskWrites(s: Story, refused: Refused): Promise<void> {
  await refusePosting(s, refused);
  await refuseResults(s, refused);
  await refuseDecisions(s, refused);
  await refuseAnswers(s, refused);
  await refuseClaims(s, refused);
  await refuseOpenings(s, refused);
}

/** Steps that succeed, as [who, path, body]; each answers with the object of its route. */
export async function* taskWrites(s: Story): AsyncGenerator<[Agent, string, object], void, Json> {
  const { alice: poster, bob: worker } = s;
  const { id } = yield [poster, '/v1/tasks', TASK];
  yield [worker, at(id, 'claim'), {}];
  yield [worker, at(id, 'trajectory/commit'), { outcome: 'success' }];
  const part = yield [worker, at(id, 'subtask'), { title: 'Part', budget: 100_000 }];
  yield [worker, at(part.id, 'cancel'), {}];
  yield [worker, at(id, 'submit'), RESULT];
  yield [poster, at(id, 'approve'), {}];
  const { id: second } = yield [
    poster,
    '/v1/tasks',
    { ...TASK, assurance_lane: 'standard', budget: 25 * TOKEN },
  ];
  yield [worker, at(second, 'claim'), {}];
  yield [worker, at(second, 'submit'), RESULT];
  yield [poster, at(second, 'dispute'), {}];
  yield [worker, at(second, 'contest'), {}];
  const { id: hired } = yield [poster, '/v1/tasks', { ...TASK, reserved_for: worker.id }];
  yield [worker, at(hired, 'decline'), { reason: 'busy' }];
  const { id: third } = yield [poster, '/v1/tasks', TASK];
  yield [worker, at(third, 'claim'), {}];
  yield [worker, at(third, 'submit'), RESULT];
  yield [poster, at(third, 'dispute'), {}];
  yield [worker, at(third, 'concede'), {}];
  yield* sealedWrites(s);
}

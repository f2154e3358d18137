// The API contract of challenges and replays: a scenario with one of each, and the refusals of every step.
// The seats of the scenario vote here: an assured task needs its panel.

import { Agent, type Answer, get, type Json, TOKEN } from './agent.ts';
import type { Story } from './story.ts';
import { RESULT, type Refused, TASK } from './task-cases.ts';

const NO_TASK = 'f'.repeat(32);
const NO_JOB = 'f'.repeat(64);
const NO_CHALLENGE = `chal-${'f'.repeat(24)}`;
/** One in four is not drawn. */
const MAX_DRAWS = 16;

/** Who takes part, by validator id where it is a seat. */
export interface Court {
  port: number;
  poster: Agent;
  worker: Agent;
  seats: Record<string, Agent>;
}
export interface CaseStory {
  /** Completed, assured; with an open challenge of `target`. */
  task: string;
  target: string;
  challenge: string;
  challenger: Agent;
  /** Pending. */
  job: string;
}
interface Completed {
  task: Json;
  /** An approver that does not decide alone. */
  target: string | undefined;
}

/** An assured task that its panel approved, and its poster. */
async function completed({ port, poster, worker, seats }: Court, category: string): Promise<Completed> {
  const terms = { ...TASK, category, budget: 30 * TOKEN, assurance_lane: 'standard' };
  const { id } = await poster.do('/v1/tasks', terms);
  await worker.do(`/v1/tasks/${id}/claim`);
  const { panel, submission_event_id: event_id } = await worker.do(`/v1/tasks/${id}/submit`, RESULT);
  // A seat that votes by itself may have been there before.
  for (const member of panel as string[]) {
    const { status, body } = await seats[member]!.post('/v1/verify', { event_id, verdict: true });
    if (body.status === 'settled' || body.code === 'not_pending') break;
    if (status !== 200 && body.code !== 'already_voted') throw new Error(JSON.stringify(body));
  }
  const { voters } = (await get(port, `/v1/events/${event_id}`)).body;
  const approvers: string[] = voters.filter((v: Json) => v.verdict).map((v: Json) => v.validator_id);
  await poster.do(`/v1/tasks/${id}/approve`);
  const task = (await get(port, `/v1/tasks/${id}`)).body;
  return { task, target: approvers.find((v) => v !== 'seat-0') };
}

/** A completed task with an approver that may be challenged. */
export async function challengeable(
  court: Court,
  category = 'research',
): Promise<{ task: string; target: string }> {
  for (let i = 0; i < MAX_DRAWS; i++) {
    const { task, target } = await completed(court, category);
    if (target) return { task: task.id, target };
  }
  throw new Error(`the first seat decided ${MAX_DRAWS} panels alone`);
}

/** A pending replay job and its executor. */
export async function drawnJob(court: Court, category = 'research'): Promise<{ job: Json; executor: Agent }> {
  for (let i = 0; i < MAX_DRAWS; i++) {
    const { task } = await completed(court, category);
    if (task.replay_job_id === undefined) continue;
    const job = (await get(court.port, `/v1/replay/jobs/${task.replay_job_id}`)).body;
    return { job, executor: court.seats[job.executor_id]! };
  }
  throw new Error(`no replay was drawn in ${MAX_DRAWS} tasks`);
}

export async function tellCases(court: Court): Promise<CaseStory> {
  const { job } = await drawnJob(court);
  const { task, target } = await challengeable(court);
  const challenger = await new Agent(court.port).register();
  const { id } = await challenger.do('/v1/challenges', {
    task_id: task,
    target_id: target,
    reason: 'another harbour',
    evidence_hash: 'sha256:x',
    evidence_uri: 'https://example.org/log',
  });
  return { task, target, challenge: id, challenger, job: job.id };
}

export const CASE_READS: Record<string, (s: Story) => string[]> = {
  '/v1/challenges': (s) =>
    [
      '',
      '?status=open&limit=1',
      `?task_id=${s.cases.task}&target_id=${s.cases.target}`,
      `?challenger_id=${s.cases.challenger.id}`,
      '?target_id=nobody',
    ].map((q) => `/v1/challenges${q}`),
  '/v1/challenges/{id}': (s) => [`/v1/challenges/${s.cases.challenge}`],
  '/v1/replay/jobs': (s) =>
    ['', '?status=pending&page=1', '?executor_id=seat-2', '?task_id=none', `?task_id=${s.cases.task}`].map(
      (q) => `/v1/replay/jobs${q}`,
    ),
  '/v1/replay/jobs/{id}': (s) => [`/v1/replay/jobs/${s.cases.job}`],
};

export const CASE_READ_REFUSALS: [string, string][] = [
  [`/v1/challenges/${NO_CHALLENGE}`, 'challenge_not_found'],
  ['/v1/challenges/chal-x', 'challenge_not_found'],
  ['/v1/challenges?status=lost', 'invalid_request'],
  [`/v1/replay/jobs/${NO_JOB}`, 'replay_job_not_found'],
  ['/v1/replay/jobs?status=lost', 'invalid_request'],
  ['/v1/replay/jobs?page=0', 'invalid_request'],
];

const resolve = (id: string): string => `/v1/challenges/${id}/resolve`;
const results = (job: Json): Json[] =>
  job.checks.map(({ check_type, pass, artifact_hash, value_bp }: Json) => ({
    check_type,
    pass,
    artifact_hash,
    value_bp,
  }));

/** The writes that succeed, in order. Each is given back its answer. */
export async function* caseWrites(s: Story): AsyncGenerator<[Agent, string, object], void, Json> {
  const { task, target } = await challengeable(s.court);
  const opened = yield [s.cases.challenger, '/v1/challenges', { task_id: task, target_id: target }];
  yield [s.operator, resolve(opened.id), { outcome: 'partial', note: 'seen' }];
  const first = await drawnJob(s.court, 'poetry');
  yield [first.executor, '/v1/replay/submit', { job_id: first.job.id, check_results: results(first.job) }];
  const second = await drawnJob(s.court, 'poetry');
  const outcome = { job_id: second.job.id, status: 'completed', outcome: 'match' };
  yield [second.executor, '/v1/replay/outcome', outcome];
}

async function refuseOpening(s: Story, refused: Refused): Promise<void> {
  const { task, target, challenger } = s.cases;
  const open = (who: Agent, over: object, code: string): Promise<Answer> =>
    refused(who, '/v1/challenges', { task_id: task, target_id: target, ...over }, code);
  await open(challenger, { task_id: NO_TASK }, 'task_not_found');
  await open(challenger, { target_id: 'nobody' }, 'validator_not_found');
  await open(challenger, { task_id: s.tasks.completed }, 'not_challengeable');
  await open(challenger, { offense: 'dishonest_replay' }, 'not_challengeable');
  await open(s.court.seats[target]!, {}, 'self_dealing');
  await open(challenger, {}, 'already_challenged');
  await open(challenger, { offense: 'collusion', bond: 1 }, 'bond_below_minimum');
  await open(challenger, { offense: 'collusion', bond: 10 ** 15 }, 'insufficient_balance');
  await open(challenger, { offense: 'rudeness' }, 'invalid_request');
}

async function refuseVotes(s: Story, refused: Refused): Promise<void> {
  const { challenge, target, challenger } = s.cases;
  const vote = { outcome: 'partial' };
  await refused(s.operator, resolve(NO_CHALLENGE), vote, 'challenge_not_found');
  await refused(s.operator, resolve(challenge), { outcome: 'perhaps' }, 'invalid_request');
  for (const party of [challenger, s.alice, s.bob, s.court.seats[target]!]) {
    await refused(party, resolve(challenge), vote, 'self_dealing');
  }
  await refused(await new Agent(s.port).register(), resolve(challenge), vote, 'not_a_validator');
  const isTarget = target === 'seat-2';
  await refused(s.probationer, resolve(challenge), vote, isTarget ? 'self_dealing' : 'not_a_validator');
  const [, light] = Object.entries(s.court.seats).find(([id]) => !['seat-0', 'seat-2', target].includes(id))!;
  await light.do(resolve(challenge), vote);
  await refused(light, resolve(challenge), vote, 'already_voted');
  await s.operator.do(resolve(challenge), { outcome: 'failed' });
  await refused(light, resolve(challenge), vote, 'invalid_state');
}

async function refuseReports(s: Story, refused: Refused): Promise<void> {
  const { job, executor } = await drawnJob(s.court);
  const check_results = results(job);
  const other = Object.values(s.court.seats).find((seat) => seat !== executor)!;
  const submit = (who: Agent, over: object, code: string): Promise<Answer> =>
    refused(who, '/v1/replay/submit', { job_id: job.id, check_results, ...over }, code);
  await submit(executor, { job_id: NO_JOB }, 'replay_job_not_found');
  await submit(executor, { task_id: NO_TASK }, 'invalid_request');
  await submit(executor, { check_results: [] }, 'invalid_request');
  await submit(executor, { check_results: [{ pass: true }] }, 'invalid_request');
  await submit(other, {}, 'not_assigned');
  const report = (who: Agent, over: object, code: string): Promise<Answer> =>
    refused(who, '/v1/replay/outcome', { job_id: job.id, status: 'failed', ...over }, code);
  await report(executor, { job_id: NO_JOB }, 'replay_job_not_found');
  await report(other, {}, 'not_assigned');
  await report(executor, { status: 'completed', outcome: 'match' }, 'use_replay_submit');
  await report(executor, { status: 'completed' }, 'invalid_request');
  await executor.do('/v1/replay/submit', { job_id: job.id, task_id: job.task_id, check_results });
  await submit(executor, {}, 'invalid_state');
  await report(executor, {}, 'invalid_state');
}

/** Canaries are for the order, not for requests. */
const NODE_ONLY = '/node/canary/commit';

export async function refuseCaseWrites(s: Story, refused: Refused): Promise<void> {
  await refused(s.operator, NODE_ONLY, { commitment: NO_JOB }, 'not_found');
  await refuseOpening(s, refused);
  await refuseVotes(s, refused);
  await refuseReports(s, refused);
}

// Challenges, replays and canaries on a real node whose seat acts by itself: whole lives with real clocks, every event of
// them on the stream, and a restart that shows the same.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkObject } from '../../host/api/object-schema.ts';
import type { NodeProcess, NodeStart } from '../../tools/load/node-process.ts';
import { Agent, get, type Json, TOKEN, until } from './agent.ts';
import { type Court, challengeable, drawnJob } from './case-cases.ts';
import { Stream } from './stream-client.ts';
import { Testbed } from './testbed.ts';

const STATUSES = ['active', 'active', 'active', 'active'] as const;
const CHALLENGE_SECS = 4;
/** Everything that ends by a deadline ends within seconds here. */
const PARAMS = {
  SERVICE_AUTOVALIDATOR: 'true',
  SERVICE_PARAM_CHALLENGE_TTL_SECS: String(CHALLENGE_SECS),
  SERVICE_PARAM_REVIEW_DEFAULT_SECS: '6',
  SERVICE_PARAM_DISPUTE_DEADLINE_SECS: '6',
  SERVICE_PARAM_REPLAY_SUBMISSION_SECS: '6',
  SERVICE_PARAM_CANARY_RATE_BP: '10000',
};
/** What these lives are told by. */
const TYPES = [
  'challenge_opened',
  'challenge_vote',
  'challenge_resolved',
  'slash',
  'replay_created',
  'replay_submitted',
  'replay_closed',
  'canary_commit',
  'canary_reveal',
];
/** Long: on a busy machine idle vertices come late. */
const LIMIT_MS = 60_000;

const bed = new Testbed();
let node: NodeProcess;
let start: NodeStart;
let port: number;
let court: Court;
let challenger: Agent;
beforeAll(async () => {
  const network = await bed.network(STATUSES, 25_000);
  start = { dataDir: network.dataDir, env: { ...network.env, ...PARAMS } };
  node = await bed.start(start);
  ({ port } = node);
  const seats = Object.fromEntries(network.others.map((v) => [v.id, new Agent(port, v.signer)]));
  const [poster, worker] = [await new Agent(port).register(), await new Agent(port).register()];
  court = { port, poster, worker, seats: { ...seats, 'seat-0': new Agent(port, network.operator) } };
  challenger = await new Agent(port).register();
}, LIMIT_MS);
afterAll(() => bed.close());

const read = async (path: string): Promise<Json> => (await get(port, path)).body;
const opened = async (): Promise<{ challenge: Json; target: Agent }> => {
  const { task, target } = await challengeable(court);
  const body = { task_id: task, target_id: target, reason: 'doubt' };
  return { challenge: await challenger.do('/v1/challenges', body), target: court.seats[target]! };
};

describe('a node whose validator acts by itself', () => {
  it('executes the replays that its seat is drawn for', { timeout: LIMIT_MS }, async () => {
    let job: Json;
    for (let i = 0; i < 20 && job?.executor_id !== 'seat-0'; i++) {
      ({ job } = await drawnJob(court));
      // Others say that they cannot, until the own seat is drawn or nobody is left.
      while (job.status === 'pending' && job.executor_id !== 'seat-0') {
        const report = { job_id: job.id, status: 'failed' };
        ({ job } = await court.seats[job.executor_id]!.do('/v1/replay/outcome', report));
      }
    }
    expect(job.executor_id).toBe('seat-0');
    const done = await until(
      () => read(`/v1/replay/jobs/${job.id}`),
      (j: Json) => j.status !== 'pending',
      LIMIT_MS,
    );
    expect(done).toMatchObject({ status: 'completed', outcome: 'match', action: 'no_action' });
    expect(checkObject('ReplayJob', done)).toEqual([]);
    expect(await read(`/v1/tasks/${job.task_id}`)).toMatchObject({ replay_status: 'replay_complete' });
  });

  it('a job that nobody answers fails by its deadlines', { timeout: LIMIT_MS }, async () => {
    let job: Json;
    do ({ job } = await drawnJob(court));
    while (job.executor_id === 'seat-0');
    const done = await until(
      () => read(`/v1/replay/jobs/${job.id}`),
      (j: Json) => j.status !== 'pending',
      LIMIT_MS,
    );
    // The own seat may be the second or third executor: then it is completed.
    if (done.executor_id === 'seat-0') expect(done.outcome).toBe('match');
    else expect(done).toMatchObject({ status: 'failed' });
    expect(done.attempt).toBeGreaterThan(1);
    expect(await read(`/v1/tasks/${job.task_id}`)).toMatchObject({ generation_status: 'recognized' });
  });

  it('challenges succeed, fail, or are partial at their deadline', { timeout: LIMIT_MS }, async () => {
    const late = await opened();
    const lost = await opened();
    await court.seats['seat-0']!.do(`/v1/challenges/${lost.challenge.id}/resolve`, { outcome: 'failed' });
    const won = await opened();
    const staked = (await read(`/v1/agents/${won.target.id}/balance`)).staked_amount;
    const answer = await court.seats['seat-0']!.do(`/v1/challenges/${won.challenge.id}/resolve`, {
      outcome: 'succeeded',
    });
    expect(answer).toMatchObject({ status: 'succeeded', slash_amount: Math.floor(staked * 0.3) });
    const ended = await until(
      () => read(`/v1/challenges/${late.challenge.id}`),
      (c: Json) => c.status !== 'open',
      LIMIT_MS,
    );
    expect(ended).toMatchObject({ status: 'partial', refunded_bond: ended.bond });
    expect(ended.resolved_at - ended.created_at).toBeGreaterThanOrEqual(CHALLENGE_SECS);
    const list = await read(`/v1/challenges?challenger_id=${challenger.id}&target_id=${won.target.id}`);
    expect(list.map((c: Json) => c.status)).toContain('succeeded');
  });

  it('plants canaries and reveals them', { timeout: 4 * LIMIT_MS }, async () => {
    const revealed = async () => (await read('/v1/events/recent?event_type=canary_reveal')).length;
    const categories = ['research', 'writing', 'planning', 'support'];
    for (let i = 0; i < 40 && (await read('/v1/events/recent?event_type=canary_commit')).length === 0; i++) {
      try {
        await challengeable(court, categories[0]);
      } catch (error) {
        // Its draws have used up the reserve of the category.
        if (!/assurance_blocked/.test(String(error)) || categories.length === 1) throw error;
        categories.shift();
      }
    }
    await until(revealed, (count) => count > 0, 2 * LIMIT_MS);
    const [row] = await read('/v1/events/recent?event_type=canary_reveal');
    const { payload } = await read(`/v1/events/${row.event_id}`);
    const task = await read(`/v1/tasks/${payload.task_id}`);
    expect(task).toMatchObject({ category: expect.any(String), assurance_lane: 'standard' });
    expect(['completed', 'cancelled']).toContain(task.status);
    expect(payload.commitment).toMatch(/^[0-9a-f]{64}$/);
  });

  it('tells all of it on the stream, and shows it again after a restart', { timeout: LIMIT_MS }, async () => {
    const stream = await Stream.open(port, `?since=0&filter=${TYPES.join(',')}`);
    await stream.until(({ messages }) => TYPES.every((type) => messages.some((m) => m.type === type)));
    for (const message of stream.messages) expect(checkObject('StreamMessage', message)).toEqual([]);
    const slash = stream.messages.find((m) => m.type === 'slash')!;
    expect(slash.data.challenge_id).toMatch(/^chal-/);
    const paths = ['/v1/challenges?per_page=200', '/v1/replay/jobs?per_page=200'];
    const settled = async () => (await read('/v1/replay/jobs?status=pending')).length;
    await until(settled, (pending) => pending === 0, LIMIT_MS);
    const before = await Promise.all(paths.map(read));
    node.signal('SIGTERM');
    await node.ended();
    ({ port } = await bed.start(start));
    expect(await Promise.all(paths.map(read))).toEqual(before);
    expect((await read('/v1/economics')).total_supply).toBe(1_000_000_000 * TOKEN);
  });
});

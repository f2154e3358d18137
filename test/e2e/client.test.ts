// The client against a real node, tasks and market: every answer matches the table of objects, and a step whose
// answer was lost on the way is carried out once and returns its outcome.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkObject } from '../../host/api/object-schema.ts';
import { type BodyOf, systemEnvironment, type Task, VwsClient } from '../../host/client/index.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { hurriedClock } from '../host/client/hurried-clock.ts';
import { TOKEN } from './agent.ts';
import { RESULT, TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';

const WORK: BodyOf<'taskSubmit'> = {
  result_content: RESULT.result_content,
  evidence: { output_type: 'text', metrics: { vessels: '12' } },
};

const bed = new Testbed();
let baseUrl: string;
beforeAll(async () => {
  const { port } = await bed.start({ dataDir: await bed.directory() });
  baseUrl = `http://127.0.0.1:${port}`;
});
afterAll(() => bed.close());

/** A registered agent. `losing`: of each write the first answer is lost after the node has sent it. */
async function join(losing = false): Promise<{ client: VwsClient; id: string; lost: () => number }> {
  const key = newSigner();
  await new VwsClient({ baseUrl, key }).register();
  const seen = new Set<unknown>();
  const fetchAndLose = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await fetch(url, init);
    const nonce = (init.headers as Record<string, string>)['X-Service-Nonce'];
    if (!losing || nonce === undefined || seen.has(nonce)) return answer;
    seen.add(nonce);
    await answer.text();
    throw new TypeError('the connection broke');
  };
  const environment = { ...systemEnvironment, fetch: fetchAndLose, clock: hurriedClock };
  const client = new VwsClient({ baseUrl, key, environment });
  return { client, id: key.publicKeyHex, lost: () => seen.size };
}

/** The answer of a step about a task is that task as it stands. */
async function expectTask(client: VwsClient, task: Task, status: Task['status']): Promise<void> {
  expect(checkObject('Task', task)).toEqual([]);
  expect(task.status).toBe(status);
  expect(await client.tasks.get(task.id)).toEqual(task);
}

const typesOf = async (client: VwsClient): Promise<Record<string, number>> =>
  (await client.dagStats()).events_by_type;

describe.each([
  ['an undisturbed connection', false],
  ['a connection that loses the answer of every write', true],
])('the client over %s', (_, losing) => {
  it('carries a task from posting to payment, each step once', async () => {
    const [poster, worker] = [await join(losing), await join(losing)];
    const before = await typesOf(poster.client);
    const { tasks } = poster.client;
    const posted = await tasks.create({ ...TASK, category: 'ports' });
    await expectTask(poster.client, posted, 'open');
    await expectTask(worker.client, await worker.client.tasks.claim(posted.id), 'claimed');

    const commit = await worker.client.tasks.commit(posted.id, { outcome: 'progress' });
    expect(checkObject('TrajectoryCommitted', commit)).toEqual([]);
    const [stored] = await tasks.trajectories(posted.id, { include_bodies: true });
    expect(stored).toMatchObject({ event_id: commit.event_id, checkpoint_hash: commit.checkpoint_hash });

    const part = await worker.client.tasks.subtask(posted.id, { title: 'Part', budget: 100_000 });
    await expectTask(worker.client, part, 'open');
    expect((await tasks.subtasks(posted.id)).map((one) => one.id)).toEqual([part.id]);
    await expectTask(worker.client, await worker.client.tasks.cancel(part.id), 'cancelled');

    await expectTask(worker.client, await worker.client.tasks.submit(posted.id, WORK), 'submitted');
    expect(await tasks.result(posted.id)).toMatchObject({ result_content: RESULT.result_content });
    const paid = await tasks.approve(posted.id);
    await expectTask(poster.client, paid, 'completed');
    expect(paid.payout_status).toBe('paid');
    expect((await tasks.ofAgent(worker.id, { role: 'claimer' })).map((one) => one.id)).toEqual([posted.id]);
    expect((await tasks.list({ poster_id: poster.id })).map((one) => one.id)).toEqual([posted.id]);
    expect(checkObject('TaskStats', await tasks.stats())).toEqual([]);

    const after = await typesOf(poster.client);
    const made = Object.keys(after).filter((type) => after[type] !== (before[type] ?? 0));
    const once = ['task_posted', 'task_claimed', 'subtask_posted', 'task_submitted', 'task_approved'];
    for (const type of [...once, 'trajectory_commit', 'task_cancelled']) {
      expect(made).toContain(type);
      expect(after[type], type).toBe((before[type] ?? 0) + 1);
    }
    expect([poster.lost(), worker.lost()]).toEqual(losing ? [2, 5] : [0, 0]);
  });

  it('disputes and cancels', async () => {
    const [poster, worker] = [await join(losing), await join(losing)];
    const { id } = await poster.client.tasks.create(TASK);
    await worker.client.tasks.claim(id);
    await worker.client.tasks.submit(id, WORK);
    const disputed = await poster.client.tasks.dispute(id, { reason: 'late' });
    await expectTask(poster.client, disputed, 'disputed');
    expect(disputed.dispute_reason).toBe('late');
    const second = await poster.client.tasks.create(TASK);
    await expectTask(poster.client, await poster.client.tasks.cancel(second.id), 'cancelled');
  });

  it('a refused step is an error with its code, whether or not its answer was lost', async () => {
    const poster = await join(losing);
    const { id } = await poster.client.tasks.create(TASK);
    await expect(poster.client.tasks.claim(id)).rejects.toMatchObject({ code: 'self_claim', status: 403 });
    await expect(poster.client.tasks.approve(id)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(poster.client.tasks.create({ ...TASK, budget: 60_000 * TOKEN })).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
    expect((await poster.client.balance(poster.id)).reserved).toBe(TASK.budget);
  });

  it('lists, is discovered, takes routed tasks, and leaves', async () => {
    const [poster, worker] = [await join(losing), await join(losing)];
    const { market } = worker.client;
    const category = `charts-${losing}`;
    const listed = await market.list({ name: 'Charts', category, price_tok: 3 });
    expect(checkObject('Listing', listed)).toEqual([]);
    expect(await market.listing(worker.id)).toEqual(listed);
    expect(await market.search({ q: 'chart', category })).toEqual([listed]);
    expect((await market.categories())[category]).toBe(1);
    const [found, ...others] = await poster.client.market.discover({ q: 'charts', category });
    expect(others).toEqual([]);
    expect(checkObject('DiscoverRow', found)).toEqual([]);
    expect(found).toMatchObject({ agent_id: worker.id, relevance_score: 1 });

    const registered = await market.register({ categories: [category.toUpperCase()], price_per_task: TOKEN });
    expect(checkObject('RouterRegistered', registered)).toEqual([]);
    expect(registered).toMatchObject({ categories: [category], status: 'registered' });
    expect((await market.routableAgents({ category })).map((one) => one.agent_id)).toEqual([worker.id]);
    const task = await poster.client.tasks.create({ ...TASK, category });
    expect(task.routed_to).toBe(worker.id);
    expect((await market.routes())[0]).toMatchObject({ task_id: task.id, agent_id: worker.id });
    expect(checkObject('RouterStats', await market.routerStats())).toEqual([]);

    const paused = await market.setAvailable(worker.id, false);
    expect(paused).toMatchObject({ agent_id: worker.id, available: false });
    expect(checkObject('RouterAvailability', paused)).toEqual([]);
    expect(checkObject('RouterUnregistered', await market.unregister(worker.id))).toEqual([]);
    expect(await market.routableAgents({ category })).toEqual([]);
    expect(checkObject('ServiceUnlisted', await market.unlist(worker.id))).toEqual([]);
    expect((await market.listing(worker.id)).active).toBe(false);
    await expect(market.unregister(worker.id)).rejects.toMatchObject({ code: 'capability_not_found' });
    expect(worker.lost()).toBe(losing ? 6 : 0);
  });
});

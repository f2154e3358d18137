// Tasks over a real node: races, lists against a walk over all tasks, restarts, large results, the node's own validator.

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Agent, get, type Json, TOKEN, until } from './agent.ts';
import { testSeed } from './seed.ts';
import { RESULT, TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

const STEPS = ['approve', 'dispute', 'cancel'] as const;
const STATUSES = ['open', 'claimed', 'submitted', 'completed', 'disputed', 'cancelled'];
const CATEGORIES = ['general', 'code', 'poetry'];

/** Draws numbers below a bound; the same ones for the same seed. */
function chance(seed: number): (below: number) => number {
  let step = 0;
  return (below) => createHash('sha256').update(`${seed}:${step++}`).digest().readUInt32BE(0) % below;
}

async function agents(port: number, count: number): Promise<Agent[]> {
  const made: Agent[] = [];
  for (let i = 0; i < count; i++) made.push(await new Agent(port).register());
  return made;
}

const taskOf = async (port: number, id: string): Promise<Json> => (await get(port, `/v1/tasks/${id}`)).body;

describe('races', () => {
  it('of 100 parallel approvals, disputes and cancellations exactly one wins', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const [poster, worker] = (await agents(port, 2)) as [Agent, Agent];
    const owned = async (): Promise<number> => {
      const both = [poster, worker].map(async (a) => (await get(port, `/v1/agents/${a.id}/balance`)).body);
      return (await Promise.all(both)).reduce((sum, { balance, reserved }) => sum + balance + reserved, 0);
    };
    for (const state of ['submitted', 'claimed']) {
      const before = await owned();
      const { id } = await poster.do('/v1/tasks', TASK);
      await worker.do(`/v1/tasks/${id}/claim`);
      if (state === 'submitted') await worker.do(`/v1/tasks/${id}/submit`, RESULT);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => poster.post(`/v1/tasks/${id}/${STEPS[i % 3]}`)),
      );
      expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
      const codes = answers.filter((a) => a.status !== 200).map((a) => a.body.code);
      expect(new Set(codes)).toEqual(new Set(['invalid_state']));
      // Paid, refunded or still in escrow, bonds included: once, and less the fee.
      const { base_fee } = await taskOf(port, id);
      expect((await owned()) + (base_fee ?? 0)).toBe(before);
    }
  });

  it('of 30 agents that claim at once exactly one holds the task', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const [poster, ...workers] = (await agents(port, 31)) as [Agent, ...Agent[]];
    const { id } = await poster.do('/v1/tasks', TASK);
    const answers = await Promise.all(workers.map((w) => w.post(`/v1/tasks/${id}/claim`)));
    const won = answers.findIndex((a) => a.status === 200);
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
    expect((await taskOf(port, id)).claimer_id).toBe(workers[won]!.id);
  });
});

/** Random steps of a few agents on their tasks, valid or not; the ids of all tasks in order of creation. */
async function live(
  port: number,
  all: Agent[],
  steps: number,
  random: (below: number) => number,
): Promise<string[]> {
  const ids: string[] = [];
  const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
  for (let i = 0; i < steps; i++) {
    const who = one(all);
    if (ids.length === 0 || random(4) === 0) {
      const more = { category: one(CATEGORIES), budget: 100_000 * (1 + random(5)) };
      ids.push((await who.do('/v1/tasks', { ...TASK, ...more })).id);
      continue;
    }
    const id = one(ids);
    const step = one(['claim', 'claim', 'submit', 'submit', 'subtask', ...STEPS]);
    const task = await taskOf(port, id);
    // Mostly by somebody who may.
    const name = step === 'submit' || step === 'subtask' ? task.claimer_id : task.poster_id;
    const actor = step === 'claim' || random(5) === 0 ? who : (all.find((a) => a.id === name) ?? who);
    const body = step === 'submit' ? RESULT : step === 'subtask' ? { title: 'Part', budget: 100_000 } : {};
    const answer = await actor.post(`/v1/tasks/${id}/${step}`, body);
    if (step === 'subtask' && answer.status === 201) ids.push(answer.body.id);
  }
  return ids;
}

/** Compares lists of several filters, page by page, with a walk over all tasks. */
async function compareLists(port: number, all: Agent[], ids: string[], about: string): Promise<void> {
  const tasks: Json[] = [];
  for (const id of ids) tasks.push(await taskOf(port, id));
  tasks.reverse();
  const list = async (path: string, expected: Json[]): Promise<void> => {
    const rows: Json[] = [];
    let total = 0;
    for (let page = 1; page === 1 || rows.length < total; page++) {
      const answer = await get(port, `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=7`);
      total = Number(answer.headers.get('x-total-count'));
      rows.push(...answer.body);
      if (answer.body.length === 0) break;
    }
    const at = `${about} ${path}`;
    expect(
      rows.map((r) => r.id),
      at,
    ).toEqual(expected.map((t) => t.id));
    expect(total, at).toBe(expected.length);
    for (const [i, row] of rows.entries()) {
      const { result_content: _, ...shown } = expected[i];
      expect(row, at).toEqual(shown);
    }
  };
  await list('/v1/tasks', tasks);
  for (const status of STATUSES) {
    await list(
      `/v1/tasks?status=${status}`,
      tasks.filter((t) => t.status === status),
    );
    const both = tasks.filter((t) => t.status === status && t.category === 'code');
    await list(`/v1/tasks?status=${status}&category=code`, both);
  }
  for (const a of all) {
    await list(
      `/v1/tasks?poster_id=${a.id}`,
      tasks.filter((t) => t.poster_id === a.id),
    );
    await list(
      `/v1/tasks?claimer_id=${a.id}&status=claimed`,
      tasks.filter((t) => t.claimer_id === a.id && t.status === 'claimed'),
    );
    const own = tasks.filter((t) => t.poster_id === a.id || t.claimer_id === a.id);
    await list(`/v1/tasks/agent/${a.id}`, own);
    await list(
      `/v1/tasks/agent/${a.id}?role=claimer`,
      tasks.filter((t) => t.claimer_id === a.id),
    );
  }
  const stats = (await get(port, '/v1/tasks/stats')).body;
  const topLevel = tasks.filter((t) => !t.is_subtask);
  expect(
    STATUSES.map((s) => stats[`${s}_tasks`]),
    about,
  ).toEqual(STATUSES.map((s) => tasks.filter((t) => t.status === s).length));
  const sum = (rows: Json[], field: string): number => rows.reduce((total, t) => total + (t[field] ?? 0), 0);
  expect(stats, about).toMatchObject({
    total_tasks: tasks.length,
    total_budget: sum(topLevel, 'budget'),
    total_escrowed: sum(tasks, 'escrow_amount'),
    total_paid: sum(
      tasks.filter((t) => t.payout_status === 'paid'),
      'worker_net_payout',
    ),
    by_category: Object.fromEntries(
      CATEGORIES.map((c) => [c, topLevel.filter((t) => t.category === c).length]).filter(([, n]) => n !== 0),
    ),
  });
  // What is held of the bonds: the worker's while it has the task, the poster's while it disputes.
  const inHand = tasks.filter((t) => ['claimed', 'submitted', 'disputed'].includes(t.status));
  const inDispute = tasks.filter((t) => t.status === 'disputed');
  const bonds = sum(inHand, 'worker_bond') + sum(inDispute, 'dispute_bond');
  const { total_escrowed } = (await get(port, '/v1/economics')).body;
  expect(total_escrowed, about).toBe(stats.total_escrowed + bonds);
}

describe('lists', () => {
  it('equal a walk over all tasks, also after a restart and after a kill', async () => {
    const seed = testSeed();
    const dataDir = await bed.directory();
    let node = await bed.start({ dataDir });
    const all = await agents(node.port, 5);
    const ids = await live(node.port, all, 250, chance(seed));
    await compareLists(node.port, all, ids, `VWS_SEED=${seed}`);
    const shown = await Promise.all(ids.map((id) => taskOf(node.port, id)));
    await node.kill();
    node = await bed.start({ dataDir });
    expect(await Promise.all(ids.map((id) => taskOf(node.port, id)))).toEqual(shown);
    const moved = all.map((a) => new Agent(node.port, a.signer));
    const more = await live(node.port, moved, 60, chance(seed + 1));
    await compareLists(node.port, moved, [...ids, ...more], `VWS_SEED=${seed}, after a kill`);
    // Tasks that are final are archived: refusals still tell who asks for what.
    const final = (await get(node.port, '/v1/tasks?status=cancelled&limit=1')).body[0];
    for (const step of STEPS) {
      for (const a of moved) {
        const code = a.id === final.poster_id ? 'invalid_state' : 'not_poster';
        expect((await a.post(`/v1/tasks/${final.id}/${step}`)).body.code).toBe(code);
      }
    }
    await node.stop();
    node = await bed.start({ dataDir });
    const again = all.map((a) => new Agent(node.port, a.signer));
    await compareLists(node.port, again, [...ids, ...more], `VWS_SEED=${seed}, after a restart`);
  });
});

describe('results', () => {
  it('are accepted in requests of up to 1 MiB, kept as sent and shown only by the result itself', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const [poster, worker] = (await agents(port, 2)) as [Agent, Agent];
    const { id } = await poster.do('/v1/tasks', TASK);
    await worker.do(`/v1/tasks/${id}/claim`);
    const result_content = 'harbour ünï 😀\r\n'.repeat(45_000);
    const body = JSON.stringify({ result_content });
    expect(Buffer.byteLength(body)).toBeLessThan(1_048_576);
    const tooLarge = await worker.post(
      `/v1/tasks/${id}/submit`,
      `${body.slice(0, -1)}${' '.repeat(200_000)}}`,
    );
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'body_too_large']);
    const submitted = await worker.post(`/v1/tasks/${id}/submit`, body);
    expect(submitted.body.result_hash).toBe(createHash('sha256').update(result_content).digest('hex'));
    expect((await get(port, `/v1/tasks/result/${id}`)).body.result_content).toBe(result_content);
    expect((await get(port, '/v1/tasks')).body[0]).not.toHaveProperty('result_content');
    const event = (await get(port, '/v1/events/recent?event_type=task_submitted')).body[0];
    expect((await get(port, `/v1/events/${event.event_id}`)).body.payload).not.toHaveProperty(
      'result_content',
    );
  });
});

describe('SERVICE_AUTOVALIDATOR', () => {
  const env = { SERVICE_AUTOVALIDATOR: 'true' };
  it('settles transfers and disputes by itself, including those that were open when it stopped', async () => {
    const dataDir = await bed.directory();
    let node = await bed.start({ dataDir });
    const [poster, worker] = [
      await new Agent(node.port).register({ initial_stake: 1000 * TOKEN }),
      await new Agent(node.port).register(),
    ];
    const { event_id } = await poster.do('/v1/transfer', { to_agent: worker.id, amount: TOKEN });
    await node.stop();
    node = await bed.start({ dataDir, env });
    const event = (id: string) => async (): Promise<Json> => (await get(node.port, `/v1/events/${id}`)).body;
    await until(event(event_id), (e) => e.settlement_state === 'settled');
    const [p, w] = [new Agent(node.port, poster.signer), new Agent(node.port, worker.signer)];
    const { id } = await p.do('/v1/tasks', TASK);
    await w.do(`/v1/tasks/${id}/claim`);
    await w.do(`/v1/tasks/${id}/submit`, { result_content: TASK.description });
    await p.do(`/v1/tasks/${id}/dispute`);
    const closed = await until(
      () => taskOf(node.port, id),
      (t) => t.status === 'cancelled',
    );
    expect(closed.resolution).toBe('nothing_delivered');
    const generated = await w.do('/v1/generation', { claimed_value: 5, evidence_hash: 'e' });
    await p.do('/v1/transfer', { to_agent: worker.id, amount: 1 });
    await until(
      async () => (await get(node.port, '/v1/pending')).body,
      (rows) => rows.length === 1,
    );
    expect((await event(generated.event_id)()).settlement_state).toBe('optimistic');
  });

  it('does not start where the seat is operated by another key', async () => {
    const network = await bed.network(['active']);
    const path = network.env.SERVICE_VALIDATOR_MANIFEST!;
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    const spare = new Agent(0).id;
    manifest.entries[0].operator_agent_id = spare;
    await writeFile(path, JSON.stringify(manifest));
    const end = await bed.refusal({ dataDir: network.dataDir, env: { ...network.env, ...env } });
    expect([end.code, end.log]).toEqual([
      2,
      expect.stringMatching(/SERVICE_AUTOVALIDATOR signs with the key of the seat's operator/),
    ]);
  });
});

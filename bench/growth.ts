// Suite `growth`: what the number of agents, tasks and listings does to latency: the same reads and writes on a node with
// few of them and on one with many (PITFALLS P2: at most twice as slow).
// Keeps: both nodes run at once and get the same load in turns; every answer must be a success. The peer of each figure
// is the small node.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { populate } from '../tools/history/populate.ts';
import { requestBytes } from '../tools/load/connection.ts';
import { drive, expectStatus } from '../tools/load/drive.ts';
import { Latencies } from '../tools/load/latencies.ts';
import { NodeProcess } from '../tools/load/node-process.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { newSigner } from '../tools/load/signed-writes.ts';
import { type Row, row, type SuiteRun } from './row.ts';
import { CLAIMS_OF_AN_AGENT, TASK_STEPS, type TaskStep, TaskSteps } from './task-steps.ts';
import { MOST_MS, registerSenders, signTransfers } from './transfers.ts';

const PER_PAGE = 50;
/** Events that are read: the newest of so many pages of 200, as many as there are. */
const EVENT_PAGES = 5;
const SENDERS = 128;
/** Half of the smallest grant, so that agents who come late can stake it too. */
const STAKE_MICRO = 50_000_000;
const CONNECTIONS = 8;

/** Agents and tasks; listings are a tenth, since each costs the node 2 KiB of memory. */
interface Sizes {
  few: number;
  many: number;
  history: number;
  reads: number;
  transfers: number;
  /** Of each step, in a round. */
  tasks: number;
  rounds: number;
}
const FULL: Sizes = {
  few: 1_000,
  many: 100_000,
  history: 4_000,
  reads: 4_000,
  transfers: 2_000,
  tasks: 500,
  rounds: 4,
};
const SMALL: Sizes = {
  few: 1_000,
  many: 4_000,
  history: 200,
  reads: 40,
  transfers: 32,
  tasks: 32,
  rounds: 1,
};

type Requests = (count: number, random: SeededRandom) => Promise<Uint8Array[]>;

interface Subject {
  node: NodeProcess;
  agents: number;
  eventIds: string[];
  taskIds: string[];
  signers: ReturnType<typeof newSigner>[];
  steps: TaskSteps;
}

const get = (path: string): Uint8Array => requestBytes({ method: 'GET', path });
const many = (count: number, make: () => Uint8Array): Promise<Uint8Array[]> =>
  Promise.resolve(Array.from({ length: count }, make));

interface Load {
  status: number;
  /** Requests of a round; reads where it is left out. */
  size?: 'transfers' | 'tasks';
  requests(s: Subject): Requests;
}
const reading = (path: (s: Subject, random: SeededRandom) => string): Load => ({
  status: 200,
  requests: (s) => (count, random) => many(count, () => get(path(s, random))),
});
const stepping = (step: TaskStep): Load => ({
  status: step === 'post' ? 201 : 200,
  size: 'tasks',
  requests: (s) => (count) => s.steps.requests(step, count),
});
const pageOf = (rows: number, random: SeededRandom): number =>
  1 + random.below(Math.max(1, Math.floor(rows / PER_PAGE)));

/** The loads by name: requests for one subject. */
const LOADS: Record<string, Load> = {
  'GET balance': reading((s, random) => `/v1/agents/crowd%2F${random.below(s.agents)}/balance`),
  'GET agents, a page': reading(
    (s, random) => `/v1/agents?per_page=${PER_PAGE}&page=${pageOf(s.agents, random)}`,
  ),
  'GET leaderboard, a page': reading(
    (s, random) =>
      `/v1/agents/leaderboard?sort=balance&per_page=${PER_PAGE}&page=${pageOf(s.agents, random)}`,
  ),
  'GET event': reading((s, random) => `/v1/events/${random.pick(s.eventIds)}`),
  'GET task': reading((s, random) => `/v1/tasks/${random.pick(s.taskIds)}`),
  'GET tasks, a page': reading(
    (s, random) => `/v1/tasks?per_page=${PER_PAGE}&page=${pageOf(s.agents, random)}`,
  ),
  'GET tasks by status and category': reading(
    (s, random) =>
      `/v1/tasks?status=open&category=trade-${random.below(20)}&page=${pageOf(s.agents / 40, random)}`,
  ),
  'GET tasks of an agent': reading((s, random) => `/v1/tasks/agent/crowd%2F${random.below(s.agents)}`),
  'GET task statistics': reading(() => '/v1/tasks/stats'),
  'GET listing': reading((s, random) => `/v1/registry/crowd%2F${random.below(s.agents / 10)}`),
  'GET search': reading((s, random) => `/v1/registry/search?q=number+${random.below(s.agents / 10)}`),
  'GET discover': reading((_, random) => `/v1/discover?q=order+trade-${random.below(20)}&limit=20`),
  'POST transfer': {
    status: 201,
    size: 'transfers',
    requests: (s) => async (count, random) =>
      (await signTransfers(s.signers, count, random)).map((write) => write.bytes),
  },
  ...Object.fromEntries(TASK_STEPS.map((step) => [`task: ${step}`, stepping(step)])),
};

async function begin(dataDir: string, agents: number, sizes: Sizes): Promise<Subject> {
  const listings = Math.floor(agents / 10);
  await populate(dataDir, { agents, tasks: agents, listings, transactions: sizes.history, seed: 17 });
  const node = await NodeProcess.start({ dataDir });
  const events: { event_id: string }[] = [];
  for (let page = 1; page <= EVENT_PAGES; page++) {
    events.push(...(await node.json<{ event_id: string }[]>(`/v1/events/recent?per_page=200&page=${page}`)));
  }
  const taskIds: string[] = [];
  for (let page = 1; page <= EVENT_PAGES; page++) {
    const last = Math.floor(agents / 200);
    const at = 1 + Math.floor((page * (last - 1)) / EVENT_PAGES);
    const tasks = await node.json<{ id: string }[]>(`/v1/tasks?per_page=200&page=${at}`);
    taskIds.push(...tasks.map((task) => task.id));
  }
  const claims = sizes.tasks * (sizes.rounds + 1);
  if (claims > SENDERS * CLAIMS_OF_AN_AGENT) throw new Error('too few senders hold so many claims');
  const signers = Array.from({ length: SENDERS }, newSigner);
  await registerSenders(node.port, signers, STAKE_MICRO);
  const eventIds = events.map((e) => e.event_id);
  return { node, agents, eventIds, taskIds, signers, steps: new TaskSteps(signers) };
}

/** Latencies of a load on each subject, in turns. */
async function measure(name: string, subjects: readonly Subject[], sizes: Sizes): Promise<Latencies[]> {
  const { status, size, requests } = LOADS[name]!;
  const found = subjects.map(() => new Latencies());
  for (let round = 0; round <= sizes.rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const count = sizes[size ?? 'reads'];
      const list = await requests(subject)(
        round === 0 ? Math.ceil(count / 4) : count,
        new SeededRandom(round),
      );
      const driven = await drive({
        port: subject.node.port,
        connections: CONNECTIONS,
        count: list.length,
        request: (k) => list[k]!,
        mostMs: MOST_MS,
      });
      expectStatus(driven, status);
      if (round > 0) found[i]!.merge(driven.latencies);
    }
  }
  return found;
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const own = suite.small ? SMALL : FULL;
  const sizes = { ...own, many: suite.many ?? own.many };
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-growth-'));
  const subjects: Subject[] = [];
  try {
    for (const agents of [sizes.few, sizes.many]) {
      suite.say(`  making ${agents} agents, as many tasks, and ${agents / 10} listings`);
      subjects.push(await begin(join(dir, String(agents)), agents, sizes));
      suite.say(`  a node with ${agents} agents runs`);
    }
    const rows: Row[] = [];
    for (const name of Object.keys(LOADS)) {
      const [few, most] = (await measure(name, subjects, sizes)) as [Latencies, Latencies];
      suite.say(`  ${name}: ${few.count} and ${most.count} answers, all with status ${LOADS[name]!.status}`);
      const params = { agents: sizes.many, connections: CONNECTIONS };
      const peer = `${sizes.few} agents and tasks`;
      rows.push(
        row('growth', `${name}, p50`, params, 'ms', most.medianMs, { name: peer, value: few.medianMs }),
      );
      rows.push(row('growth', `${name}, p99`, params, 'ms', most.p99Ms, { name: peer, value: few.p99Ms }));
    }
    for (const { node } of subjects) await node.stop();
    return rows;
  } finally {
    for (const { node } of subjects) await node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

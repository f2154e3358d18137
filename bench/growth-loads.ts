// The requests of suite `growth`: every read of the API and each step of a task, with arguments drawn from all that is
// stored. Left out: what does not grow (pages, OpenAPI, the stream), and reads of objects that the populated node does
// not have (subtasks, capabilities and routes of the router).
// Keeps: every request must succeed, so arguments come from samples of existing objects.

import { requestBytes } from '../tools/load/connection.ts';
import type { NodeProcess } from '../tools/load/node-process.ts';
import type { SeededRandom } from '../tools/load/seeded-random.ts';
import type { newSigner } from '../tools/load/signed-writes.ts';
import { TASK_STEPS, type TaskStep, type TaskSteps } from './task-steps.ts';
import { signTransfers } from './transfers.ts';

const PER_PAGE = 50;
/** Number of pages of 200 rows to take samples from, evenly spread. */
const SAMPLE_PAGES = 10;

/** Ids for the reads. */
export interface Samples {
  events: string[];
  tasks: string[];
  /** Tasks with a paid result. */
  completed: string[];
  addresses: string[];
  vertices: string[];
}

/** Agents with keys and addresses, which agents of the population lack. */
type Senders = ReturnType<typeof newSigner>[];

export interface Subject {
  node: NodeProcess;
  agents: number;
  samples: Samples;
  signers: Senders;
  steps: TaskSteps;
}

type Requests = (count: number, random: SeededRandom) => Promise<Uint8Array[]>;

export interface Load {
  status: number;
  /** Requests of a round; default: `reads`. */
  size?: 'pages' | 'transfers' | 'tasks';
  requests(s: Subject): Requests;
}

type PathOf = (s: Subject, random: SeededRandom) => string;

/** A load of reads. */
const reading = (path: PathOf, size?: 'pages'): Load => ({
  status: 200,
  ...(size ? { size } : {}),
  requests: (s) => (count, random) =>
    Promise.resolve(
      Array.from({ length: count }, () => requestBytes({ method: 'GET', path: path(s, random) })),
    ),
});
const stepping = (step: TaskStep): Load => ({
  status: step === 'post' ? 201 : 200,
  size: 'tasks',
  requests: (s) => (count) => s.steps.requests(step, count),
});
const crowd = (s: Subject, random: SeededRandom): string => `crowd%2F${random.below(s.agents)}`;
/** A random full page of `rows`. */
const pageOf = (rows: number, random: SeededRandom): string =>
  `per_page=${PER_PAGE}&page=${1 + random.below(Math.max(1, Math.floor(rows / PER_PAGE)))}`;
const trade = (random: SeededRandom): string => `trade-${random.below(20)}`;

const AGENTS: Record<string, Load> = {
  'GET agents, a page': reading((s, r) => `/v1/agents?${pageOf(s.agents, r)}`, 'pages'),
  'GET leaderboard, a page': reading(
    (s, r) => `/v1/agents/leaderboard?sort=balance&${pageOf(s.agents, r)}`,
    'pages',
  ),
  'GET agent': reading((s, r) => `/v1/agents/${crowd(s, r)}`),
  'GET balance': reading((s, r) => `/v1/agents/${crowd(s, r)}/balance`),
  'GET address': reading((s, r) => `/v1/agents/${r.pick(s.signers).publicKeyHex}/address`),
  'GET stake': reading((s, r) => `/v1/agents/${crowd(s, r)}/stake`),
  'GET reputation': reading((s, r) => `/v1/agents/${crowd(s, r)}/reputation`),
  'GET agent of an address': reading((s, r) => `/v1/address/${r.pick(s.samples.addresses)}`),
  // A tenth of the tasks is in no ranked category; 1 in 100 agents is enough to fill every page.
  'GET rankings of a category': reading(
    (s, r) => `/v1/reputation/rankings?category=${trade(r)}&${pageOf(s.agents / 100, r)}`,
    'pages',
  ),
};
const TASKS: Record<string, Load> = {
  'GET tasks, a page': reading((s, r) => `/v1/tasks?${pageOf(s.agents, r)}`, 'pages'),
  'GET tasks by status and category': reading(
    (s, r) => `/v1/tasks?status=open&category=${trade(r)}&${pageOf(s.agents / 40, r)}`,
    'pages',
  ),
  'GET task statistics': reading(() => '/v1/tasks/stats'),
  'GET task': reading((s, r) => `/v1/tasks/${r.pick(s.samples.tasks)}`),
  'GET result of a task': reading((s, r) => `/v1/tasks/result/${r.pick(s.samples.completed)}`),
  'GET tasks of an agent': reading((s, r) => `/v1/tasks/agent/${crowd(s, r)}`),
};
const MARKET: Record<string, Load> = {
  'GET listing': reading((s, r) => `/v1/registry/${crowd(s, r)}`),
  'GET search': reading((s, r) => `/v1/registry/search?q=number+${r.below(s.agents)}`),
  'GET listings by category': reading(() => '/v1/registry/categories'),
  'GET discover': reading((_, r) => `/v1/discover?q=order+${trade(r)}&limit=20`),
};
const NETWORK: Record<string, Load> = {
  'GET recent events, a page': reading((s, r) => `/v1/events/recent?${pageOf(s.agents, r)}`, 'pages'),
  'GET recent events of an agent': reading((s, r) => `/v1/events/recent?agent_id=${crowd(s, r)}`),
  'GET recent events of a type': reading(
    (s, r) => `/v1/events/recent?event_type=registration&${pageOf(s.agents, r)}`,
    'pages',
  ),
  'GET event': reading((s, r) => `/v1/events/${r.pick(s.samples.events)}`),
  'GET pending events': reading(() => `/v1/pending?per_page=${PER_PAGE}`, 'pages'),
  'GET validators': reading(() => '/v1/validators'),
  'GET status': reading(() => '/v1/status'),
  'GET health': reading(() => '/health'),
  'GET metrics': reading(() => '/metrics', 'pages'),
  'GET DAG tips': reading(() => '/v1/dag/tips'),
  'GET DAG statistics': reading(() => '/v1/dag/stats'),
  'GET vertex': reading((s, r) => `/v1/dag/vertices/${r.pick(s.samples.vertices)}`),
  'GET economics': reading(() => '/v1/economics'),
  'GET activity': reading(() => '/v1/network/activity'),
  'GET network state': reading(() => '/v1/network/state'),
};

/** The loads by name, in the order they run. */
export const LOADS: Record<string, Load> = {
  ...AGENTS,
  ...TASKS,
  ...MARKET,
  ...NETWORK,
  'POST transfer': {
    status: 201,
    size: 'transfers',
    requests: (s) => async (count, random) =>
      (await signTransfers(s.signers, count, random)).map((write) => write.bytes),
  },
  ...Object.fromEntries(TASK_STEPS.map((step) => [`task: ${step}`, stepping(step)])),
};

/** Takes samples of a node that was populated with this many agents and tasks. */
export async function sampleOf(node: NodeProcess, agents: number, signers: Senders): Promise<Samples> {
  const samples: Samples = { events: [], tasks: [], completed: [], addresses: [], vertices: [] };
  const last = Math.max(1, Math.floor(agents / 200));
  for (let i = 0; i < Math.min(SAMPLE_PAGES, last); i++) {
    const page = `per_page=200&page=${1 + Math.floor((i * last) / SAMPLE_PAGES)}`;
    const events = await node.json<{ event_id: string; vertex_hash: string }[]>(`/v1/events/recent?${page}`);
    samples.events.push(...events.map((event) => event.event_id));
    const tasks = await node.json<{ id: string; status: string }[]>(`/v1/tasks?${page}`);
    samples.tasks.push(...tasks.map((task) => task.id));
    samples.completed.push(...tasks.filter((t) => t.status === 'completed').map((t) => t.id));
  }
  for (const { publicKeyHex } of signers) {
    samples.addresses.push(
      (await node.json<{ address: string }>(`/v1/agents/${publicKeyHex}/address`)).address,
    );
  }
  // The node's own vertices: those of the population are as large as vertices under full load.
  const { last_order: order } = await node.json<{ last_order: number }>('/v1/dag/stats');
  const newest = await node.json<{ hash: string }[]>(`/v1/dag/vertices?after=${order - 1}`);
  samples.vertices.push(...newest.map((vertex) => vertex.hash));
  return samples;
}

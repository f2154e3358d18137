// Suite `growth`: the effect of the number of agents, tasks and listings on latency: the same reads and writes on a
// node with few of them and on one with many (pitfall P2: at most twice as slow).
// Keeps: both nodes run at the same time and get the same load in turns; every answer must be a success. The peer of
// each figure is the small node.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POPULATED_ENV, populate } from '../tools/history/populate.ts';
import type { Population } from '../tools/history/population.ts';
import { cpuMs } from '../tools/load/cpu-time.ts';
import { drive, expectStatus } from '../tools/load/drive.ts';
import { Latencies } from '../tools/load/latencies.ts';
import { NodeProcess } from '../tools/load/node-process.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { newSigner } from '../tools/load/signed-writes.ts';
import { LOADS, type Load, type Subject, sampleOf } from './growth-loads.ts';
import { type Row, row, type SuiteRun } from './row.ts';
import { CLAIMS_OF_AN_AGENT, TaskSteps } from './task-steps.ts';
import { eachSends, MAX_LOAD_MS } from './transfers.ts';

const SENDERS = 128;
/** Less than the faucet gives: late agents get no grant (protocol 6.11). */
const STAKE_MICRO = 2_500_000_000;
const CONNECTIONS = 8;
/** Time limit for the start of a node with a million agents beside others. */
const READY_MS = 300_000;

/** Agents, tasks and listings of each node, and requests of a round. */
interface Sizes {
  few: number;
  many: number;
  history: number;
  reads: number;
  /** Reads with many rows. */
  pages: number;
  transfers: number;
  /** Of each step. */
  tasks: number;
  rounds: number;
}
const FULL: Sizes = {
  few: 1_000,
  many: 100_000,
  history: 4_000,
  reads: 2_000,
  pages: 500,
  transfers: 1_000,
  tasks: 250,
  rounds: 8,
};
const SMALL: Sizes = {
  few: 1_000,
  many: 2_000,
  history: 200,
  reads: 16,
  pages: 8,
  transfers: 16,
  tasks: 16,
  rounds: 1,
};

/** Populates a directory, unless a complete one is left from an earlier run. */
async function prepare(dataDir: string, plan: Population, say: (line: string) => void): Promise<void> {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await populate(unfinished, plan, (entries) => say(`  ${entries} entries ordered`));
  await rename(unfinished, dataDir);
}

async function begin(
  dataDir: string,
  agents: number,
  sizes: Sizes,
  say: (line: string) => void,
): Promise<Subject> {
  const counts = `${agents} agents, tasks and listings each`;
  say(`  preparing ${counts}`);
  const plan = { agents, tasks: agents, listings: agents, transactions: sizes.history, seed: 17 };
  await prepare(dataDir, plan, say);
  const startedMs = performance.now();
  const node = await NodeProcess.start({
    dataDir,
    env: POPULATED_ENV,
    flags: ['--no-auth'],
    readyMs: READY_MS,
  });
  say(`  a node with ${counts} was ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  try {
    const signers = Array.from({ length: SENDERS }, newSigner);
    await eachSends([node.port], signers, '/v1/agents', {}, 201);
    await eachSends([node.port], signers, '/v1/faucet', {}, 200);
    await eachSends([node.port], signers, '/v1/stake', { amount: STAKE_MICRO }, 200);
    const samples = await sampleOf(node, agents, signers);
    return { node, agents, samples, signers, steps: new TaskSteps(signers) };
  } catch (error) {
    await node.kill();
    throw error;
  }
}

/** The cost of a load on one subject. */
interface Cost {
  latencies: Latencies;
  /** Processor time of the node, all threads, in ms; undefined if unknown. */
  cpuMs: number | undefined;
}

/** One round of a load on one subject. */
async function drivenRound(load: Load, subject: Subject, sizes: Sizes, round: number): Promise<Cost> {
  const count = sizes[load.size ?? 'reads'];
  const isWarmup = round === 0;
  const list = await load.requests(subject)(isWarmup ? Math.ceil(count / 4) : count, new SeededRandom(round));
  const before = cpuMs(subject.node.pid);
  const driven = await drive({
    port: subject.node.port,
    connections: CONNECTIONS,
    count: list.length,
    request: (k) => list[k]!,
    mostMs: MAX_LOAD_MS,
  });
  const after = cpuMs(subject.node.pid);
  expectStatus(driven, load.status);
  const isKnown = before !== undefined && after !== undefined;
  return { latencies: driven.latencies, cpuMs: isKnown ? after - before : undefined };
}

/** Costs of a load on each subject, measured in turns. */
async function measure(load: Load, subjects: readonly Subject[], sizes: Sizes): Promise<Cost[]> {
  const found = subjects.map((): Cost => ({ latencies: new Latencies(), cpuMs: 0 }));
  for (let round = 0; round <= sizes.rounds; round++) {
    // The order alternates, so that neither always runs after the other's garbage.
    const turns = [...subjects.entries()];
    if (round % 2 === 1) turns.reverse();
    for (const [i, subject] of turns) {
      const cost = await drivenRound(load, subject, sizes, round);
      if (round === 0) continue;
      const sum = found[i]!;
      sum.latencies.merge(cost.latencies);
      sum.cpuMs = cost.cpuMs === undefined || sum.cpuMs === undefined ? undefined : sum.cpuMs + cost.cpuMs;
    }
  }
  return found;
}

/** Processor time shows the cost of a request even if other programs on the machine delay the answers. */
function rowsOf(name: string, sizes: Sizes, large: Cost, small: Cost): Row[] {
  const params = { agents: sizes.many, connections: CONNECTIONS };
  const beside = (what: string, unit: string, value: number, of: number): Row =>
    row('growth', `${name}, ${what}`, params, unit, value, {
      name: `${sizes.few} agents, tasks and listings`,
      value: of,
    });
  const [a, b] = [large.latencies, small.latencies];
  const rows = [beside('p50', 'ms', a.medianMs, b.medianMs), beside('p99', 'ms', a.p99Ms, b.p99Ms)];
  if (large.cpuMs && small.cpuMs) {
    rows.push(beside('CPU', 'us', (large.cpuMs * 1000) / a.count, (small.cpuMs * 1000) / b.count));
  }
  return rows;
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const own = suite.small ? SMALL : FULL;
  const sizes = { ...own, many: suite.many ?? own.many };
  const claims = sizes.tasks * (sizes.rounds + 1);
  if (claims > SENDERS * CLAIMS_OF_AN_AGENT) throw new Error('too few senders for this many claims');
  const dir = suite.data ?? (await mkdtemp(join(tmpdir(), 'vws-bench-growth-')));
  const subjects: Subject[] = [];
  try {
    for (const agents of [sizes.few, sizes.many]) {
      subjects.push(await begin(join(dir, String(agents)), agents, sizes, suite.say));
    }
    const rows: Row[] = [];
    for (const [name, load] of Object.entries(LOADS)) {
      const [small, large] = (await measure(load, subjects, sizes)) as [Cost, Cost];
      const counts = `${small.latencies.count} and ${large.latencies.count}`;
      suite.say(`  ${name}: ${counts} answers, all with status ${load.status}`);
      rows.push(...rowsOf(name, sizes, large, small));
    }
    for (const { node } of subjects) await node.stop();
    return rows;
  } finally {
    for (const { node } of subjects) await node.kill();
    if (suite.data === undefined) await rm(dir, { recursive: true, force: true });
  }
}

// What a flood does to others: an honest agent writes and reads at a stated rate at a real node with default limits, while
// a generator floods an idle sink on the same machine, and the node, in turns. Exit code 1 if the p99 of the honest agent
// under a flood of the node is more than `--most` times that under the flood of the sink.
// Keeps: each kind of flood has a node of its own, warmed up; a phase begins when the node has come to rest after the one
// before; every other round begins with the node. So neither side has what is left of the other's work, nor one side all the noise.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { builtPath } from '../load/built.ts';
import { cpuMs } from '../load/cpu-time.ts';
import { Latencies } from '../load/latencies.ts';
import { NodeProcess, sleep } from '../load/node-process.ts';
import { optionsOf } from '../options.ts';
import { FLOODS, type FloodName } from './flood-kinds.ts';
import { HonestAgent, type Measured } from './honest-agent.ts';

const WRITES_PER_SECOND = 10;
const READS_PER_SECOND = 40;
const FILL = { count: 40, bytes: 48_000 };
const WARM_UP_SECS = 2;
/** What one agent may write in an hour (protocol 8.1), less registration, filling and warming up. */
const MAX_WRITES = 900;
/** A node that uses less of a core than this is at rest; one that does not come to rest is measured as it is. */
const REST_MS_PER_SECOND = 150;
const MAX_REST_SECS = 30;
/** The flood begins before the agent is measured. */
const AHEAD_SECS = 2;

const options = optionsOf({
  name: 'flood',
  about:
    'an honest agent beside floods of a node with default limits, and beside the same floods of an idle sink.',
  options: {
    kinds: {
      kind: 'choices',
      choices: Object.keys(FLOODS) as FloodName[],
      fallback: Object.keys(FLOODS).join(','),
      help: 'kinds of floods',
    },
    seconds: { kind: 'whole', range: [2, 45], fallback: 8, help: 'duration of one measurement' },
    rounds: { kind: 'whole', range: [1, 20], fallback: 5, help: 'measurements of each side, in turns' },
    most: { kind: 'decimal', range: [1, 1000], fallback: 3, help: 'largest ratio of the two p99' },
  },
});

type Child = ChildProcessByStdio<null, Readable, null>;

const launch = (name: string, ...args: string[]): Child =>
  spawn(process.execPath, [builtPath(`tools/attacks/${name}.js`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

async function firstLine(child: Child): Promise<string> {
  let text = '';
  for await (const part of child.stdout) {
    text += part;
    if (text.includes('\n')) break;
  }
  return text.trim();
}

interface Phase extends Measured {
  /** Processor time of the node in a second, ms. */
  nodeMs: number;
  flood: { sent: number; answers: Record<string, number> };
}

/** Waits until a node has worked off what the last flood left. */
async function rested(pid: number): Promise<void> {
  for (let secs = 0; secs < MAX_REST_SECS; secs++) {
    const beforeMs = cpuMs(pid) ?? Number.NaN;
    await sleep(1000);
    if (!((cpuMs(pid) ?? Number.NaN) - beforeMs > REST_MS_PER_SECOND)) return;
  }
}

async function phase(kind: FloodName, port: number, agent: HonestAgent, pid: number): Promise<Phase> {
  const { seconds } = options;
  await rested(pid);
  const generator = launch('flood-generator', kind, String(port), String(seconds + AHEAD_SECS + 1));
  const said = firstLine(generator);
  await sleep(AHEAD_SECS * 1000);
  const beforeMs = cpuMs(pid) ?? Number.NaN;
  const measured = await agent.run(seconds, WRITES_PER_SECOND, READS_PER_SECOND);
  const nodeMs = ((cpuMs(pid) ?? Number.NaN) - beforeMs) / seconds;
  const flood = JSON.parse(await said) as Phase['flood'];
  return { ...measured, nodeMs, flood };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const sumOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function together(phases: readonly Phase[], what: 'write' | 'read'): Latencies {
  const all = new Latencies();
  for (const one of phases) all.merge(one[what]);
  return all;
}

const shown = ({ medianMs, p99Ms }: Latencies): string => `${medianMs.toFixed(1)} / ${p99Ms.toFixed(1)}`;

function printWork(kind: FloodName, idle: readonly Phase[], under: readonly Phase[]): void {
  const [idleMs, underMs] = [idle, under].map((phases) => median(phases.map((one) => one.nodeMs))) as [
    number,
    number,
  ];
  const perRequest = (underMs - idleMs) / FLOODS[kind].perSecond;
  console.log(
    `  CPU of the node, ms a second: ${idleMs.toFixed(0)} -> ${underMs.toFixed(0)}, ${perRequest.toFixed(2)} for each request of the flood`,
  );
  const answers: Record<string, number> = {};
  for (const { flood } of under)
    for (const [name, count] of Object.entries(flood.answers)) answers[name] = (answers[name] ?? 0) + count;
  console.log(`  sent ${sumOf(under.map(({ flood }) => flood.sent))}, answered ${JSON.stringify(answers)}`);
}

/** Prints what a kind of flood did; returns the larger ratio of p99. */
function report(kind: FloodName, idle: readonly Phase[], under: readonly Phase[]): number {
  const { about, perSecond } = FLOODS[kind];
  console.log(`${kind}: ${about}, ${perSecond} a second from 32 addresses in 4 networks`);
  let most = 0;
  for (const what of ['write', 'read'] as const) {
    const [beside, against] = [together(idle, what), together(under, what)];
    const ratio = against.p99Ms / beside.p99Ms;
    const rounds = under.map((one, i) => one[what].p99Ms / idle[i]![what].p99Ms);
    most = Math.max(most, ratio);
    console.log(
      `  ${what.padEnd(6)} p50 / p99 ms: beside the sink ${shown(beside)}, beside the node ${shown(against)}, ratio of p99 ${ratio.toFixed(2)} (median of rounds ${median(rounds).toFixed(2)})`,
    );
  }
  printWork(kind, idle, under);
  const isFailed = under.some(({ failed }) => failed.size > 0);
  for (const [beside, phases] of Object.entries({ 'the sink': idle, 'the node': under }))
    for (const { failed } of phases)
      if (failed.size > 0)
        console.log(`  not answered with 2xx beside ${beside}: ${JSON.stringify([...failed])}`);
  return isFailed ? Number.POSITIVE_INFINITY : most;
}

/** Floods the sink and a new node in turns. */
async function compare(kind: FloodName, sinkPort: number): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-flood-'));
  const node = await NodeProcess.start({ dataDir: join(dir, 'data'), env: { SERVICE_RATE_LIMITS: 'on' } });
  try {
    const agent = new HonestAgent(node.port);
    await agent.register();
    await agent.fill(FILL.count, FILL.bytes);
    await agent.run(WARM_UP_SECS, WRITES_PER_SECOND, READS_PER_SECOND);
    const idle: Phase[] = [];
    const under: Phase[] = [];
    const turns = [
      async () => idle.push(await phase(kind, sinkPort, agent, node.pid)),
      async () => under.push(await phase(kind, node.port, agent, node.pid)),
    ];
    for (let round = 0; round < options.rounds; round++) {
      for (const turn of turns) await turn();
      turns.reverse();
    }
    return report(kind, idle, under);
  } finally {
    await node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

if (2 * options.rounds * options.seconds * WRITES_PER_SECOND > MAX_WRITES)
  throw new Error(`rounds times seconds must be at most ${MAX_WRITES / (2 * WRITES_PER_SECOND)}`);
const sink = launch('sink');
try {
  const sinkPort = Number(await firstLine(sink));
  console.log(
    `honest agent: ${WRITES_PER_SECOND} writes and ${READS_PER_SECOND} reads a second, ${options.rounds} rounds of ${options.seconds} s`,
  );
  let worst = 0;
  for (const kind of options.kinds) worst = Math.max(worst, await compare(kind, sinkPort));
  console.log(`largest ratio of p99: ${worst.toFixed(2)}; at most ${options.most} is wanted`);
  process.exitCode = worst <= options.most ? 0 : 1;
} finally {
  sink.kill();
}

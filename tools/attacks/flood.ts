// What a flood does to others: an honest agent writes and reads at a stated rate at a real node with default limits, while
// a generator floods first an idle sink on the same machine, then the node. Exit code 1 if the p99 of the honest agent under
// a flood of the node is more than `--most` times that under the flood of the sink.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { builtPath } from '../load/built.ts';
import { cpuMs } from '../load/cpu-time.ts';
import type { Latencies } from '../load/latencies.ts';
import { NodeProcess, sleep } from '../load/node-process.ts';
import { optionsOf } from '../options.ts';
import { FLOODS, type FloodName } from './flood-kinds.ts';
import { HonestAgent, type Measured } from './honest-agent.ts';

const WRITES_PER_SECOND = 10;
const READS_PER_SECOND = 40;
const FILL = { count: 40, bytes: 48_000 };
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
    seconds: { kind: 'whole', range: [2, 600], fallback: 8, help: 'duration of one measurement' },
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

async function phase(kind: FloodName, port: number, agent: HonestAgent, pid: number): Promise<Phase> {
  const { seconds } = options;
  const generator = launch('flood-generator', kind, String(port), String(seconds + AHEAD_SECS + 1));
  const said = firstLine(generator);
  await sleep(AHEAD_SECS * 1000);
  const beforeMs = cpuMs(pid) ?? Number.NaN;
  const measured = await agent.run(seconds, WRITES_PER_SECOND, READS_PER_SECOND);
  const nodeMs = ((cpuMs(pid) ?? Number.NaN) - beforeMs) / seconds;
  const flood = JSON.parse(await said) as Phase['flood'];
  return { ...measured, nodeMs, flood };
}

const shown = ({ medianMs, p99Ms }: Latencies): string => `${medianMs.toFixed(1)} / ${p99Ms.toFixed(1)}`;

/** Prints a kind of flood; returns the larger ratio of p99. */
async function compare(
  kind: FloodName,
  node: NodeProcess,
  sinkPort: number,
  agent: HonestAgent,
): Promise<number> {
  const idle = await phase(kind, sinkPort, agent, node.pid);
  const under = await phase(kind, node.port, agent, node.pid);
  const { about, perSecond } = FLOODS[kind];
  console.log(`${kind}: ${about}, ${perSecond} a second from 32 addresses in 4 networks`);
  let most = 0;
  for (const what of ['write', 'read'] as const) {
    const ratio = under[what].p99Ms / idle[what].p99Ms;
    most = Math.max(most, ratio);
    console.log(
      `  ${what.padEnd(6)} p50 / p99 ms: beside the sink ${shown(idle[what])}, beside the node ${shown(under[what])}, ratio of p99 ${ratio.toFixed(2)}`,
    );
  }
  console.log(`  CPU of the node, ms a second: ${idle.nodeMs.toFixed(0)} -> ${under.nodeMs.toFixed(0)}`);
  console.log(`  sent ${under.flood.sent}, answered ${JSON.stringify(under.flood.answers)}`);
  for (const [beside, { failed }] of Object.entries({ 'the sink': idle, 'the node': under }))
    if (failed.size > 0)
      console.log(`  not answered with 2xx beside ${beside}: ${JSON.stringify([...failed])}`);
  return under.failed.size > 0 ? Number.POSITIVE_INFINITY : most;
}

const dir = await mkdtemp(join(tmpdir(), 'vws-flood-'));
const sink = launch('sink');
const env = { SERVICE_RATE_LIMITS: 'on' };
const node = await NodeProcess.start({ dataDir: join(dir, 'data'), env });
try {
  const sinkPort = Number(await firstLine(sink));
  const agent = new HonestAgent(node.port);
  await agent.register();
  await agent.fill(FILL.count, FILL.bytes);
  console.log(`honest agent: ${WRITES_PER_SECOND} writes and ${READS_PER_SECOND} reads a second`);
  let worst = 0;
  for (const kind of options.kinds) worst = Math.max(worst, await compare(kind, node, sinkPort, agent));
  console.log(`largest ratio of p99: ${worst.toFixed(2)}; at most ${options.most} is wanted`);
  process.exitCode = worst <= options.most ? 0 : 1;
} finally {
  await node.kill();
  sink.kill();
  await rm(dir, { recursive: true, force: true });
}

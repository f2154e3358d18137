// npm run localnet -- [--nodes 4] [--observers 0] [--data DIR] [--load N] [--seconds S]: a network of real nodes in one
// terminal, with a table of what each does; `--load`: so many signed writes a second over all validators. Ctrl-C stops all
// nodes cleanly. With --data the network is kept and goes on there the next time.

import { parseArgs } from 'node:util';
import { systemClock } from '../host/clock.ts';
import { chainIdOf } from '../host/wire/genesis.ts';
import { ManyNodesLoad } from './load/many-nodes.ts';
import { sleep } from './load/node-process.ts';
import { loadReport } from './load/report.ts';
import { SeenCheckpoints } from './localnet/agreement.ts';
import { type Sample, sampleOf } from './localnet/figures.ts';
import { LocalNetwork } from './localnet/network.ts';
import { plainLine, type Shown, tableLines } from './localnet/table.ts';

const MOST_NODES = 32;
const LOAD_CONNECTIONS = 32;
const TASKS_PERCENT = 10;
const TABLE_MS = 1000;
const PLAIN_MS = 5000;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '4' },
    observers: { type: 'string', default: '0' },
    data: { type: 'string' },
    load: { type: 'string', default: '0' },
    seconds: { type: 'string' },
  },
});

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  console.error(`error: --${name} is a whole number from ${least} to ${most}`);
  process.exit(2);
}

const seats = whole('nodes', values.nodes, 1, MOST_NODES);
const observers = whole('observers', values.observers, 0, MOST_NODES);
const rate = whole('load', values.load, 0, 100_000);
const seconds = values.seconds === undefined ? Infinity : whole('seconds', values.seconds, 1, 1_000_000);

let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true;
  });
}

async function sampled(shown: Shown, index: number, network: LocalNetwork): Promise<Shown> {
  const now: Sample | undefined = await sampleOf(network.nodes[index]!).catch(() => undefined);
  return { ...shown, before: shown.now, now };
}

function print(nodes: readonly Shown[], seen: SeenCheckpoints, atSecs: number): void {
  if (!process.stdout.isTTY) {
    console.log(plainLine(nodes, seen, atSecs));
    return;
  }
  const lines = [...tableLines(nodes, seen), ...seen.faults.slice(-3), '', 'Ctrl-C stops the network'];
  // Back to the top, each line overwritten, the rest cleared: no flicker.
  process.stdout.write(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join('\n')}\x1b[J`);
}

async function watch(network: LocalNetwork): Promise<SeenCheckpoints> {
  const seen = new SeenCheckpoints();
  const startedMs = systemClock.monotonicMs();
  const intervalMs = process.stdout.isTTY ? TABLE_MS : PLAIN_MS;
  let nodes: Shown[] = network.members.map(({ name, apiPort }) => {
    return { name, url: `http://127.0.0.1:${apiPort}`, now: undefined, before: undefined };
  });
  let shownMs = Number.NEGATIVE_INFINITY;
  if (process.stdout.isTTY) process.stdout.write('\x1b[2J');
  for (;;) {
    const nowMs = systemClock.monotonicMs();
    if (isStopped || nowMs - startedMs > seconds * 1000) return seen;
    if (nowMs - shownMs >= intervalMs) {
      shownMs = nowMs;
      nodes = await Promise.all(nodes.map((shown, i) => sampled(shown, i, network)));
      for (const { name, now } of nodes) if (now?.checkpoint) seen.add(name, now.checkpoint);
      print(nodes, seen, (nowMs - startedMs) / 1000);
    }
    await sleep(100);
  }
}

async function load(network: LocalNetwork): Promise<void> {
  const targets = network.members
    .filter((m) => !m.isObserver)
    .map(({ name, apiPort }) => ({ name, host: '127.0.0.1', port: apiPort }));
  const run = new ManyNodesLoad({
    targets,
    chainId: chainIdOf(true),
    connections: LOAD_CONNECTIONS,
    rate,
    seconds: Math.min(seconds, 1_000_000),
    tasksPercent: TASKS_PERCENT,
    seed: 1,
    isStopped: () => isStopped,
  });
  await run.prepare();
  const result = await run.run();
  for (const line of loadReport(result)) console.log(line);
}

console.log(`starting ${seats} validators and ${observers} observers`);
const network = await LocalNetwork.start({ seats, observers, dir: values.data });
try {
  for (const { name, apiPort } of network.members) console.log(`${name}: http://127.0.0.1:${apiPort}`);
  console.log('ready');
  const loading = rate > 0 ? load(network) : Promise.resolve();
  const seen = await watch(network);
  isStopped = true;
  await loading;
  await network.stop();
  console.log(`\nall nodes stopped cleanly; ${seen.compared} comparisons of states at equal checkpoints`);
  for (const fault of seen.faults) console.log(`FAULT ${fault}`);
  process.exitCode = seen.faults.length > 0 ? 1 : 0;
} finally {
  await network.close();
}

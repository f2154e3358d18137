// npm run localnet: a network of real nodes in one terminal. Ctrl-C stops all of them cleanly; exit code 1 if two of
// them had different states.

import { chainIdOf } from '../host/wire/genesis.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { ManyNodesLoad } from './load/many-nodes.ts';
import { sleep } from './load/node-process.ts';
import { loadReport } from './load/report.ts';
import { SeenCheckpoints } from './localnet/agreement.ts';
import { type Sample, sampleOf } from './localnet/figures.ts';
import { LocalNetwork } from './localnet/network.ts';
import { plainLine, type Shown, tableLines } from './localnet/table.ts';
import { optionsOf } from './options.ts';

const MAX_NODES = 32;
const LOAD_CONNECTIONS = 32;
const TASKS_PERCENT = 10;
const TABLE_MS = 1000;
const PLAIN_MS = 5000;

const wanted = optionsOf({
  name: 'localnet',
  about: 'a network of real nodes in one terminal, with a status table. Ctrl-C stops all of them cleanly.',
  options: {
    nodes: { kind: 'whole', range: [1, MAX_NODES], fallback: 4, help: 'validators' },
    observers: { kind: 'whole', range: [0, MAX_NODES], fallback: 0, help: 'nodes without a seat' },
    data: {
      kind: 'text',
      value: 'dir',
      defaultNote: 'a temporary one',
      help: 'folder for the network, which resumes from it the next time',
    },
    load: {
      kind: 'whole',
      range: [0, 100_000],
      fallback: 0,
      help: 'signed writes per second, over all validators',
    },
    seconds: {
      kind: 'whole',
      range: [1, 1_000_000],
      defaultNote: 'until Ctrl-C',
      help: 'stop after this many',
    },
  },
});
const { nodes: seats, observers, load: rate, seconds = Infinity } = wanted;

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
  // Moves to the top, overwrites each line, clears the rest: no flicker.
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
const network = await LocalNetwork.start({ seats, observers, dir: wanted.data });
try {
  for (const { name, apiPort } of network.members) console.log(`${name}: http://127.0.0.1:${apiPort}`);
  console.log('ready');
  const loading = rate > 0 ? load(network) : Promise.resolve();
  const seen = await watch(network);
  isStopped = true;
  await loading;
  await network.stop();
  console.log(`\nall nodes stopped cleanly; ${seen.compared} state comparisons at common checkpoints`);
  for (const fault of seen.faults) console.log(`FAULT ${fault}`);
  process.exitCode = seen.faults.length > 0 ? 1 : 0;
} finally {
  await network.close();
}

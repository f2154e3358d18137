// npm run localnet: a network of real nodes in one terminal. Ctrl-C stops all of them cleanly; exit code 1 if two of
// them had different states.

import { Screen } from '../host/cli/top/screen.ts';
import type { SeenCheckpoints } from '../host/cli/top/seen-checkpoints.ts';
import { chainIdOf } from '../host/wire/chain-id.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { ManyNodesLoad } from './load/many-nodes.ts';
import { sleep } from './load/node-process.ts';
import { loadReport } from './load/report.ts';
import { LocalNetwork } from './localnet/network.ts';
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

async function watch(network: LocalNetwork): Promise<SeenCheckpoints> {
  const startedMs = systemClock.monotonicMs();
  const isTerminal = process.stdout.isTTY === true;
  const intervalMs = isTerminal ? TABLE_MS : PLAIN_MS;
  const nodes = network.members.map(({ name, apiPort }, i) => ({
    name,
    url: `http://127.0.0.1:${apiPort}`,
    get: (path: string) => network.nodes[i]!.get(path),
  }));
  const screen = new Screen(nodes, (text) => process.stdout.write(text), isTerminal);
  let shownMs = Number.NEGATIVE_INFINITY;
  screen.clear();
  for (;;) {
    const nowMs = systemClock.monotonicMs();
    if (isStopped || nowMs - startedMs > seconds * 1000) return screen.seen;
    if (nowMs - shownMs >= intervalMs) {
      shownMs = nowMs;
      await screen.sample();
      screen.draw((nowMs - startedMs) / 1000, 'Ctrl-C stops the network');
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

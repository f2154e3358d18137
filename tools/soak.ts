// npm run soak -- [--nodes 4] [--minutes 30] [--kill-every 20] [--writers 16] [--rate 100] [--seed N]: a network under
// signed load with a kill -9 and a restart again and again. Nothing acknowledged may be missing on any node, all states
// must be equal, memory must stay flat, which ten minutes or more show. Exit code 1 otherwise.

import { parseArgs } from 'node:util';
import { randomBytes } from '../host/random.ts';
import { memoryLine } from './soak/memory.ts';
import { soak } from './soak/run.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '30' },
    'kill-every': { type: 'string', default: '20' },
    writers: { type: 'string', default: '16' },
    rate: { type: 'string', default: '100' },
    seed: { type: 'string' },
  },
});

function above(least: number, name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > least) return value;
  console.error(`error: --${name} is a number above ${least}`);
  process.exit(2);
}
const positive = (name: string, text: string): number => above(0, name, text);

const seed = values.seed === undefined ? Buffer.from(randomBytes(4)).readUInt32LE() : Number(values.seed);
console.log(`seed ${seed}`);
const result = await soak({
  // One is never killed.
  nodes: above(1, 'nodes', values.nodes),
  seconds: positive('minutes', values.minutes) * 60,
  killEverySecs: positive('kill-every', values['kill-every']),
  writers: positive('writers', values.writers),
  rate: positive('rate', values.rate),
  seed,
  say: (line) => console.log(line),
});
const { kills, acknowledged, stalls, slowestReturnMs, heights, spared, memory, faults } = result;
console.log(
  `${kills} kills, ${acknowledged} writes acknowledged, ${stalls} answers 503, slowest return` +
    ` ${Math.round(slowestReturnMs)} ms, ${heights} checkpoints compared`,
);
for (const [i, m] of memory.entries()) {
  if (m) console.log(`v${i + 1}${i === spared ? ', never killed' : ''}: ${memoryLine(m)}`);
}
for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`);
console.log(
  faults.length === 0
    ? 'nothing acknowledged is missing, all states are equal, every token is somewhere'
    : `${faults.length} FAULTS`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

// npm run crash-test -- [--kills 50] [--seed N] [--writers 32]: kill -9 under signed load, again and again. Nothing
// acknowledged may be missing, nothing applied twice, every restart must be healthy. Exit code 1 otherwise.

import { parseArgs } from 'node:util';
import { randomBytes } from '../host/random.ts';
import { crashTest } from './crash/run.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string' },
    writers: { type: 'string', default: '32' },
  },
});
const seed = values.seed === undefined ? Buffer.from(randomBytes(4)).readUInt32LE() : Number(values.seed);
console.log(`seed ${seed}: repeat with --seed ${seed} --kills ${values.kills} --writers ${values.writers}`);
const result = await crashTest({
  kills: Number(values.kills),
  seed,
  writers: Number(values.writers),
  loadMs: [100, 2000],
  say: (line) => console.log(line),
});
const { kills, acknowledged, unknown, executedBefore, slowestStartMs, faults } = result;
console.log(
  `${kills} kills, ${acknowledged} writes acknowledged, ${unknown} left unknown (${executedBefore} of them had been` +
    ` executed), slowest restart ${Math.round(slowestStartMs)} ms`,
);
console.log(
  faults.length === 0
    ? 'nothing acknowledged is missing, nothing was applied twice, every restart was healthy'
    : `${faults.length} FAULTS`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

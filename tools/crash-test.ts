// npm run crash-test: a node is killed under load repeatedly. Exit code 1 if anything is lost or applied twice.

import { crashTest } from './crash/run.ts';
import { optionsOf } from './options.ts';

const plan = optionsOf({
  name: 'crash-test',
  about:
    'kill -9 under signed load, repeatedly. Nothing acknowledged may be missing, nothing applied twice, ' +
    'every restart must be healthy; exit code 1 otherwise.',
  options: {
    kills: { kind: 'whole', range: [1, 100_000], fallback: 50, help: 'number of kills' },
    // At least 2: they pay each other.
    writers: { kind: 'whole', range: [2, 1024], fallback: 32, help: 'agents that write concurrently' },
    seed: { kind: 'seed', help: 'repeats the kinds of writes and the times of the kills' },
  },
});
console.log(
  `seed ${plan.seed}: repeat with --seed ${plan.seed} --kills ${plan.kills} --writers ${plan.writers}`,
);
const result = await crashTest({ ...plan, loadMs: [100, 2000], say: (line) => console.log(line) });
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

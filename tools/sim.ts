// npm run sim -- [--seeds 200] [--seed S] [--engine core|oracle] [--over-limit]: consensus of whole networks
// on a simulated network and clock. Prints each failing seed with the command that replays it; exit code 1.

import { parseArgs } from 'node:util';
import { randomBytes } from '../host/random.ts';
import { coreEngine, oracleEngine } from '../test/sim/engine.ts';
import { simulate } from '../test/sim/run.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    seed: { type: 'string' },
    engine: { type: 'string', default: 'core' },
    'over-limit': { type: 'boolean', default: false },
  },
});
const first =
  values.seed === undefined ? Buffer.from(randomBytes(4)).readUInt32LE() >>> 4 : Number(values.seed);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const isOverLimit = values['over-limit'];
const engine = values.engine === 'oracle' ? oracleEngine() : coreEngine();
console.log(
  `${count} seeds from ${first}, engine ${engine.name}${isOverLimit ? ', faulty weight over the limit' : ''}`,
);
const summary = simulate(engine, first, count, { isOverLimit }, (result) => {
  if (!result.fault) return;
  const flags = `${isOverLimit ? ' --over-limit' : ''}${values.engine === 'core' ? '' : ` --engine ${values.engine}`}`;
  console.error(`seed ${result.seed} ${result.faultKind}: ${result.fault}`);
  console.error(`  replay: npm run sim -- --seed ${result.seed}${flags}`);
});
const { faults, blocks, vertices, epochs, worstHealRounds, worstHealMs } = summary;
console.log(
  `${count} runs, ${vertices} vertices, ${blocks} blocks, ${epochs} epochs; after the heal all was final within ` +
    `${worstHealRounds} rounds and ${worstHealMs} ms (simulated); ${faults.length} faults`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

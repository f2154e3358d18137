// npm run sim -- [--seeds 200] [--seed S] [--engine core|oracle] [--over-limit]: consensus of whole networks
// on a simulated network and clock. Prints each failing seed with the command that replays it; exit code 1.
// npm run sim -- --vertices 10000000 [--seats 10]: so many vertices through one engine, epoch after epoch, and what
// memory that takes; exit code 1 when it takes more than it may.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { soak } from '../bench/consensus-soak.ts';
import { randomBytes } from '../host/random.ts';
import { EPOCH_VERTICES } from '../host/wire/block.ts';
import { coreEngine, oracleEngine } from '../test/sim/engine.ts';
import { simulate } from '../test/sim/run.ts';
import { builtPath } from './load/built.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    seed: { type: 'string' },
    engine: { type: 'string', default: 'core' },
    'over-limit': { type: 'boolean', default: false },
    vertices: { type: 'string' },
    seats: { type: 'string', default: '10' },
  },
});

/** A line for people after so many. */
const PROGRESS_SEEDS = 500;

/** Networks from seeds; true when none failed. */
function runNetworks(): boolean {
  const first =
    values.seed === undefined ? Buffer.from(randomBytes(4)).readUInt32LE() >>> 4 : Number(values.seed);
  const count = values.seed === undefined ? Number(values.seeds) : 1;
  const isOverLimit = values['over-limit'];
  const engine = values.engine === 'oracle' ? oracleEngine() : coreEngine();
  console.log(
    `${count} seeds from ${first}, engine ${engine.name}${isOverLimit ? ', faulty weight over the limit' : ''}`,
  );
  let done = 0;
  let failed = 0;
  const summary = simulate(engine, first, count, { isOverLimit }, (result) => {
    done += 1;
    if (result.fault) failed += 1;
    if (done % PROGRESS_SEEDS === 0 && done < count)
      console.log(`  ${done} of ${count}, ${failed} faults so far`);
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
  return faults.length === 0;
}

/**
 * Resident memory that a run may take beyond what the process had: the instance at hand, one before it that the engine
 * has not given back yet, and vertices on their way.
 */
const mostBytes = (instanceBytes: number): number => 2 * instanceBytes + 128 * 2 ** 20;

/** So many vertices, epoch after epoch; true when memory stayed within bounds. */
function runEpochs(vertices: number, seats: number): boolean {
  const module = new WebAssembly.Module(readFileSync(builtPath('consensus.wasm')));
  const before = process.memoryUsage().rss;
  const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
  const parents = Math.min(4, seats);
  const wishes = { seats, parents, vertices, epochVertices: EPOCH_VERTICES, seed: 1 };
  const report = soak(module, wishes, ({ ordered, epochs }) => {
    const { rss } = process.memoryUsage();
    console.log(`${ordered} vertices ordered, ${epochs} epochs, resident ${megabytes(rss)}`);
  });
  const most = process.resourceUsage().maxRSS * 1024;
  const bound = before + mostBytes(report.instanceBytes);
  console.log(
    `${report.ordered} of ${report.fed} vertices ordered in ${report.epochs} epochs; an instance takes up to ` +
      `${megabytes(report.instanceBytes)}; resident at most ${megabytes(most)}, ` +
      `${megabytes(before)} before, bound ${megabytes(bound)}`,
  );
  return most <= bound;
}

const isGood =
  values.vertices === undefined ? runNetworks() : runEpochs(Number(values.vertices), Number(values.seats));
process.exitCode = isGood ? 0 : 1;

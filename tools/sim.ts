// npm run sim: consensus of whole networks on a simulated network and clock, or many vertices through one engine.
// Exit code 1 when a network fails, or when the engine takes more memory than it may.

import { readFileSync } from 'node:fs';
import { soak } from '../bench/consensus-soak.ts';
import { EPOCH_VERTICES } from '../host/wire/block.ts';
import { coreEngine, oracleEngine } from '../test/sim/engine.ts';
import { simulate } from '../test/sim/run.ts';
import { builtPath } from './load/built.ts';
import { optionsOf, randomSeed } from './options.ts';

const wanted = optionsOf({
  name: 'sim',
  about:
    'consensus of whole networks on a simulated network and clock; each failing seed is printed with the command that ' +
    'replays it. With --vertices: so many vertices through one engine, epoch after epoch, and what memory that takes.',
  options: {
    seeds: { kind: 'whole', range: [1, 10_000_000], fallback: 200, help: 'networks, one for each seed' },
    // Not of kind `seed`: where it is given, one network runs.
    seed: {
      kind: 'whole',
      range: [0, 0xffff_ffff],
      defaultNote: 'random',
      help: 'only the network of this seed',
    },
    engine: {
      kind: 'choice',
      choices: ['core', 'oracle'],
      fallback: 'core',
      help: 'who works out the order',
    },
    'over-limit': { kind: 'flag', help: 'more faulty weight than consensus can bear' },
    vertices: { kind: 'whole', range: [1, 1_000_000_000], help: 'no networks, but so many vertices' },
    seats: { kind: 'whole', range: [1, 1000], fallback: 10, help: 'seats that make these vertices' },
  },
});

/** A line for people after so many. */
const PROGRESS_SEEDS = 500;

/** Networks from seeds; true when none failed. */
function runNetworks(): boolean {
  const { seed, engine: name, 'over-limit': isOverLimit } = wanted;
  // So many bits that the seeds that follow are seeds too.
  const first = seed ?? randomSeed() >>> 4;
  const count = seed === undefined ? wanted.seeds : 1;
  const engine = name === 'oracle' ? oracleEngine() : coreEngine();
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
    const flags = `${isOverLimit ? ' --over-limit' : ''}${name === 'core' ? '' : ` --engine ${name}`}`;
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

const { vertices, seats } = wanted;
const isGood = vertices === undefined ? runNetworks() : runEpochs(vertices, seats);
process.exitCode = isGood ? 0 : 1;

// npm run sim: consensus of whole networks on a simulated network and clock, or many vertices through one engine.
// Exit code 1 if a network fails, or if the engine takes more memory than allowed.

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
    'replays it. With --vertices: that many vertices through one engine, epoch after epoch, and the memory it takes.',
  options: {
    seeds: { kind: 'whole', range: [1, 10_000_000], fallback: 200, help: 'networks, one for each seed' },
    // Not of kind `seed`: if it is given, one network runs.
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
      help: 'what computes the order',
    },
    'over-limit': { kind: 'flag', help: 'more faulty weight than consensus tolerates' },
    vertices: { kind: 'whole', range: [1, 1_000_000_000], help: 'instead of networks, this many vertices' },
    seats: { kind: 'whole', range: [1, 1000], fallback: 10, help: 'seats that create these vertices' },
  },
});

/** A progress line after this many. */
const PROGRESS_SEEDS = 500;

/** Runs networks from seeds; true if none failed. */
function runNetworks(): boolean {
  const { seed, engine: name, 'over-limit': isOverLimit } = wanted;
  // Few enough bits that the following seeds are valid too.
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
    `${count} runs, ${vertices} vertices, ${blocks} blocks, ${epochs} epochs; after healing, everything was final within ` +
      `${worstHealRounds} rounds and ${worstHealMs} ms (simulated); ${faults.length} faults`,
  );
  return faults.length === 0;
}

/**
 * Resident memory that a run may take beyond that of the process before: the current instance, the previous one that
 * the engine has not freed yet, and vertices in transit.
 */
const maxBytes = (instanceBytes: number): number => 2 * instanceBytes + 128 * 2 ** 20;

/** Orders this many vertices, epoch after epoch; true if memory stayed within bounds. */
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
  const peak = process.resourceUsage().maxRSS * 1024;
  const bound = before + maxBytes(report.instanceBytes);
  console.log(
    `${report.ordered} of ${report.fed} vertices ordered in ${report.epochs} epochs; an instance takes up to ` +
      `${megabytes(report.instanceBytes)}; resident at most ${megabytes(peak)}, ` +
      `${megabytes(before)} before, bound ${megabytes(bound)}`,
  );
  return peak <= bound;
}

const { vertices, seats } = wanted;
const isGood = vertices === undefined ? runNetworks() : runEpochs(vertices, seats);
process.exitCode = isGood ? 0 : 1;

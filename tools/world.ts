// npm run world: whole nodes in a simulated world of clocks, disks, links and seats that fail or lie. Exit code 1 if
// anything that must hold did not.

import { availableParallelism } from 'node:os';
import { planOf } from '../test/world/plan.ts';
import { KINDS, runPlan } from '../test/world/run.ts';
import { shrink } from '../test/world/shrink.ts';
import { optionsOf, randomSeed, refuse } from './options.ts';
import { runSeeds } from './world/crew.ts';
import type { SentOutcome } from './world/worker.ts';

const NAME = 'world';
const wanted = optionsOf({
  name: NAME,
  about:
    'networks of whole nodes under simulated time: their disks, clocks, links and processes fail, some seats lie, and ' +
    'agents keep asking. After each run one order, one state and every answer are checked, and that all is live again ' +
    'after the faults. One seed gives one run; a failing one is printed with the command that repeats it, and made smaller.',
  options: {
    seeds: { kind: 'whole', range: [1, 10_000_000], fallback: 200, help: 'runs, one for each seed' },
    seed: {
      kind: 'whole',
      range: [0, 0xffff_ffff],
      defaultNote: 'random',
      help: 'only the run of this seed, with its plan and, on failure, the smallest plan found that fails too',
    },
    first: {
      kind: 'whole',
      range: [0, 0xffff_ffff],
      defaultNote: 'random',
      help: 'the first seed; the others follow it',
    },
    minutes: { kind: 'whole', range: [1, 10_000], help: 'stop after this long, however many seeds ran' },
    seats: { kind: 'whole', range: [1, 10], defaultNote: 'by the seed', help: 'seats of every network' },
    faults: { kind: 'whole', range: [0, 50], fallback: 8, help: 'faults of a run, at most' },
    'over-limit': { kind: 'flag', help: 'more deviating seats than consensus tolerates' },
    processes: {
      kind: 'whole',
      range: [1, 256],
      defaultNote: 'one for each processor',
      help: 'processes that share the seeds',
    },
    each: { kind: 'flag', help: 'print a line for each seed' },
    log: { kind: 'flag', help: 'with --seed: print what every node logs' },
  },
});

if (wanted['over-limit'] && wanted.seats === 1) refuse(NAME, 'one seat alone has nobody to deceive');

const options = {
  faults: wanted.faults,
  isOverLimit: wanted['over-limit'],
  ...(wanted.seats === undefined ? {} : { seats: wanted.seats }),
};
const repeat = (seed: number): string =>
  `npm run world -- --seed ${seed}${wanted['over-limit'] ? ' --over-limit' : ''}${wanted.seats === undefined ? '' : ` --seats ${wanted.seats}`}${wanted.faults === 8 ? '' : ` --faults ${wanted.faults}`}`;

async function runOne(seed: number): Promise<boolean> {
  const plan = planOf(seed, options);
  console.log(JSON.stringify(plan, null, 2));
  const print = (line: {
    atMs: number;
    machine: string;
    level: string;
    text: string;
    fields: object;
  }): void =>
    console.log(
      `${(line.atMs / 1000).toFixed(3)} ${line.machine} ${line.level} ${line.text} ${JSON.stringify(line.fields)}`,
    );
  const outcome = await runPlan(plan, wanted.log ? { onLog: print } : {});
  const { fault, struck, done, unknown, ...figures } = outcome;
  console.log(JSON.stringify({ ...figures, ...objects({ struck, done, unknown }) }, null, 2));
  if (fault === undefined) return true;
  console.error(`FAULT ${fault}`);
  if (!wanted.log) {
    const least = await shrink(plan, async (candidate) => (await runPlan(candidate)).fault !== undefined);
    console.error(`the smallest plan found that fails: ${JSON.stringify(least)}`);
  }
  return false;
}

const objects = (maps: Readonly<Record<string, ReadonlyMap<string, number>>>) =>
  Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, Object.fromEntries(map)]));

interface Sums {
  runs: number;
  faults: number;
  ms: number;
  cpuMs: number;
  blocks: number;
  events: number;
  epochs: number;
  worstHealMs: number;
  worstHealRounds: number;
  struck: Map<string, number>;
  compared: number;
  unknown: Map<string, number>;
}

function add(sums: Sums, o: SentOutcome): void {
  sums.runs += 1;
  sums.ms += o.ms;
  sums.cpuMs += o.cpuMs;
  sums.blocks += o.blocks;
  sums.events += o.events;
  sums.epochs += o.epochs;
  sums.worstHealMs = Math.max(sums.worstHealMs, o.healedInMs ?? 0);
  sums.worstHealRounds = Math.max(sums.worstHealRounds, o.healedInRounds ?? 0);
  sums.compared += o.compared;
  for (const [what, n] of o.unknown) sums.unknown.set(what, (sums.unknown.get(what) ?? 0) + n);
  for (const [kind] of o.struck) sums.struck.set(kind, (sums.struck.get(kind) ?? 0) + 1);
}

function sayEach({ seed, ms, cpuMs, fault, healedInMs, healedInRounds, struck }: SentOutcome): void {
  const live =
    healedInMs === undefined
      ? 'not live'
      : `live after ${(healedInMs / 1000).toFixed(1)} s, ${healedInRounds} rounds`;
  const times = `${(ms / 1000).toFixed(0)} s in ${(cpuMs / 1000).toFixed(1)} s of CPU, ${live}`;
  console.log(
    `seed ${seed} ${fault === undefined ? 'holds' : 'FAULT'}: ${times}; ${struck.map(([kind]) => kind).join(', ')}`,
  );
}

async function runMany(): Promise<boolean> {
  const first = wanted.first ?? randomSeed() >>> 4;
  const processes = wanted.processes ?? availableParallelism();
  console.log(`${wanted.seeds} seeds from ${first} on ${processes} processes`);
  const sums: Sums = {
    runs: 0,
    faults: 0,
    ms: 0,
    cpuMs: 0,
    blocks: 0,
    events: 0,
    epochs: 0,
    worstHealMs: 0,
    worstHealRounds: 0,
    struck: new Map(),
    compared: 0,
    unknown: new Map(),
  };
  const startedMs = performance.now();
  const overMs = wanted.minutes === undefined ? Number.POSITIVE_INFINITY : wanted.minutes * 60_000;
  const chunk = 40 * processes;
  for (let at = 0; at < wanted.seeds && performance.now() - startedMs < overMs; at += chunk) {
    await runSeeds(first + at, Math.min(chunk, wanted.seeds - at), processes, options, (outcome) => {
      add(sums, outcome);
      if (wanted.each) sayEach(outcome);
      if (outcome.fault === undefined) return;
      sums.faults += 1;
      console.error(`FAULT seed ${outcome.seed}: ${outcome.fault}\n  repeat: ${repeat(outcome.seed)}`);
    });
    console.log(`  ${sums.runs} runs, ${sums.faults} faults`);
  }
  const minutes = (performance.now() - startedMs) / 60_000;
  console.log(
    `${sums.runs} runs: ${sums.faults} faults, ${sums.blocks} blocks, ${sums.events} events, ${sums.epochs} epochs, slowest ` +
      `recovery ${(sums.worstHealMs / 1000).toFixed(1)} s, ${sums.worstHealRounds} rounds; ${(sums.ms / 3_600_000).toFixed(2)} simulated hours in ` +
      `${minutes.toFixed(1)} minutes (${(sums.ms / 3_600_000 / minutes).toFixed(2)} a minute), ` +
      `${(sums.cpuMs / sums.runs / 1000).toFixed(1)} s of CPU a run`,
  );
  console.log('share of runs in which each fault struck:');
  for (const [kind, n] of [...sums.struck].sort((a, b) => b[1] - a[1]))
    console.log(`  ${kind.padEnd(20)} ${((100 * n) / sums.runs).toFixed(1)} %`);
  console.log(`${sums.compared} answers compared with the model; it says nothing about:`);
  for (const [what, n] of [...sums.unknown].sort((a, b) => b[1] - a[1]))
    console.log(`  ${what.padEnd(50)} ${n}`);
  const missed = KINDS.filter((kind) => !sums.struck.has(kind));
  if (missed.length > 0) console.log(`NEVER STRUCK, so not tested: ${missed.join(', ')}`);
  if (!wanted['over-limit']) return sums.faults === 0;
  console.log(`${sums.faults} of ${sums.runs} runs beyond the limit were noticed`);
  return sums.faults > 0;
}

process.exit((await (wanted.seed === undefined ? runMany() : runOne(wanted.seed))) ? 0 : 1);

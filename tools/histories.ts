// npm run histories: what clients of a real network see under faults, judged for linearizability. Exit code 1 if it is not,
// or if a deliberate mutant is not found.

import { writeFile } from 'node:fs/promises';
import { FAULT_KINDS } from './histories/faults.ts';
import { faultText, shortest } from './histories/judge.ts';
import { buildMutant, MUTANTS } from './histories/mutants.ts';
import { buildPorcupine, type Porcupine } from './histories/porcupine.ts';
import { type HistoryPlan, type RunResult, recordHistory } from './histories/run.ts';
import { checkMutations, verdictOf } from './histories/verdict.ts';
import { optionsOf } from './options.ts';

const MAX_MUTANT_SECS = 12;
/** A wrong node need not come back. */
const MUTANT_RETURN_MS = 10_000;

const wanted = optionsOf({
  name: 'histories',
  about:
    'concurrent clients over all nodes of a real network, while nodes are killed, paused, cut off and have their clocks ' +
    'set. All that they saw is judged by the order that the nodes agree on, and by porcupine where there is Go; exit ' +
    'code 1, with the shortest offending calls, if it is not linearizable.',
  options: {
    nodes: { kind: 'whole', range: [3, 16], fallback: 4, help: 'validators' },
    seconds: { kind: 'decimal', range: [1, 100_000], fallback: 60, help: 'duration of the load' },
    seed: { kind: 'seed', help: 'repeats what is asked and which faults strike, not what the machine does' },
    sessions: { kind: 'whole', range: [1, 512], fallback: 24, help: 'clients at the same time' },
    faults: { kind: 'choices', choices: FAULT_KINDS, defaultNote: 'all', help: 'kinds of faults' },
    mutants: {
      kind: 'flag',
      help: 'also: change the history, and the nodes, on purpose: each must be found',
    },
    out: { kind: 'text', value: 'file', help: 'writes the history as JSON' },
  },
});

let isWrong = false;

function sayRun({ recorded, struck, faults }: RunResult, kinds: readonly string[]): void {
  const { calls, events } = recorded;
  const unanswered = calls.filter(({ status }) => status === undefined).length;
  console.log(`${calls.length} calls, ${unanswered} without an answer; ${events.length} events in the order`);
  if (kinds.length > 0)
    console.log(`faults: ${kinds.map((kind) => `${kind} ${struck.get(kind as never) ?? 0}`).join(', ')}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
}

/** True when everything holds. */
function sayVerdict(run: RunResult, porcupine: Porcupine | undefined): boolean {
  const verdict = verdictOf(run.recorded, porcupine);
  const { faults, undecided, callsPerSecond, searched, searchedPerSecond } = verdict;
  const rate = (perSecond: number): string => `${Math.round(perSecond)} in a second`;
  console.log(`judged by the order: ${run.recorded.calls.length} calls, ${rate(callsPerSecond)}`);
  if (porcupine) console.log(`judged by porcupine: ${searched} operations, ${rate(searchedPerSecond)}`);
  for (const key of undecided) console.log(`porcupine did not decide about ${key}`);
  for (const fault of shortest(faults)) console.log(`FAULT ${faultText(fault)}`);
  if (faults.length > 0) console.log(`${faults.length} FAULTS, the shortest of each rule above`);
  return faults.length === 0;
}

function sayMutations(run: RunResult, porcupine: Porcupine | undefined): void {
  for (const { name, isFound, by } of checkMutations(run.recorded, wanted.seed, porcupine)) {
    if (isFound === false) isWrong = true;
    const verdict =
      isFound === undefined
        ? 'nothing to change here'
        : by.length > 0
          ? `found by ${by.join(', ')}`
          : 'not found';
    console.log(`${isFound === false ? 'WRONG' : 'ok   '} ${name}: ${verdict}`);
  }
}

async function runMutants(plan: HistoryPlan, porcupine: Porcupine | undefined): Promise<void> {
  for (const mutant of MUTANTS) {
    const { main, remove } = buildMutant(mutant);
    try {
      const seconds = Math.min(plan.seconds, MAX_MUTANT_SECS);
      const { recorded } = await recordHistory({
        ...plan,
        seconds,
        main,
        kinds: mutant.kinds,
        returnMs: MUTANT_RETURN_MS,
      });
      const { faults } = verdictOf(recorded, porcupine);
      const rules = shortest(faults).map(({ rule }) => rule);
      if (faults.length === 0) isWrong = true;
      const verdict = faults.length === 0 ? 'not found' : `found by the rules: ${rules.join(', ')}`;
      console.log(`${faults.length === 0 ? 'WRONG' : 'ok   '} ${mutant.name}: ${verdict}`);
      const [first] = faults.filter(({ calls }) => calls.length > 1);
      if (first) console.log(faultText(first).replace(/^/gm, '      '));
    } finally {
      remove();
    }
  }
}

const { nodes, seconds, seed, sessions, mutants, out } = wanted;
const kinds = wanted.faults ?? FAULT_KINDS;
console.log(`seed ${seed}`);
const built = buildPorcupine();
const porcupine = 'missing' in built ? undefined : built;
if ('missing' in built) console.log(`SKIPPED porcupine: ${built.missing}`);
const plan = { nodes, seconds, seed, sessions, pauseMs: 40, kinds };
const run = await recordHistory(plan);
if (out !== undefined) await writeFile(out, JSON.stringify(run.recorded));
sayRun(run, kinds);
if (!sayVerdict(run, porcupine) || run.faults.length > 0) isWrong = true;
else console.log('every answer fits one order in real time');
if (mutants) {
  sayMutations(run, porcupine);
  await runMutants(plan, porcupine);
}
porcupine?.close();
process.exitCode = isWrong ? 1 : 0;

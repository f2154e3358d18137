// npm run bench: every figure beside a peer's from the same run. Prints a table for each suite.
// Exit code 1 if one failed.

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { optionsOf, refuse } from '../tools/options.ts';
import { machineText, thisMachine } from './report.ts';
import type { Row } from './row.ts';
import { runSuites } from './run-suites.ts';
import { SUITE_NAMES, SUITES } from './suites.ts';

const { suite, json, small, many, data } = optionsOf({
  name: 'bench',
  about: "every figure beside a peer's from the same run, a table for each suite.",
  options: {
    suite: {
      kind: 'choices',
      choices: SUITE_NAMES,
      value: 'name,...',
      defaultNote: 'all',
      help: 'run only these suites',
    },
    json: { kind: 'text', value: 'file', help: 'write {machine, rows}, after each suite anew' },
    small: { kind: 'flag', help: 'small parameters: a few seconds each' },
    many: {
      kind: 'whole',
      range: [2000, 10_000_000],
      defaultNote: 'that of the suite',
      help: 'agents of the larger node of `growth`; transactions of `verify`',
    },
    data: {
      kind: 'text',
      value: 'dir',
      defaultNote: 'none',
      help: 'folder where `growth` keeps its populated nodes for the next run',
    },
  },
});

const machine = thisMachine();
const keep = (rows: readonly Row[]): void => {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
};
try {
  if (json !== undefined) closeSync(openSync(json, 'a'));
} catch (error) {
  refuse('bench', `--json: ${(error as Error).message}`);
}
console.log(machineText(machine));
console.log(
  "ratio = value / peer's value: for units in /s above 1 is faster, for all others below 1 is less\n",
);
const suites = (suite ?? SUITE_NAMES).map((name) => ({ name, load: SUITES[name] }));
const failed = await runSuites(suites, { small, many, data, say: (line) => console.log(line) }, keep);
if (failed.length > 0) {
  console.error(`error: without figures: ${failed.join(', ')}`);
  // Whatever a suite that failed has left open keeps nobody.
  process.exit(1);
}

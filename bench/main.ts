// npm run bench: every figure beside a peer's from the same run. Prints a table for each suite.

import { writeFileSync } from 'node:fs';
import { optionsOf } from '../tools/options.ts';
import { machineText, tableText, thisMachine } from './report.ts';
import type { Row } from './row.ts';
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
    json: { kind: 'text', value: 'file', help: 'write {machine, rows} once all suites have run' },
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
console.log(machineText(machine));
console.log(
  "ratio = value / peer's value: for units in /s above 1 is faster, for all others below 1 is less\n",
);
const rows: Row[] = [];
for (const name of suite ?? SUITE_NAMES) {
  console.log(`== ${name}`);
  const { run } = await SUITES[name]();
  const found = await run({ small, many, data, say: (line) => console.log(line) });
  rows.push(...found);
  console.log(`\n${tableText(found)}\n`);
}
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);

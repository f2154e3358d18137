// npm run bench -- [--suite NAME[,NAME...]] [--json FILE] [--small]: every figure beside a peer's from the same run.
// Prints a table for each suite; --json writes {machine, rows} once all suites are through. --many N: what the suite
// `growth` fills its larger node with; --data DIR: where it keeps that for its next run.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machineText, tableText, thisMachine } from './report.ts';
import type { Row } from './row.ts';
import { SUITES, type SuiteName } from './suites.ts';

const { values } = parseArgs({
  options: {
    suite: { type: 'string' },
    json: { type: 'string' },
    small: { type: 'boolean', default: false },
    many: { type: 'string' },
    data: { type: 'string' },
  },
});

const known = Object.keys(SUITES) as SuiteName[];
const asked = values.suite === undefined ? known : (values.suite.split(',') as SuiteName[]);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`unknown suite ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  process.exit(2);
}

const many = values.many === undefined ? undefined : Number(values.many);
if (many !== undefined && !(Number.isSafeInteger(many) && many >= 2_000)) {
  console.error('--many is a whole number from 2000 on');
  process.exit(2);
}

const machine = thisMachine();
console.log(machineText(machine));
console.log(
  "ratio = value / peer's value: for units in /s above 1 is faster, for all others below 1 is less\n",
);
const rows: Row[] = [];
for (const name of asked) {
  console.log(`== ${name}`);
  const { run } = await SUITES[name]();
  const found = await run({ small: values.small, many, data: values.data, say: (line) => console.log(line) });
  rows.push(...found);
  console.log(`\n${tableText(found)}\n`);
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);

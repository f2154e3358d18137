// npm run economy -- [--days 400] [--seed 1] [--agents 2000] [--tasks 60000] [--svg FILE] [--each]: a market with
// honest, lazy, dishonest and colluding validators under consensus time, run by core.wasm. Prints who earned and lost
// what, draws it, and checks that nothing is left behind; exit code 1 when something is.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawChart } from './economy/chart.ts';
import { injustices, leftovers } from './economy/checks.ts';
import { eventLines, groupTable, judgeTable } from './economy/report.ts';
import { simulate } from './economy/simulate.ts';
import { builtPath } from './load/built.ts';

const PROGRESS_DAYS = 50;

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    agents: { type: 'string', default: '2000' },
    tasks: { type: 'string', default: '60000' },
    svg: { type: 'string' },
    each: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function run(): boolean {
  const [days, seed] = [Number(values.days), Number(values.seed)];
  const module = new WebAssembly.Module(readFileSync(builtPath('core.wasm')));
  const terms = { seed, days, agents: Number(values.agents), tasks: Number(values.tasks) };
  console.log(`seed ${seed}: ${days} days, ${values.agents} agents, ${values.tasks} tasks`);
  const { economy, books } = simulate(module, terms, (day, { world }) => {
    if (day % PROGRESS_DAYS === 0)
      console.log(`  day ${day}: ${world.commands} commands in ${world.blocks} blocks`);
  });
  console.log(`\n${eventLines(books)}\n\n${groupTable(books)}`);
  if (values.each) console.log(`\n${judgeTable(books)}`);
  if (values.svg) writeFileSync(values.svg, drawChart(books));
  const faults = [...leftovers(economy), ...injustices(economy, books)];
  for (const fault of faults) console.error(`fault: ${fault} (replay: npm run economy -- --seed ${seed})`);
  if (faults.length === 0) {
    console.log(
      '\nnothing is in escrow, no task, event, challenge or replay is open, the accounts sum to 10^15, honest validators gained, colluding ones are excluded',
    );
  }
  return faults.length === 0;
}

if (values.help) {
  console.log(
    'npm run economy -- [--days 400] [--seed 1] [--agents 2000] [--tasks 60000] [--svg FILE] [--each: every validator]',
  );
} else process.exitCode = run() ? 0 : 1;

// npm run economy: a simulated market of validators, executed by core.wasm. Exit code 1 if anything is left open.

import { readFileSync, writeFileSync } from 'node:fs';
import { attackTables } from './economy/attacks.ts';
import { drawChart } from './economy/chart.ts';
import { injustices, leftovers } from './economy/checks.ts';
import { disputeTables } from './economy/dispute-tables.ts';
import { eventLines, groupTable, judgeTable } from './economy/report.ts';
import { simulate } from './economy/simulate.ts';
import { builtPath } from './load/built.ts';
import { optionsOf } from './options.ts';

const PROGRESS_DAYS = 50;

const { days, seed, agents, tasks, svg, each, attacks, disputes } = optionsOf({
  name: 'economy',
  about:
    'a market with honest, lazy, dishonest and colluding validators in simulated consensus time. Prints who earned ' +
    'and lost what, and checks that nothing is left open.',
  options: {
    // Tasks start after three weeks.
    days: { kind: 'whole', range: [22, 3650], fallback: 400, help: 'days of consensus time' },
    seed: { kind: 'seed', fallback: 1, help: 'the same seed gives the same run' },
    // The core has rows for 10,000 agents, including the operators of validators.
    agents: { kind: 'whole', range: [2, 9900], fallback: 2000, help: 'agents that post and do work' },
    tasks: { kind: 'whole', range: [1, 1_000_000], fallback: 60_000, help: 'tasks over all days' },
    svg: { kind: 'text', value: 'file', help: 'chart of the gains of each kind of validator' },
    each: { kind: 'flag', help: 'print a table of all validators' },
    attacks: { kind: 'flag', help: 'print only what attacks with many identities cost and yield' },
    disputes: { kind: 'flag', help: 'print only what lying around deliveries costs and yields' },
  },
});

function run(): boolean {
  const module = new WebAssembly.Module(readFileSync(builtPath('core.wasm')));
  const terms = { seed, days, agents, tasks };
  console.log(`seed ${seed}: ${days} days, ${agents} agents, ${tasks} tasks`);
  const { economy, books } = simulate(module, terms, (day, { world }) => {
    if (day % PROGRESS_DAYS === 0)
      console.log(`  day ${day}: ${world.commands} commands in ${world.blocks} blocks`);
  });
  console.log(`\n${eventLines(books)}\n\n${groupTable(books)}`);
  if (each) console.log(`\n${judgeTable(books)}`);
  if (svg !== undefined) writeFileSync(svg, drawChart(books));
  const faults = [...leftovers(economy), ...injustices(books)];
  for (const fault of faults) console.error(`fault: ${fault} (replay: npm run economy -- --seed ${seed})`);
  if (faults.length === 0) {
    console.log(
      '\nnothing is in escrow; no task, event, challenge or replay is open; the accounts sum to 10^15; honest validators gained, colluding ones lost',
    );
  }
  return faults.length === 0;
}

/** A table with what is wrong with it. */
type Table = (module: WebAssembly.Module) => { text: string; faults: string[] };

function print(table: Table): boolean {
  const { text, faults } = table(new WebAssembly.Module(readFileSync(builtPath('core.wasm'))));
  console.log(text);
  for (const fault of faults) console.error(`fault: ${fault}`);
  return faults.length === 0;
}

/** Runs every part, also after one that found a fault. */
function runAll(parts: readonly (() => boolean)[]): boolean {
  return parts.map((part) => part()).every(Boolean);
}

const attackPart = (): boolean => print(attackTables);
const disputePart = (): boolean => print(disputeTables);
const isChosen = attacks || disputes;
const chosen = [...(attacks ? [attackPart] : []), ...(disputes ? [disputePart] : [])];
process.exitCode = runAll(isChosen ? chosen : [run, attackPart, disputePart]) ? 0 : 1;

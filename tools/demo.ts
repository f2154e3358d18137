// The demo: real signed work settles on a running `npm start` node, and every figure is checked.
// First act (demo-payments.ts): a payment, a claim recognised in part, a rejected transfer. Second act (demo-work.ts):
// workers are found and get tasks, deliver in public, encrypted, as subtasks, and badly. Third act (demo-contract.ts): a
// program decides what is paid. The event stream is followed throughout. Every run uses new keys, so the demo can be repeated.
// Changes the state only through signed requests; verdicts are signed by the validator's operator.

import { VwsError } from '../host/client/index.ts';
import { type Books, readBooks, sumMicro, TOTAL_SUPPLY_MICRO } from './demo-books.ts';
import { gather, idOf, type Play, short } from './demo-cast.ts';
import { playContract } from './demo-contract.ts';
import { playPayments } from './demo-payments.ts';
import { Report, tokens } from './demo-report.ts';
import { Listener } from './demo-stream.ts';
import { playWork } from './demo-work.ts';
import { optionsOf } from './options.ts';

async function meet({ report, cast }: Play): Promise<Books> {
  report.step('The node');
  const status = await cast.validator.status();
  const state = await cast.validator.networkState();
  report.say(`version ${status.version}, chain ${status.chain_id}, order ${status.order}`);
  report.say(
    `validator ${status.validator_id} is ${status.validator_status}, operator ${short(status.agent_id)}`,
  );
  report.expect('seats of the network', state.seats, 1);
  report.expect('operator of the seat', status.agent_id, idOf(cast.validator));
  return await readBooks(cast.validator);
}

async function close({ report, cast, feesMicro }: Play, before: Books): Promise<void> {
  report.step('Balances and fees');
  for (const [name, client] of Object.entries(cast)) {
    const { balance, staked_amount: staked } = await client.balance(idOf(client));
    report.figure(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, balance, `staked ${tokens(staked)}`);
  }
  const books = await readBooks(cast.validator);
  const fees = books.economics.total_fees_collected - before.economics.total_fees_collected;
  report.checked('fees of this run', fees, feesMicro);

  report.step('The books: every token is accounted for');
  for (const [name, micro] of books.circulating) report.figure(name, micro);
  report.rule();
  const circulating = sumMicro(books.circulating);
  report.checked('in circulation', circulating, books.economics.circulating_supply);
  for (const [name, micro] of books.pools) report.figure(name, micro);
  report.rule();
  report.checked(
    'everything',
    circulating + sumMicro(books.pools),
    TOTAL_SUPPLY_MICRO,
    '= 10^15 micro-units',
  );
  report.expect('total supply', books.economics.total_supply, TOTAL_SUPPLY_MICRO);
}

/** Returns the id of the task that a program decided. */
async function play(all: Play, node: string): Promise<string> {
  const before = await meet(all);
  const listener = await Listener.start(all.cast.validator);
  try {
    await playPayments(all);
    await playWork(all);
    const task = await playContract(all, node);
    await close(all, before);
    all.report.step('The stream');
    await listener.finish(all.report);
    return task;
  } finally {
    listener.stop();
  }
}

async function main(): Promise<number> {
  const { node, data } = optionsOf({
    name: 'demo',
    about: 'real signed work settles on a running `npm start` node, and every figure is checked.',
    options: {
      node: { kind: 'text', value: 'url', fallback: 'http://127.0.0.1:8338', help: 'the node' },
      data: {
        kind: 'text',
        value: 'dir',
        fallback: 'data',
        help: "the node's data directory, with its operator's key",
      },
    },
  });
  const report = new Report((line) => console.log(line));
  try {
    const all = gather(node, data, report);
    const task = await play(all, node);
    console.log(`\nAll ${report.checkCount} checks hold.`);
    console.log('\nWhat they made, in the page of the node:');
    for (const name of ['alice', 'bob', 'carol'] as const) {
      console.log(`  ${name.padEnd(6)} ${node}/#/agent/${idOf(all.cast[name])}`);
    }
    console.log(`  task   ${node}/#/task/${task}    with its contract and the report`);
    console.log(`  tasks  ${node}/#/tasks    events ${node}/#/events    the API ${node}/docs`);
    return 0;
  } catch (error) {
    console.error(`\nerror: ${explain(error, node)}`);
    return 1;
  }
}

function explain(error: unknown, node: string): string {
  if (!(error instanceof VwsError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'unreachable') return `no node answers at ${node}; start one with: npm start`;
  if (error.code === 'rate_limited') {
    return (
      'this node limits the requests of one address per hour, registrations to 3, and a run makes 4;\n' +
      'start it without limits (npm start does, unless SERVICE_RATE_LIMITS=on is set)'
    );
  }
  return `the node refused: ${error.message} (${error.code})`;
}

process.exit(await main());

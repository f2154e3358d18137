// npm run export:again: a history exported from genesis and once more from a signed state. Exit code 1 if the tables differ.

import { exportAgain } from './export/again.ts';
import { missingPostgres } from './export/postgres-server.ts';
import { optionsOf } from './options.ts';

const plan = optionsOf({
  name: 'export:again',
  about:
    'The first transactions of a network, exported from genesis and, into another schema, from the newest signed state: ' +
    'from there on the tables must be equal; exit code 1 otherwise.',
  options: {
    transactions: {
      kind: 'whole',
      range: [2000, 100_000_000],
      fallback: 1_000_000,
      help: 'transactions in the log',
    },
    writes: { kind: 'whole', range: [0, 100_000], fallback: 2000, help: 'payments after the signed state' },
  },
});
const missing = missingPostgres();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
const { events, from, rows, seconds, faults } = await exportAgain({
  ...plan,
  say: (line) => console.log(line),
});
console.log(
  `${events} events; from genesis in ${seconds.genesis.toFixed(1)} s, from event ${from} on in ${seconds.checkpoint.toFixed(1)} s`,
);
for (const [table, count] of Object.entries(rows))
  console.log(`  ${table.padEnd(12)} ${count} rows compared`);
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(faults.length === 0 ? 'the tables are equal' : `${faults.length} tables differ`);
process.exitCode = faults.length > 0 ? 1 : 0;

// npm run export:chaos: exporters and their database are killed under load. Exit code 1 if the database is not whole after.

import { exportChaos } from './export/chaos.ts';
import { missingNats } from './export/nats-server.ts';
import { missingPostgres } from './export/postgres-server.ts';
import { optionsOf } from './options.ts';

const plan = optionsOf({
  name: 'export:chaos',
  about:
    'Two exporters of a node under signed load; they and their PostgreSQL are killed at random. After that every event ' +
    'must be there once, postings in balance, accounts as the node has them; exit code 1 otherwise.',
  options: {
    minutes: { kind: 'decimal', range: [0.1, 100_000], fallback: 10, help: 'how long things are killed' },
    writers: { kind: 'whole', range: [2, 1024], fallback: 8, help: 'agents that write concurrently' },
    seed: { kind: 'seed', help: 'repeats what is killed, and when' },
  },
});
const missing = missingPostgres();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
console.log(`seed ${plan.seed}: repeat with --seed ${plan.seed}`);
const { kills, events, postings, faults } = await exportChaos({
  seconds: plan.minutes * 60,
  seed: plan.seed,
  writers: plan.writers,
  pauseMs: [200, 5000],
  withStream: missingNats() === undefined,
});
console.log(
  `killed: ${kills.exporter} exporters, ${kills.database} databases, ${kills.stream} streams; ${events} events, ${postings} postings`,
);
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(faults.length === 0 ? 'everything is there once, and in balance' : `${faults.length} FAULTS`);
process.exitCode = faults.length > 0 ? 1 : 0;

// npm run export:compare: a reader of an export answers as its node does. Exit code 1 if an answer differs.

import { compareReader } from './export/compare.ts';
import { missingPostgres } from './export/postgres-server.ts';
import { optionsOf } from './options.ts';

const plan = optionsOf({
  name: 'export:compare',
  about:
    'Random GETs to a node and to `vws serve` on its export, at the same order: status, headers and bytes must be equal, and ' +
    'so must the frames of their streams where there is a nats-server; ' +
    'exit code 1 otherwise.',
  options: {
    requests: { kind: 'whole', range: [1, 10_000_000], fallback: 10_000, help: 'how many GETs' },
    load: {
      kind: 'whole',
      range: [1, 3600],
      fallback: 10,
      value: 'secs',
      help: 'how long agents pay each other before',
    },
    seed: { kind: 'seed', help: 'repeats what is asked' },
  },
});
const missing = missingPostgres();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
console.log(`seed ${plan.seed}: repeat with --seed ${plan.seed}`);
const result = await compareReader({ requests: plan.requests, seed: plan.seed, loadSeconds: plan.load });
for (const fault of result.faults.slice(0, 20)) console.log(`DIFFERS ${fault}`);
console.log(
  `order ${result.order}, ${result.events} events; ${result.equal} answers equal, ${result.found} of them with something; ` +
    `${result.asked} open events left to the node; ${result.streams} streams with ${result.frames} frames; ` +
    `${result.faults.length} differ`,
);
for (const [route, count] of Object.entries(result.routes).sort())
  console.log(`  ${route.padEnd(28)} ${count}`);
process.exitCode = result.faults.length > 0 ? 1 : 0;

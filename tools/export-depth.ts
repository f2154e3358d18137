// npm run export:depth: what pages of a reader cost far back in a long history. Exit code 1 if depth costs, or a table is read whole.

import { depthOf } from './export/depth.ts';
import { missingPostgres } from './export/postgres-server.ts';
import { optionsOf } from './options.ts';

const plan = optionsOf({
  name: 'export:depth',
  about:
    'Fills a database with made events and documents by COPY, and lets the queries of a reader be explained near the newest ' +
    'row, in the middle and at the first one, for each of its lists without a filter, with each and with each two; exit ' +
    'code 1 if one reads a whole table, if depth costs where pages are found by key, or if a list of one filter reads ' +
    'more than its index and its page.',
  options: {
    events: { kind: 'whole', range: [10_000, 1_000_000_000], fallback: 10_000_000, help: 'events to make' },
    agents: { kind: 'whole', range: [10, 10_000_000], fallback: 10_000, help: 'agents that they are of' },
    documents: {
      kind: 'whole',
      range: [1000, 100_000_000],
      fallback: 1_000_000,
      help: 'tasks, listings, challenges and replay jobs, of each',
    },
  },
});
const missing = missingPostgres();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
const { seconds, rows, faults } = await depthOf(plan);
console.log(
  `${plan.events} events in ${seconds.toFixed(0)} s: ${Math.round(plan.events / seconds)} events/s by COPY`,
);
console.log(
  'question'.padEnd(44),
  'way'.padEnd(5),
  'place'.padEnd(8),
  'rows'.padStart(9),
  'blocks'.padStart(8),
  'ms'.padStart(9),
  ' scans',
);
for (const { question, way, place, total, blocks, ms, scans } of rows)
  console.log(
    question.padEnd(44),
    way.padEnd(5),
    place.padEnd(8),
    String(total).padStart(9),
    String(blocks).padStart(8),
    ms.toFixed(2).padStart(9),
    ` ${scans}`,
  );
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(faults.length === 0 ? 'no page costs more than it may' : `${faults.length} FAULTS`);
process.exitCode = faults.length > 0 ? 1 : 0;

// npm run replay-test: one log, replayed in every way, gives one state. Exit code 1 if it does not.

import { type ReplayResult, replayTest } from './history/replay.ts';
import { optionsOf } from './options.ts';

function tell({ first, rebuilt, nodeOrder, faults }: ReplayResult): void {
  const { order, seq, transactions, refused, root } = first;
  console.log(
    `\nfirst run    order ${order}, event ${seq}, ${transactions} transactions (${refused} refused)`,
  );
  console.log(`             root ${root}`);
  for (const r of rebuilt) {
    const way = `${r.from} ${r.fromOrder}`.padEnd(18);
    const checked = r.checkpoints > 0 ? `, ${r.checkpoints} checkpoint roots equal` : '';
    const rate = Math.round((((r.order - r.fromOrder) / order) * transactions) / (r.ms / 1000));
    console.log(`${way} root ${r.root}${checked}; ${(r.ms / 1000).toFixed(1)} s, ${rate} transactions/s`);
  }
  console.log(`a node started on this data, order now ${nodeOrder}`);
  for (const fault of faults) console.error(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'all roots are equal' : `${faults.length} faults`);
}

const { transactions, seed } = optionsOf({
  name: 'replay-test',
  about:
    'the log of a run, replayed in a second process from genesis and from each kept snapshot, gives the same state ' +
    'root; exit code 1 if it does not.',
  options: {
    transactions: {
      kind: 'whole',
      range: [1, 10_000_000],
      fallback: 100_000,
      help: 'transactions in the log',
    },
    seed: { kind: 'seed', help: 'the same seed gives the same transactions' },
  },
});
const result = await replayTest({
  transactions,
  perVertex: 100,
  snapshotOrders: Math.max(5, Math.floor(transactions / 100 / 20)),
  copies: 4,
  seed,
  say: (line) => console.log(line),
});
tell(result);
process.exitCode = result.faults.length > 0 ? 1 : 0;

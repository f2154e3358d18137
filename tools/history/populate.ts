// Fills a data directory with many agents and some history, without a server: a real node can start on it, with
// `--no-auth`, since its crowd has no keys, and POPULATED_ENV.
// Keeps: the log ends before the present, so the node's own clock continues from there.

import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as abi from '../../assembly/abi.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import { builtPath } from '../load/built.ts';
import { PASSPHRASE } from '../load/node-process.ts';
import { Chain } from './chain.ts';
import { type Group, type Population, seedOf, spanMs } from './population.ts';

/** A day that gives out the whole schedule of grants, so that all of the crowd can pay for its tasks (protocol 6.11). */
const PARAMS = { onboarding_daily_budget: 300_000_000_000_000 };
/** Settings of a node on a populated directory. */
export const POPULATED_ENV = {
  SERVICE_PARAM_ONBOARDING_DAILY_BUDGET: String(PARAMS.onboarding_daily_budget),
};
const MARGIN_MS = 60_000;
/** Groups made ahead of the one being ordered. */
const AHEAD = 2;
const REPORT_MS = 10_000;

/** Groups of the plan, made in a thread. */
async function* groupsOf(plan: Population, chainId: string, startMs: number): AsyncGenerator<Group> {
  const file = builtPath('tools/history/population-worker.js');
  const worker = new Worker(file, { workerData: { plan, chainId, startMs } });
  try {
    for (let i = 0; i < AHEAD; i++) worker.postMessage('next');
    for await (const [group] of on(worker, 'message') as AsyncIterable<[Group | undefined]>) {
      if (!group) return;
      worker.postMessage('next');
      yield group;
    }
  } finally {
    await worker.terminate();
  }
}

/**
 * Fills an empty directory; the node's key has the passphrase of test nodes. `say` gets the number of entries so far.
 */
export async function populate(
  dataDir: string,
  plan: Population,
  say: (entries: number) => void = () => {},
): Promise<void> {
  const identity = createNodeKeyFile(dataDir, PASSPHRASE, {}, seedOf(plan));
  const store = await openStore(dataDir, 'auto', () => {});
  const chain = await Chain.open(store, identity, Number.MAX_SAFE_INTEGER, PARAMS);
  const startMs = systemClock.nowMs() - MARGIN_MS - spanMs(plan);
  let ordered = 0;
  let reportedMs = systemClock.monotonicMs();
  for await (const { entries, nowMs, mustPass } of groupsOf(plan, chain.genesis.chainId, startMs)) {
    const { transactions } = await chain.order(entries, nowMs);
    const refused = mustPass && transactions.find((t) => t.code !== abi.OK);
    if (refused) throw new Error(`an entry of the population was refused with core code ${refused.code}`);
    ordered += entries.length;
    if (systemClock.monotonicMs() - reportedMs < REPORT_MS) continue;
    reportedMs = systemClock.monotonicMs();
    say(ordered);
  }
  await chain.executor.close();
  await chain.store.close();
}

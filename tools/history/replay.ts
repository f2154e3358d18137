// The replay test: a first run makes a log on a real store, a second run in another process rebuilds the state from
// that log in every way a node could, and all must end with one root (pitfalls D1, M3).
// Keeps: works in its own directory below the system's temporary one and removes it.

import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import { builtPath } from '../load/built.ts';
import { NodeProcess, PASSPHRASE } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { Chain } from './chain.ts';
import { makeLog, VERTEX_MS } from './make-log.ts';
import type { Rebuilt } from './second-run.ts';
import { Story } from './story.ts';

interface ReplayPlan {
  transactions: number;
  perVertex: number;
  /** Vertices between two snapshots. */
  snapshotOrders: number;
  /** Points at which the store is closed, copied and reopened. */
  copies: number;
  seed: number;
  say(line: string): void;
}

export interface ReplayResult {
  first: { order: number; seq: number; root: string; transactions: number; refused: number };
  rebuilt: Rebuilt[];
  /** Order number of a real node after it started on the data. */
  nodeOrder: number;
  /** Findings; empty if there are none. */
  faults: string[];
}

const CAST = 50;

interface FirstRun {
  order: number;
  seq: number;
  root: string;
  transactions: number;
  refused: number;
  copyDirs: string[];
}

/** Makes the log in parts; between two parts the store is closed, copied and reopened. */
async function firstRun(plan: ReplayPlan, dir: string, identity: KeyPair): Promise<FirstRun> {
  const random = new SeededRandom(plan.seed);
  const finalDir = join(dir, 'final');
  const open = async (): Promise<Chain> =>
    Chain.open(await openStore(finalDir, 'auto', plan.say), identity, plan.snapshotOrders);
  let chain = await open();
  const story = new Story(identity, chain.genesis.chainId, random, CAST);
  // Far enough back that the log ends before the present, where a node continues it.
  const vertices = Math.ceil(plan.transactions / plan.perVertex) + plan.copies + 2;
  let nextMs = systemClock.nowMs() - (vertices + 60) * VERTEX_MS;
  await chain.order(story.opening(Math.floor(nextMs / 1000)), nextMs);
  const totals = { transactions: CAST, refused: 0, copyDirs: [] as string[] };
  const parts = plan.copies + 1;
  for (let part = 1; part <= parts; part++) {
    const transactions = Math.floor((plan.transactions * part) / parts) - (totals.transactions - CAST);
    const made = await makeLog(chain, story, {
      transactions,
      perVertex: plan.perVertex,
      startMs: nextMs + VERTEX_MS,
    });
    nextMs = made.nextMs;
    totals.transactions += made.transactions;
    totals.refused += made.refused;
    plan.say(`  ${totals.transactions} transactions, order ${chain.executor.head.order}`);
    if (part === parts || !chain.snapshotMark) continue;
    const copyDir = join(dir, `copy-${part}`);
    await chain.store.close();
    await cp(finalDir, copyDir, { recursive: true });
    totals.copyDirs.push(copyDir);
    chain = await open();
  }
  const { order, seq } = chain.executor.head;
  const root = chain.root();
  await chain.store.close();
  return { order, seq, root, ...totals };
}

/** Runs the second process and collects its lines. Errors: it failed. */
function secondRun(args: readonly string[]): Promise<Rebuilt[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [builtPath('tools/history/second-run.js'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (part) => {
      out += part;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`the second run ended with ${code}`));
      resolve(
        out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Rebuilt),
      );
    });
  });
}

const SUPPLY_MICRO = 1e15;

function faultsOf(first: FirstRun, rebuilt: readonly Rebuilt[]): string[] {
  const faults: string[] = [];
  for (const r of rebuilt) {
    const name = `${r.from} (order ${r.fromOrder})`;
    if (r.root !== first.root) faults.push(`${name}: root ${r.root}, the first run has ${first.root}`);
    if (r.order !== first.order || r.seq !== first.seq) {
      faults.push(`${name}: ended at order ${r.order}, event ${r.seq}, not ${first.order}, ${first.seq}`);
    }
    if (r.supply !== SUPPLY_MICRO) faults.push(`${name}: the accounts add up to ${r.supply}`);
    if (r.wrongCheckpoint) faults.push(`${name}: checkpoint ${r.wrongCheckpoint} has another root`);
  }
  return faults;
}

/** A node on the data of the first run must continue with it as it is. */
async function startNode(finalDir: string): Promise<number> {
  const node = await NodeProcess.start({ dataDir: finalDir, flags: ['--no-auth'] });
  const { order } = await node.json<{ order: number }>('/v1/status');
  await node.stop();
  return order;
}

/** Runs the whole test. Errors: anything that prevents the run; all findings are in `faults`. */
export async function replayTest(plan: ReplayPlan): Promise<ReplayResult> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-replay-'));
  try {
    const finalDir = join(dir, 'final');
    const seed = new SeededRandom(plan.seed ^ 0x5eed).bytes(32);
    const identity = createNodeKeyFile(finalDir, PASSPHRASE, {}, seed);
    plan.say(`first run: ${plan.transactions} transactions, seed ${plan.seed}`);
    const { copyDirs, ...first } = await firstRun(plan, dir, identity);
    plan.say(`second run: from genesis, from ${copyDirs.length} snapshots, as a restart`);
    const rebuilt = await secondRun([finalDir, identity.publicKeyHex, ...copyDirs]);
    const faults = faultsOf({ ...first, copyDirs }, rebuilt);
    const nodeOrder = await startNode(finalDir);
    if (nodeOrder <= first.order) faults.push(`a node on this data is at order ${nodeOrder}`);
    return { first, rebuilt, nodeOrder, faults };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

// The crash test: a real node under signed load is killed at random times, restarted and checked.
// Keeps: works on its own data directory below the system's temporary one; ends only processes it started. The seed
// repeats the kinds of writes and the times of the kills, not what the machine does in between.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chainIdOf } from '../../host/wire/chain-id.ts';
import { NodeProcess, sleep } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { checkAfterRestart } from './checks.ts';
import { isDone, Writer } from './writer.ts';

interface CrashPlan {
  kills: number;
  seed: number;
  writers: number;
  /** Bounds of the duration of the load before a kill, ms. */
  loadMs: readonly [min: number, max: number];
  say(line: string): void;
}

interface CrashResult {
  kills: number;
  acknowledged: number;
  unknown: number;
  /** How many of the unknown writes the node had executed before it was killed. */
  executedBefore: number;
  slowestStartMs: number;
  faults: string[];
}

/** One start in this many is killed as well, so that recovery itself is interrupted. */
const KILLED_STARTS = 4;
const KILLED_START_MS = [20, 900] as const;
const SETTINGS = {
  // Frequent, so that kills hit snapshots while they are written.
  SERVICE_SNAPSHOT_ORDERS: '25',
  // No transfer expires during the test, so what was sent stays reserved and can be counted.
  SERVICE_PARAM_VERIFICATION_DEADLINE_SECS: '604800',
};

class CrashTest {
  readonly result: CrashResult = {
    kills: 0,
    acknowledged: 0,
    unknown: 0,
    executedBefore: 0,
    slowestStartMs: 0,
    faults: [],
  };
  private readonly random: SeededRandom;
  private readonly writers: Writer[];

  constructor(
    private readonly plan: CrashPlan,
    private readonly dataDir: string,
  ) {
    this.random = new SeededRandom(plan.seed);
    const seeds = Array.from({ length: plan.writers }, () => this.random.next());
    this.writers = seeds.map((seed) => new Writer(chainIdOf(true), new SeededRandom(seed)));
  }

  async run(): Promise<void> {
    let node = await this.start();
    try {
      await Promise.all(this.writers.map((writer) => writer.join(node.port)));
      while (this.result.kills < this.plan.kills) {
        const fresh = this.writers.map((writer) => writer.rows.length);
        const [loadMs, lost] = await this.loadAndKill(node);
        const startedMs = performance.now();
        node = await this.start();
        const startMs = performance.now() - startedMs;
        await this.check(node, fresh, { loadMs, lost, startMs });
      }
      await node.stop();
    } finally {
      await node.kill();
    }
  }

  private start(): Promise<NodeProcess> {
    return NodeProcess.start({ dataDir: this.dataDir, env: SETTINGS });
  }

  /** Returns the duration of the load, and the number of unanswered writes. */
  private async loadAndKill(node: NodeProcess): Promise<[loadMs: number, lost: number]> {
    const loadMs = this.random.between(...this.plan.loadMs);
    const load = Promise.all(this.writers.map((writer) => writer.run(node.port, this.writers)));
    await Promise.race([sleep(loadMs), load]);
    await node.kill();
    await load;
    this.result.kills += 1;
    if (this.random.below(KILLED_STARTS) === 0) {
      const starting = NodeProcess.launch({ dataDir: this.dataDir, env: SETTINGS });
      await sleep(this.random.between(...KILLED_START_MS));
      await starting.kill();
    }
    return [loadMs, this.writers.reduce((n, w) => n + w.rows.filter((r) => r.state === 'unknown').length, 0)];
  }

  private async check(
    node: NodeProcess,
    fresh: readonly number[],
    round: { loadMs: number; lost: number; startMs: number },
  ): Promise<void> {
    const { result, writers, plan } = this;
    const isLast = result.kills === plan.kills;
    const answered = writers.reduce((n, w, i) => n + w.rows.slice(fresh[i]).filter(isDone).length, 0);
    const found = await checkAfterRestart(node, writers, fresh, this.random, isLast);
    for (const writer of writers) found.faults.push(...writer.faults.splice(0));
    result.acknowledged += answered;
    result.unknown += round.lost;
    result.executedBefore += found.executedBefore;
    result.slowestStartMs = Math.max(result.slowestStartMs, round.startMs);
    result.faults.push(...found.faults);
    plan.say(
      `kill ${result.kills}/${plan.kills} after ${round.loadMs} ms: ${answered} acknowledged, ${round.lost} unknown` +
        ` (${found.executedBefore} had been executed), healthy after ${Math.round(round.startMs)} ms` +
        (found.faults.length > 0 ? `, ${found.faults.length} FAULTS` : ''),
    );
    for (const fault of found.faults.slice(0, 5)) plan.say(`  FAULT ${fault}`);
  }
}

/** Runs the whole test. Errors: a node that does not start; all other findings are in `faults`. */
export async function crashTest(plan: CrashPlan): Promise<CrashResult> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-crash-'));
  try {
    const test = new CrashTest(plan, join(dir, 'data'));
    await test.run();
    return test.result;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

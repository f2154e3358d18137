// The soak test: a network under signed load, of which one node after the other is killed and started again.
// Keeps: a folder of its own that is removed; one node is down at a time, and the next kill waits until all are healthy,
// so that a quorum is there except while a node is coming back. The seed repeats who is killed and what is written, not
// what the machine does in between.

import { systemClock } from '../../host/clock.ts';
import { type NodeProcess, sleep } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { SeenCheckpoints, untilEqual } from '../localnet/agreement.ts';
import { sampleOf } from '../localnet/figures.ts';
import { LocalNetwork } from '../localnet/network.ts';
import { checkBooks, compareCheckpoints, findLost, settleOpen } from './checks.ts';
import { isFlat, type MemoryFigures, type MemorySample, memoryFigures } from './memory.ts';
import { SoakWriter } from './writer.ts';

export interface SoakPlan {
  nodes: number;
  seconds: number;
  /** Time between two kills. */
  killEverySecs: number;
  writers: number;
  /** Writes a second in all, at most. */
  rate: number;
  seed: number;
  say(line: string): void;
}

export interface SoakResult {
  kills: number;
  acknowledged: number;
  stalls: number;
  slowestReturnMs: number;
  heights: number;
  memory: readonly (MemoryFigures | undefined)[];
  faults: string[];
}

const DOWN_MS = [200, 3000] as const;
const WATCH_MS = 1000;
const RETURN_MS = 60_000;
/** Shorter runs say nothing about memory. */
const MEMORY_SECS = 240;
/** No transfer expires during the run, so what was sent stays reserved and can be counted. */
const ENV = { SERVICE_SNAPSHOT_ORDERS: '2000' };
const PARAMS = { verification_deadline_secs: 604_800 };

class Soak {
  readonly result: SoakResult = {
    kills: 0,
    acknowledged: 0,
    stalls: 0,
    slowestReturnMs: 0,
    heights: 0,
    memory: [],
    faults: [],
  };
  private readonly random: SeededRandom;
  private readonly writers: SoakWriter[];
  private readonly seen = new SeenCheckpoints();
  private readonly samples: MemorySample[][];
  private readonly bornMs: number[];
  private readonly isUp: boolean[];
  private readonly startedMs = systemClock.monotonicMs();
  private isOver = false;

  constructor(
    private readonly plan: SoakPlan,
    private readonly network: LocalNetwork,
  ) {
    this.random = new SeededRandom(plan.seed);
    this.writers = Array.from({ length: plan.writers }, () => new SoakWriter());
    this.samples = network.nodes.map(() => []);
    this.bornMs = network.nodes.map(() => this.startedMs);
    this.isUp = network.nodes.map(() => true);
  }

  async run(): Promise<void> {
    const { network, writers } = this;
    await Promise.all(writers.map((writer, i) => writer.join(network.nodes[i % network.nodes.length]!.port)));
    await untilEqual(network.nodes);
    const payees = writers.map(({ signer }) => signer.publicKeyHex);
    const paceMs = (1000 * writers.length) / this.plan.rate;
    const writing = writers.map((writer) => {
      const random = new SeededRandom(this.random.next());
      return writer.run({ random, paceMs, payees, pickPort: (last) => this.pickPort(random, last) });
    });
    const watching = this.watch();
    await this.killAgainAndAgain();
    for (const writer of writers) writer.stop();
    await Promise.all(writing);
    this.isOver = true;
    await watching;
    await this.lookOver();
  }

  private pickPort(random: SeededRandom, last: number | undefined): number {
    const up = this.network.nodes.filter((_, i) => this.isUp[i]).map((node) => node.port);
    const others = up.filter((port) => port !== last);
    return random.pick(others.length > 0 ? others : up);
  }

  private get elapsedMs(): number {
    return systemClock.monotonicMs() - this.startedMs;
  }

  private async killAgainAndAgain(): Promise<void> {
    const { seconds, killEverySecs } = this.plan;
    let dueMs = killEverySecs * 1000;
    while (dueMs < seconds * 1000) {
      await sleep(Math.max(0, dueMs - this.elapsedMs));
      await this.killOne();
      dueMs = Math.max(dueMs + killEverySecs * 1000, this.elapsedMs + 1000);
    }
    await sleep(Math.max(0, seconds * 1000 - this.elapsedMs));
  }

  private async killOne(): Promise<void> {
    const { network, result, plan } = this;
    const index = this.random.below(network.nodes.length);
    this.isUp[index] = false;
    await network.nodes[index]!.kill();
    result.kills += 1;
    await sleep(this.random.between(...DOWN_MS));
    const startedMs = systemClock.monotonicMs();
    const node = network.launch(index);
    this.bornMs[index] = startedMs;
    await node.ready(RETURN_MS);
    this.isUp[index] = true;
    const returnMs = systemClock.monotonicMs() - startedMs;
    result.slowestReturnMs = Math.max(result.slowestReturnMs, returnMs);
    const acknowledged = this.writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
    plan.say(
      `${(this.elapsedMs / 1000).toFixed(0)} s: kill ${result.kills} hit ${network.members[index]!.name}, healthy after` +
        ` ${Math.round(returnMs)} ms; ${acknowledged} acknowledged`,
    );
  }

  /** Looks at every node once a second: supply, checkpoints, memory. */
  private async watch(): Promise<void> {
    while (!this.isOver) {
      await Promise.all(this.network.nodes.map((node, i) => (this.isUp[i] ? this.look(node, i) : undefined)));
      await sleep(WATCH_MS);
    }
  }

  private async look(node: NodeProcess, index: number): Promise<void> {
    const sample = await sampleOf(node).catch(() => undefined);
    if (!sample) return;
    const { name } = this.network.members[index]!;
    if (!sample.supplyHolds) this.result.faults.push(`${name}: the supply does not add up`);
    if (sample.checkpoint) this.seen.add(name, sample.checkpoint);
    if (sample.memoryBytes === undefined) return;
    const nowMs = systemClock.monotonicMs();
    const ageMs = nowMs - this.bornMs[index]!;
    const isRestarted = this.bornMs[index] !== this.startedMs;
    const bytes = sample.memoryBytes;
    this.samples[index]!.push({ atMs: nowMs - this.startedMs, ageMs, isRestarted, bytes });
  }

  private async lookOver(): Promise<void> {
    const { network, writers, result, plan } = this;
    plan.say('the load is over: looking at what stands on each node');
    await untilEqual(network.nodes);
    result.faults.push(...this.seen.faults, ...writers.flatMap((writer) => writer.faults));
    result.faults.push(...(await settleOpen(network.nodes, writers)));
    const txids = writers.flatMap((writer) => writer.acknowledged);
    result.acknowledged = txids.length;
    result.stalls = writers.reduce((sum, writer) => sum + writer.stalls, 0);
    result.faults.push(...(await findLost(network.nodes, txids)));
    result.faults.push(...(await checkBooks(network.nodes, writers)));
    await Promise.all(network.nodes.map((node, i) => this.look(node, i)));
    await network.stop();
    const stored = await compareCheckpoints(network.members.map((_, i) => network.dataDir(i)));
    result.heights = stored.heights;
    result.faults.push(...stored.faults);
    result.memory = this.samples.map(memoryFigures);
    if (plan.seconds < MEMORY_SECS) return;
    for (const [i, figures] of result.memory.entries()) {
      if (figures && !isFlat(figures)) {
        result.faults.push(
          `${network.members[i]!.name}: memory grew from ${figures.firstMb} to ${figures.lastMb} MB`,
        );
      }
    }
  }
}

/** Runs the whole test. Errors: a network that does not start; everything else that is wrong stands in `faults`. */
export async function soak(plan: SoakPlan): Promise<SoakResult> {
  const network = await LocalNetwork.start({ seats: plan.nodes, observers: 0, env: ENV, params: PARAMS });
  try {
    const test = new Soak(plan, network);
    await test.run();
    return test.result;
  } finally {
    await network.close();
  }
}

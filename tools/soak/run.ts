// The soak test: a network under signed load whose nodes are killed and restarted one after the other.
// Keeps: uses its own folder and removes it; one node is down at a time, and the next kill waits until all are healthy,
// so that there is a quorum except while a node restarts. The seed repeats which nodes are killed and what is written,
// not what the machine does in between.
// One node, drawn by the seed, is never killed: memory kept per transaction shows only in a process that keeps running.
// The state does not grow with the load: the agents are few and fixed, and a transfer ends at its deadline.

import { sampleOf } from '../../host/cli/top/sample.ts';
import { SeenCheckpoints } from '../../host/cli/top/seen-checkpoints.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { type NodeProcess, sleep } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { untilEqual } from '../localnet/agreement.ts';
import { LocalNetwork } from '../localnet/network.ts';
import { checkBooks, compareCheckpoints, findLost, settleOpen, untilNothingPending } from './checks.ts';
import { type MemoryFigures, type MemorySample, memoryFaults, memoryFigures, partsText } from './memory.ts';
import { memoryParts } from './parts.ts';
import { SoakWriter } from './writer.ts';

interface SoakPlan {
  nodes: number;
  seconds: number;
  /** Time between two kills. */
  killEverySecs: number;
  writers: number;
  /** Maximum total writes per second. */
  rate: number;
  seed: number;
  say(line: string): void;
}

interface SoakResult {
  kills: number;
  acknowledged: number;
  stalls: number;
  slowestReturnMs: number;
  heights: number;
  /** Index of the node that was never killed. */
  spared: number;
  memory: readonly (MemoryFigures | undefined)[];
  faults: string[];
}

const DOWN_MS = [200, 3000] as const;
const WATCH_MS = 1000;
/** Memory is measured every so many seconds: reading the mappings of a process takes about ten milliseconds. */
const MEMORY_EACH = 5;
const MEMORY_PRINTED_EACH = 60;
const RETURN_MS = 60_000;
/** Shorter runs show nothing about memory. */
const MEMORY_SECS = 600;
/**
 * Arenas: as recommended to operators. Otherwise the allocator keeps 90 MB more for each thread that ever built a file.
 */
const ENV = { SERVICE_SNAPSHOT_ORDERS: '2000', MALLOC_ARENA_MAX: '1' };
/** Transfers expire soon, so that the amount pending stays constant. */
const PARAMS = { verification_deadline_secs: 20 };

class Soak {
  readonly result: SoakResult = {
    kills: 0,
    acknowledged: 0,
    stalls: 0,
    slowestReturnMs: 0,
    heights: 0,
    spared: 0,
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
    this.result.spared = this.random.below(network.nodes.length);
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
    await this.killRepeatedly();
    for (const writer of writers) writer.stop();
    await Promise.all(writing);
    this.isOver = true;
    await watching;
    await this.checkAll();
  }

  private pickPort(random: SeededRandom, last: number | undefined): number {
    const up = this.network.nodes.filter((_, i) => this.isUp[i]).map((node) => node.port);
    const others = up.filter((port) => port !== last);
    return random.pick(others.length > 0 ? others : up);
  }

  private get elapsedMs(): number {
    return systemClock.monotonicMs() - this.startedMs;
  }

  private async killRepeatedly(): Promise<void> {
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
    // Any node but the spared one.
    const index = (result.spared + 1 + this.random.below(network.nodes.length - 1)) % network.nodes.length;
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
    plan.say(
      `${(this.elapsedMs / 1000).toFixed(0)} s: kill ${result.kills} hit ${network.members[index]!.name}, healthy after` +
        ` ${Math.round(returnMs)} ms; ${this.acknowledged} acknowledged`,
    );
  }

  private get acknowledged(): number {
    return this.writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
  }

  /** Samples every node once a second: supply, checkpoints, memory. */
  private async watch(): Promise<void> {
    for (let second = 0; !this.isOver; second++) {
      const up = this.network.nodes.map((node, i) => ({ node, i })).filter(({ i }) => this.isUp[i]);
      await Promise.all(up.map(({ node, i }) => this.sample(node, i)));
      if (second % MEMORY_EACH === 0) for (const { node, i } of up) await this.measure(node, i);
      if (second % MEMORY_PRINTED_EACH === 0) this.printMemory();
      await sleep(WATCH_MS);
    }
  }

  private async sample(node: NodeProcess, index: number): Promise<void> {
    const sample = await sampleOf(node).catch(() => undefined);
    if (!sample) return;
    const { name } = this.network.members[index]!;
    if (!sample.supplyHolds) this.result.faults.push(`${name}: the supply does not add up`);
    if (sample.checkpoint) this.seen.add(name, sample.checkpoint);
  }

  /** Prints the memory of the node that is never killed. */
  private printMemory(): void {
    const { spared } = this.result;
    const newest = this.samples[spared]!.at(-1);
    if (!newest) return;
    const { name } = this.network.members[spared]!;
    this.plan.say(`${(newest.atMs / 1000).toFixed(0)} s: ${name} holds ${partsText(newest.parts)}`);
  }

  private async measure(node: NodeProcess, index: number): Promise<void> {
    const bornMs = this.bornMs[index]!;
    const parts = await memoryParts(node).catch(() => undefined);
    // Counts only if the metrics and the mappings are of the same process.
    if (!parts || this.network.nodes[index] !== node) return;
    const { elapsedMs: atMs, acknowledged: transactions, startedMs } = this;
    const ageMs = atMs + startedMs - bornMs;
    this.samples[index]!.push({ atMs, ageMs, isRestarted: bornMs !== startedMs, transactions, parts });
  }

  private async checkAll(): Promise<void> {
    const { network, writers, result, plan } = this;
    plan.say('the load is over: checking every node');
    await untilNothingPending(network.nodes);
    await untilEqual(network.nodes);
    result.faults.push(...this.seen.faults, ...writers.flatMap((writer) => writer.faults));
    result.faults.push(...(await settleOpen(network.nodes, writers)));
    const txids = writers.flatMap((writer) => writer.acknowledged);
    result.acknowledged = txids.length;
    result.stalls = writers.reduce((sum, writer) => sum + writer.stalls, 0);
    result.faults.push(...(await findLost(network.nodes, txids)));
    result.faults.push(...(await checkBooks(network.nodes, writers)));
    await network.stop();
    const stored = await compareCheckpoints(network.members.map((_, i) => network.dataDir(i)));
    result.heights = stored.heights;
    result.faults.push(...stored.faults);
    result.memory = this.samples.map(memoryFigures);
    if (plan.seconds < MEMORY_SECS) return;
    for (const [i, figures] of result.memory.entries()) {
      const faults = figures ? memoryFaults(figures) : [];
      result.faults.push(...faults.map((fault) => `${network.members[i]!.name}: ${fault}`));
    }
  }
}

/** Runs the whole test. Errors: a network that does not start; all other findings are in `faults`. */
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

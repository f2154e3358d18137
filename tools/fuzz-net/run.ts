// The attack on a network: two honest nodes that write all the time, attackers with and without a seat at one of them.
// Keeps: all findings are in `faults`; the seed repeats what is sent, not when it arrives.

import { sampleOf } from '../../host/cli/top/sample.ts';
import { SeenCheckpoints } from '../../host/cli/top/seen-checkpoints.ts';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { memoryBytes } from '../load/memory.ts';
import type { NodeProcess } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { untilEqual } from '../localnet/agreement.ts';
import { type Attack, attack, knock, readVertices, type Target } from './attack.ts';
import { Frames, type Liar } from './frames.ts';
import { HonestNetwork } from './honest.ts';

/** Seats of attackers: one only reads, the others misbehave until they are banned. */
const SEATS = 24;
const AT_ONCE = 8;
/** Allowed frames that a link sends before it breaks the rules. */
const MAX_ODD = 250;
/** One link in this many is a bare socket. */
const KNOCKS = 5;
const PROGRESS_MS = 10_000;
const PAGE = 200;

interface FuzzPlan {
  frames: number;
  seed: number;
  say(line: string): void;
}

interface FuzzResult {
  frames: number;
  links: number;
  knocks: number;
  cutOff: number;
  seconds: number;
  /** Writes of honest agents meanwhile, and their latency, ms. */
  writes: number;
  medianMs: number;
  slowestMs: number;
  /** Ordered vertices, all of honest seats. */
  vertices: number;
  memoryBefore: number | undefined;
  memoryAfter: number | undefined;
  faults: string[];
}

class FuzzRun {
  readonly random: SeededRandom;
  readonly frames: Frames;
  readonly seats: Liar[];
  readonly ends = new Map<string, number>();
  frameCount = 0;
  links = 0;
  knocks = 0;
  cutOff = 0;
  /** A node is gone: there is nothing more to attack. */
  isOver = false;
  readonly faults: string[] = [];

  constructor(private readonly plan: FuzzPlan) {
    this.random = new SeededRandom(plan.seed);
    this.frames = new Frames(this.random);
    this.seats = Array.from({ length: SEATS }, (_, i) => ({ key: this.#key(), seat: 2 + i }));
  }

  #key() {
    return keyPairFromSeed(this.random.bytes(32));
  }

  /** Attacks until enough frames were sent. Every attacker with a seat has one attempt, since it is then banned. */
  async attackAll(target: Target, seats: Liar[]): Promise<void> {
    const startedMs = systemClock.monotonicMs();
    let saidMs = startedMs;
    const one = async (): Promise<void> => {
      while (this.frameCount < this.plan.frames && !this.isOver) {
        const liar = seats.pop() ?? { key: this.#key(), seat: undefined };
        const odd = this.random.below(Math.min(MAX_ODD, this.plan.frames - this.frameCount + 1));
        if (this.random.below(KNOCKS) === 0) {
          await knock(target, this.random);
          this.knocks += 1;
        }
        this.#note(await attack(target, liar, this.frames, this.random, odd), liar);
        const nowMs = systemClock.monotonicMs();
        if (nowMs - saidMs < PROGRESS_MS) continue;
        saidMs = nowMs;
        this.plan.say(
          `${this.frameCount} frames over ${this.links} links in ${((nowMs - startedMs) / 1000).toFixed(0)} s`,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }

  #note({ sent, end, bye }: Attack, { seat }: Liar): void {
    this.frameCount += sent;
    this.links += 1;
    if (end === 'cut off') this.cutOff += 1;
    else this.faults.push(`a link of ${seat === undefined ? 'nobody' : `seat ${seat}`} was ${end}`);
    const reason = bye ?? 'no reason';
    this.ends.set(reason, (this.ends.get(reason) ?? 0) + 1);
  }

  /** Banned attackers stay out; a correct seat gets in. */
  async checkBans(target: Target, banned: readonly Liar[], good: Liar): Promise<void> {
    for (const liar of banned) {
      const { bye } = await attack(target, liar, this.frames, this.random, 0);
      if (bye !== 'banned for a while') this.faults.push(`seat ${liar.seat} reconnected and got: ${bye}`);
    }
    await readVertices(target, good).catch((error: Error) =>
      this.faults.push(`a correct seat gets nothing: ${error.message}`),
    );
  }
}

interface VertexRow {
  order: number;
  author: string;
}

/** Checks that every ordered vertex is of an honest seat; returns their number. */
async function checkAuthors(
  node: NodeProcess,
  honest: ReadonlySet<string>,
  faults: string[],
): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const rows = await node.json<VertexRow[]>(`/v1/dag/vertices?after=${after}&per_page=${PAGE}`);
    if (rows.length === 0) return count;
    count += rows.length;
    after = Math.max(...rows.map(({ order }) => order));
    for (const { author } of rows)
      if (!honest.has(author)) faults.push(`${author} has a vertex in the order`);
  }
}

async function checkState(network: HonestNetwork, writes: number, faults: string[]): Promise<void> {
  await untilEqual(network.nodes);
  const samples = await Promise.all(network.nodes.map((node) => sampleOf(node)));
  const seen = new SeenCheckpoints();
  for (const [i, { seq, supplyHolds, epoch, checkpoint, health }] of samples.entries()) {
    // The first event is that of the genesis.
    if (seq !== writes + 1) faults.push(`node ${i} has ${seq} events for ${writes} writes`);
    if (!supplyHolds) faults.push(`the supply of node ${i} does not add up`);
    if (epoch !== 0) faults.push(`node ${i} sealed its epoch`);
    if (health !== 'healthy') faults.push(`node ${i} is ${health}`);
    if (checkpoint) seen.add(String(i), checkpoint);
  }
  faults.push(...seen.faults);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Runs the whole attack. Errors: the honest nodes do not start; all other findings are in `faults`. */
export async function fuzzNet(plan: FuzzPlan): Promise<FuzzResult> {
  const run = new FuzzRun(plan);
  const { faults, random, seats } = run;
  const network = await HonestNetwork.start(
    seats.map(({ key }) => key),
    random,
  );
  try {
    const [first, second] = network.nodes as [NodeProcess, NodeProcess];
    const target = { port: network.peerPorts[0]!, genesis: network.genesis };
    for (const node of network.nodes) {
      void node.ended().then(({ code, log }) => {
        if (code !== 0) faults.push(`a node ended with ${code}: ${log}`);
        run.isOver = true;
      });
    }
    const [reader, good, ...liars] = seats as [Liar, Liar, ...Liar[]];
    run.frames.vertices.push(...(await readVertices(target, reader)));
    const writing = network.writers.map((writer) => writer.run());
    const memoryBefore = memoryBytes(first.pid);
    const startedMs = systemClock.monotonicMs();
    await run.attackAll(target, [...liars]);
    const seconds = (systemClock.monotonicMs() - startedMs) / 1000;
    if (!run.isOver) await run.checkBans(target, liars.slice(-3), good);
    for (const writer of network.writers) writer.stop();
    await Promise.all(writing);
    for (const writer of network.writers) faults.push(...writer.faults);
    const latencies = network.writers.flatMap((writer) => writer.latencies);
    const memoryAfter = memoryBytes(first.pid);
    let vertices = 0;
    if (!run.isOver) {
      await checkState(network, latencies.length, faults);
      const honest = new Set(network.keys.map(({ publicKeyHex }) => publicKeyHex));
      vertices = await checkAuthors(first, honest, faults);
      await Promise.all([first.stop(), second.stop()]);
    }
    for (const [words, count] of run.ends) plan.say(`${count} links ended with: ${words}`);
    return {
      frames: run.frameCount,
      links: run.links,
      knocks: run.knocks,
      cutOff: run.cutOff,
      seconds,
      writes: latencies.length,
      medianMs: median(latencies),
      slowestMs: Math.max(...latencies),
      vertices,
      memoryBefore,
      memoryAfter,
      faults,
    };
  } finally {
    await network.close();
  }
}

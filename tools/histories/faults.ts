// Faults of real processes and of the wires between them, drawn from a seed.
// Keeps: one fault at a time, each mended before the next; what has been broken is mended at the end. The seed repeats
// which faults come when, not what the machine does in between.

import { systemClock } from '../../host/world/system/clock.ts';
import { type NodeProcess, sleep } from '../load/node-process.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import type { WiredNetwork } from './wired-network.ts';

export const FAULT_KINDS = ['kill', 'kill_all', 'pause', 'cut', 'hold', 'split', 'clock'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

const REST_MS = [300, 1500] as const;
const DOWN_MS = [0, 1500] as const;
const PAUSE_MS = [200, 4000] as const;
const CUT_MS = [500, 5000] as const;
const CLOCK_MS = [1000, 5000] as const;
const STEPS_MS = [-3_600_000, -30_000, -2000, 2000, 30_000, 3_600_000];

export class Faults {
  readonly struck = new Map<FaultKind, number>();
  readonly faults: string[] = [];
  #isOver = false;
  readonly #ending = new Set<NodeProcess>();

  constructor(
    private readonly network: WiredNetwork,
    private readonly random: SeededRandom,
    private readonly kinds: readonly FaultKind[],
    /** Longest wait for a node to be healthy again. */
    private readonly returnMs: number,
  ) {
    for (const node of network.nodes) this.#watch(node);
  }

  /** Strikes until stopped; then everything is whole and every node healthy. */
  async run(): Promise<void> {
    // Each kind once, in a random order, before chance decides.
    const first = [...this.kinds];
    while (!this.#isOver) {
      await sleep(this.random.between(...REST_MS));
      if (this.#isOver || this.kinds.length === 0) continue;
      const kind = first.splice(this.random.below(first.length), 1)[0] ?? this.random.pick(this.kinds);
      await this.#strike(kind);
      this.struck.set(kind, (this.struck.get(kind) ?? 0) + 1);
    }
    await Promise.all(this.network.nodes.map((node) => node.ready(undefined, this.returnMs)));
  }

  stop(): void {
    this.#isOver = true;
  }

  /** A process that ends although nobody ended it. */
  #watch(node: NodeProcess): void {
    void node.ended().then(({ code, signal, log }) => {
      if (this.#ending.has(node) || this.#isOver) return;
      this.faults.push(`a node ended by itself with ${code ?? signal}: ${log.slice(-2000)}`);
    });
  }

  async #strike(kind: FaultKind): Promise<void> {
    const { network, random } = this;
    const all = network.nodes.map((_, i) => i);
    const one = random.pick(all);
    switch (kind) {
      case 'kill':
        await this.#kill([one]);
        break;
      case 'kill_all':
        await this.#kill(all);
        break;
      case 'pause':
        network.nodes[one]!.signal('SIGSTOP');
        await sleep(random.between(...PAUSE_MS));
        network.nodes[one]!.signal('SIGCONT');
        break;
      case 'cut':
      case 'hold':
        await this.#part([one], kind === 'cut' ? 'cut' : 'held');
        break;
      case 'split':
        await this.#part(
          all.filter((i) => i % 2 === one % 2),
          'cut',
        );
        break;
      case 'clock':
        await network.stepClock(one, random.pick(STEPS_MS));
        await sleep(random.between(...CLOCK_MS));
        await network.stepClock(one, 0);
        break;
    }
  }

  async #part(side: readonly number[], state: 'cut' | 'held'): Promise<void> {
    const others = this.network.nodes.map((_, i) => i).filter((i) => !side.includes(i));
    this.network.between(side, others, state);
    await sleep(this.random.between(...CUT_MS));
    this.network.between(side, others, 'whole');
  }

  /** Kills these at one moment and starts them again; resolves when they are healthy. */
  async #kill(which: readonly number[]): Promise<void> {
    const { network, random } = this;
    for (const i of which) this.#ending.add(network.nodes[i]!);
    await Promise.all(which.map((i) => network.nodes[i]!.kill()));
    await sleep(random.between(...DOWN_MS));
    const startedMs = systemClock.monotonicMs();
    const started = which.map((i) => network.launch(i));
    for (const node of started) this.#watch(node);
    const returns = await Promise.allSettled(started.map((node) => node.ready(undefined, this.returnMs)));
    for (const result of returns) {
      if (result.status === 'fulfilled') continue;
      const ms = Math.round(systemClock.monotonicMs() - startedMs);
      this.faults.push(`a killed node did not return within ${ms} ms: ${result.reason}`);
    }
  }
}

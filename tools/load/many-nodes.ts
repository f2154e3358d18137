// Signed load against several nodes of one network at once, for a bounded time.
// Keeps: each connection sends its next write once the last is answered, so at most one write per connection is
// pending. With a rate, each write has a due time, and its latency counts from there: delays caused by a slow answer
// are included. Every answer is counted, by node and by code.

import { signRequest } from '../../host/client/signed-request.ts';
import type { Signer } from '../../host/client/signer.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { Connection, ConnectionLost, requestBytes } from './connection.ts';
import { Latencies } from './latencies.ts';
import { sleep } from './node-process.ts';
import { SeededRandom } from './seeded-random.ts';
import { newSigner } from './signed-writes.ts';
import { Steps } from './steps.ts';

const STAKE_MICRO = 10_000_000_000;
const AGAIN_MS = 500;
const SEEN_MS = 30_000;
/** What a node answers under overload: not a fault. */
const EXPECTED: ReadonlySet<string> = new Set(['overloaded']);

export interface Target {
  name: string;
  host: string;
  port: number;
}

interface LoadPlan {
  targets: readonly Target[];
  chainId: string;
  /** Total, spread over the targets in turn. */
  connections: number;
  /** Total writes per second; undefined: as fast as the answers arrive. */
  rate?: number | undefined;
  seconds: number;
  /** Share of the writes that belong to tasks. */
  tasksPercent: number;
  seed: number;
  /** Ends the load early. */
  isStopped?(): boolean;
}

/** The answers of one node. */
export interface NodeLoad {
  name: string;
  done: number;
  latencies: Latencies;
  /** Refusals by error code, and `connection_lost`. */
  refused: Map<string, number>;
}

export interface LoadResult {
  elapsedMs: number;
  nodes: readonly NodeLoad[];
}

/** Number of writes refused for a reason that no load should cause. */
export const unexpected = ({ nodes }: LoadResult): number =>
  nodes
    .flatMap(({ refused }) => [...refused])
    .reduce((sum, [code, count]) => sum + (EXPECTED.has(code) ? 0 : count), 0);

interface Sender {
  target: Target;
  load: NodeLoad;
  pair: readonly [Signer, Signer];
}

const isDone = (status: number): boolean => status === 200 || status === 201;

function codeOf(body: Buffer): string {
  try {
    return (JSON.parse(body.toString()) as { code?: string }).code ?? 'no code';
  } catch {
    return 'no JSON';
  }
}

export class ManyNodesLoad {
  private readonly random: SeededRandom;
  private readonly senders: Sender[];
  readonly loads: NodeLoad[];
  private startedMs = 0;

  constructor(private readonly plan: LoadPlan) {
    this.random = new SeededRandom(plan.seed);
    this.loads = plan.targets.map(({ name }) => ({
      name,
      done: 0,
      latencies: new Latencies(),
      refused: new Map(),
    }));
    this.senders = Array.from({ length: plan.connections }, (_, i) => {
      const at = i % plan.targets.length;
      return { target: plan.targets[at]!, load: this.loads[at]!, pair: [newSigner(), newSigner()] };
    });
  }

  /** Registers the agents, each at its node, and waits until every node knows all. Errors: a refusal; a timeout. */
  async prepare(): Promise<void> {
    await Promise.all(this.senders.map((sender) => this.register(sender)));
    await Promise.all(this.plan.targets.map((target) => this.untilKnown(target)));
  }

  private async register({ target, pair }: Sender): Promise<void> {
    const connection = await Connection.open(target.port, target.host);
    try {
      for (const signer of pair) {
        const bytes = await this.signed(signer, '/v1/agents', { initial_stake: STAKE_MICRO });
        const { status, body } = await connection.send(bytes);
        if (status !== 201) throw new Error(`${target.name} does not register an agent: ${status} ${body}`);
      }
    } finally {
      connection.close();
    }
  }

  private async untilKnown({ name, host, port }: Target): Promise<void> {
    const connection = await Connection.open(port, host);
    const endMs = systemClock.monotonicMs() + SEEN_MS;
    try {
      for (const { publicKeyHex } of this.senders.flatMap(({ pair }) => pair)) {
        const request = requestBytes({ method: 'GET', path: `/v1/agents/${publicKeyHex}/balance` });
        while ((await connection.send(request)).status !== 200) {
          if (systemClock.monotonicMs() > endMs) throw new Error(`${name} does not know all agents in time`);
          await sleep(50);
        }
      }
    } finally {
      connection.close();
    }
  }

  private async signed(signer: Signer, path: string, body: Record<string, unknown>): Promise<Uint8Array> {
    const { chainId } = this.plan;
    const nowSecs = Math.floor(systemClock.nowMs() / 1000);
    const nonce = randomBytes(16);
    return requestBytes(await signRequest({ signer, chainId, method: 'POST', path, body, nowSecs, nonce }));
  }

  /** The load itself, after `prepare`. */
  async run(): Promise<LoadResult> {
    this.startedMs = systemClock.monotonicMs();
    await Promise.all(this.senders.map((sender, index) => this.keepSending(sender, index)));
    return this.result();
  }

  /** The result so far. */
  result(): LoadResult {
    return { elapsedMs: systemClock.monotonicMs() - this.startedMs, nodes: this.loads };
  }

  private get isOver(): boolean {
    const isLate = systemClock.monotonicMs() - this.startedMs >= this.plan.seconds * 1000;
    return isLate || (this.plan.isStopped?.() ?? false);
  }

  private async keepSending(sender: Sender, index: number): Promise<void> {
    const payees = this.senders.map(({ pair }) => pair[0].publicKeyHex);
    const random = new SeededRandom(this.random.next());
    const steps = new Steps({ pair: sender.pair, payees }, this.plan.tasksPercent, random);
    const turn = { next: index };
    while (!this.isOver) {
      try {
        const connection = await Connection.open(sender.target.port, sender.target.host);
        try {
          await this.sendOver(connection, sender.load, steps, turn);
        } finally {
          connection.close();
        }
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        count(sender.load, 'connection_lost');
        await sleep(AGAIN_MS);
      }
    }
  }

  /** `turn`: the index of this connection's next write within the whole load. */
  private async sendOver(
    connection: Connection,
    load: NodeLoad,
    steps: Steps,
    turn: { next: number },
  ): Promise<void> {
    while (!this.isOver) {
      const step = steps.next();
      const bytes = await this.signed(step.signer, step.path, step.body);
      const dueMs = await this.untilDue(turn);
      if (dueMs === undefined) return;
      const { status, body } = await connection.send(bytes);
      const good = isDone(status);
      steps.done(step, good ? body : undefined);
      if (!good) count(load, codeOf(body));
      else {
        load.done += 1;
        load.latencies.record(systemClock.monotonicMs() - dueMs);
      }
    }
  }

  /** Waits for the due time of the next write and returns it; undefined if the load ends before. */
  private async untilDue(turn: { next: number }): Promise<number | undefined> {
    const { rate, connections } = this.plan;
    if (rate === undefined) return systemClock.monotonicMs();
    const dueMs = this.startedMs + (turn.next * 1000) / rate;
    turn.next += connections;
    for (;;) {
      const waitMs = dueMs - systemClock.monotonicMs();
      if (this.isOver) return undefined;
      if (waitMs <= 0) return dueMs;
      await sleep(Math.min(waitMs, 200));
    }
  }
}

function count({ refused }: NodeLoad, code: string): void {
  refused.set(code, (refused.get(code) ?? 0) + 1);
}

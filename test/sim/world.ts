// Runs one scenario: nodes on a simulated network and clock, troubles until the heal, then calm until
// everything is final and silent. Reports what went wrong, if anything did.
// Keeps: one seed gives one run. Honest nodes are compared block by block as they execute.

import type { OrderedBlock } from '../../host/core/consensus.ts';
import { Dice } from '../model/consensus/random-dag.ts';
import type { EngineMaker } from './engine.ts';
import { EventQueue } from './event-queue.ts';
import { ToyLedger } from './ledger.ts';
import { SimNode, START_MS } from './node.ts';
import type { Scenario } from './scenario.ts';
import type { Message } from './surroundings.ts';
import type { SimVertex } from './vertex.ts';

export interface RunResult {
  seed: number;
  /** What broke; undefined when every property held. */
  fault: string | undefined;
  faultKind: 'disagreement' | 'stall' | 'noise' | 'broken' | undefined;
  blocks: number;
  epochs: number;
  vertices: number;
  /** Resumptions of seats that lost vertices. */
  resumed: number;
  /** Rounds from the heal until everything was final everywhere, and simulated milliseconds. */
  healRounds: number;
  healMs: number;
  messages: number;
}

/** A property that does not hold. */
class Fault extends Error {
  constructor(
    readonly kind: NonNullable<RunResult['faultKind']>,
    message: string,
  ) {
    super(message);
  }
}

const TICK_MS = 100;
const SYNC_EVERY_MS = 400;
const SILENCE_MS = 4000;
const HONEST_SKEW_MS = 150;

export class World {
  readonly queue = new EventQueue();
  readonly nodes: SimNode[];
  private readonly dice: Dice;
  private readonly canonical: { hash: string; timeMs: number }[] = [];
  private groups: readonly number[] | undefined;
  private links: boolean[] = [];
  private isHealed = false;
  private lastVertexMs = 0;
  private messages = 0;
  private readonly places = new Set<string>();
  private vertices = 0;

  constructor(
    private readonly scenario: Scenario,
    maker: EngineMaker,
  ) {
    this.dice = new Dice(scenario.seed ^ 0x5eed);
    const { seats, minParticipants, rule, late } = scenario;
    const genesis = ToyLedger.genesis(seats, minParticipants, rule, late);
    const surroundings = {
      nowMs: () => this.queue.nowMs,
      send: (from: number, to: number, message: Message) => this.send(from, to, message),
      after: (ms: number, run: () => void) => this.queue.after(ms, run),
      executed: (node: SimNode, index: number, hash: string, block: OrderedBlock) =>
        this.executed(node, index, hash, block),
      made: (node: SimNode, vertex: SimVertex) => this.made(node, vertex),
      seatOf: (index: number) => scenario.nodes[index]!.seat,
      nodeCount: scenario.nodes.length,
    };
    const { maxParents, minIntervalMs } = scenario;
    this.nodes = scenario.nodes.map((plan, index) => {
      const setup = { ...plan, index, maxParents, minIntervalMs };
      return new SimNode(setup, maker, genesis, surroundings, new Dice(this.dice.u32()));
    });
  }

  get honest(): SimNode[] {
    return this.nodes.filter((node) => node.setup.kind === 'honest');
  }

  // --- network

  private send(from: number, to: number, message: Message): void {
    const { link, wires } = this.scenario;
    this.messages += 1;
    if (wires) {
      const { queue } = this;
      queue.after(wires.carryMs(from, to, message, queue.nowMs), () => {
        const receive = (): void => this.nodes[to]!.receive(message, from);
        queue.after(wires.workMs(to, message, queue.nowMs), receive);
      });
      return;
    }
    let copies = 1;
    const low = link.minDelayMs;
    let high = link.maxDelayMs;
    if (this.isHealed) {
      high = Math.min(high, low + 50);
    } else {
      if (this.groups && this.groups[from] !== this.groups[to]) return;
      if (this.links[from * this.nodes.length + to] === false) return;
      if (this.dice.chance(link.lossPercent)) return;
      if (this.dice.chance(link.duplicatePercent)) copies = 2;
      if (this.dice.chance(3)) high *= 4;
    }
    // Each copy has a delay of its own: nothing keeps two messages of a link in order.
    for (let i = 0; i < copies; i++) {
      this.queue.after(this.dice.between(low, high), () => this.nodes[to]!.receive(message, from));
    }
  }

  /** Twins reach a changing part of the others, so that their branches spread apart. */
  private redrawLinks(): void {
    const count = this.nodes.length;
    this.links = [];
    for (const twin of this.nodes) {
      if (twin.setup.kind !== 'twin') continue;
      for (let other = 0; other < count; other++) {
        const isUp = this.dice.chance(50);
        this.links[twin.index * count + other] = isUp;
        this.links[other * count + twin.index] = isUp;
      }
    }
    if (!this.isHealed) this.queue.after(this.dice.between(500, 2500), () => this.redrawLinks());
  }

  // --- checks

  /** Only a twin may sign two vertices of one sequence number, whatever was lost in a crash. */
  private made(node: SimNode, vertex: SimVertex): void {
    this.vertices += 1;
    this.lastVertexMs = this.queue.nowMs;
    if (node.setup.kind === 'twin') return;
    const place = `${node.index} ${vertex.epochId} ${vertex.dag.seq}`;
    if (this.places.has(place)) throw new Fault('broken', `node ${node.index} equivocates at ${place}`);
    this.places.add(place);
  }

  private executed(node: SimNode, index: number, hash: string, block: OrderedBlock): void {
    if (node.setup.kind !== 'honest') return;
    const known = this.canonical[index];
    if (known) {
      if (known.hash !== hash)
        throw new Fault('disagreement', `node ${node.index} has another block ${index}`);
      return;
    }
    const { timeMs } = block;
    const before = this.canonical[index - 1]?.timeMs ?? 0;
    if (timeMs < before) throw new Fault('broken', `consensus time goes back in block ${index}`);
    const latest = START_MS + this.queue.nowMs + HONEST_SKEW_MS;
    if (timeMs > latest) throw new Fault('broken', `block ${index} is ahead of every honest clock`);
    this.canonical[index] = { hash, timeMs };
  }

  /** Every transaction once, in one state, everywhere. */
  private isSettled(): boolean {
    const { honest } = this;
    if (honest.some((node) => node.ledger.s.isHalted)) throw new Fault('stall', 'no epoch can open');
    const [first] = honest;
    if (!first) return true;
    const isSame = honest.every((node) => node.ledger.s.index === first.ledger.s.index);
    if (!isSame || honest.some((node) => node.ledger.s.timers.length > 0)) return false;
    return this.scenario.transactions.every(({ entry }) => {
      const txId = entry.split(' ')[0]!;
      return honest.every((node) => node.ledger.s.applied.has(txId));
    });
  }

  // --- running

  private plan(): void {
    const { scenario, queue } = this;
    for (const { atMs, groups } of scenario.partitions) queue.after(atMs, () => (this.groups = groups));
    for (const { node, atMs, forMs, losesStore } of scenario.crashes) {
      queue.after(atMs, () => {
        this.nodes[node]!.crash();
        if (losesStore) this.nodes[node]!.loseStore();
      });
      queue.after(Math.min(atMs + forMs, scenario.healMs), () => this.restart(this.nodes[node]!));
    }
    for (const { node, atMs, entry } of scenario.transactions) {
      queue.after(atMs, () => {
        if (this.nodes[node]!.isUp) this.nodes[node]!.submit(entry);
      });
    }
    for (const node of this.nodes) this.tick(node);
    if (scenario.hasTwinLinks) this.redrawLinks();
  }

  private tick(node: SimNode): void {
    const turn = Math.floor(this.queue.nowMs / TICK_MS);
    if (node.isUp) {
      node.planEmit();
      if (this.dice.chance((100 * TICK_MS) / SYNC_EVERY_MS) && this.nodes.length > 1) {
        const step = 1 + this.dice.below(this.nodes.length - 1);
        node.requestSync((node.index + step) % this.nodes.length);
      }
      if ((turn + 7 * node.index) % 29 === 0) node.checkpoint();
    }
    this.queue.after(TICK_MS, () => this.tick(node));
  }

  private restart(node: SimNode): void {
    if (node.isUp) return;
    node.restart();
    this.resubmit(node);
  }

  /** Clients repeat what was not answered; some of it is on its way already, and must run once. */
  private resubmit(node: SimNode): void {
    for (const plan of this.scenario.transactions) {
      if (plan.node !== node.index || plan.atMs > this.queue.nowMs) continue;
      if (!node.ledger.s.applied.has(plan.entry.split(' ')[0]!)) node.submit(plan.entry);
    }
  }

  private heal(): void {
    this.isHealed = true;
    this.groups = undefined;
    this.links = [];
    for (const node of this.nodes) {
      if (!node.isUp) this.restart(node);
      else if (node.setup.kind === 'honest') this.resubmit(node);
    }
  }

  private live(result: RunResult): void {
    const { queue, scenario } = this;
    this.plan();
    queue.runUntil(scenario.healMs);
    this.heal();
    const startRounds = Math.max(0, ...this.honest.map((node) => node.rounds));
    const endMs = scenario.healMs + scenario.settleMs;
    while (!this.isSettled()) {
      if (queue.nowMs >= endMs) throw new Fault('stall', this.describeStall());
      queue.runUntil(queue.nowMs + 100);
    }
    result.healMs = queue.nowMs - scenario.healMs;
    result.healRounds = Math.max(0, ...this.honest.map((node) => node.rounds)) - startRounds;
    while (queue.nowMs - this.lastVertexMs < SILENCE_MS || !this.isSettled()) {
      if (queue.nowMs >= endMs) throw new Fault('noise', 'vertices are made though everything is final');
      queue.runUntil(queue.nowMs + 500);
    }
  }

  private describeStall(): string {
    const lines = this.honest.map((node) => {
      const { s } = node.ledger;
      const left = this.scenario.transactions.filter((t) => !s.applied.has(t.entry.split(' ')[0]!)).length;
      return `node ${node.index}: epoch ${s.epoch} block ${s.index} round ${node.epoch.rounds} open ${left}`;
    });
    return `not final after the heal: ${lines.join('; ')}`;
  }

  run(): RunResult {
    const { scenario } = this;
    const result: RunResult = {
      seed: scenario.seed,
      fault: undefined,
      faultKind: undefined,
      blocks: 0,
      epochs: 0,
      vertices: 0,
      resumed: 0,
      healRounds: 0,
      healMs: 0,
      messages: 0,
    };
    try {
      this.live(result);
    } catch (error) {
      result.fault = error instanceof Error ? error.message : String(error);
      result.faultKind = error instanceof Fault ? error.kind : 'broken';
      if (!(error instanceof Fault) && error instanceof Error) result.fault = error.stack ?? error.message;
    }
    result.blocks = Math.max(0, this.canonical.length - 1);
    result.epochs = 1 + Math.max(0, ...this.honest.map((node) => node.ledger.s.epoch));
    result.vertices = this.vertices;
    result.resumed = this.nodes.reduce((sum, node) => sum + node.resumed, 0);
    result.messages = this.messages;
    return result;
  }
}

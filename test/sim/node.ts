// One simulated node: engine, ledger, frontier and emission policy of a seat, with a disk that keeps
// what was flushed and nothing else.
// Keeps: an own vertex is on disk with everything below it before anyone hears of it; a crash loses a
// tail of the log, and a restart rebuilds all the rest from what is left.

import { Writers } from '../../host/ordering/ahead.ts';
import { type Emission, EmissionPolicy, type EmissionView } from '../../host/ordering/emission.ts';
import { isQuorumOf, votersOf } from '../../host/ordering/epoch.ts';
import { Frontier } from '../../host/ordering/frontier.ts';
import { followedRound } from '../../host/ordering/leader-wait.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { isResumption, nextSeq } from '../../host/wire/seq.ts';
import type { Dice } from '../model/consensus/random-dag.ts';
import type { Engine, EngineMaker } from './engine.ts';
import { EpochDag } from './epoch-dag.ts';
import type { ToyLedger } from './ledger.ts';
import { LossGate } from './loss-gate.ts';
import type { Message, NodeSetup, Surroundings } from './surroundings.ts';
import { makeSimVertex, type SimVertex } from './vertex.ts';

interface DiskImage {
  logLength: number;
  engine: Uint8Array;
  ledger: ToyLedger;
}

/** Clock reading at simulated time 0, Unix milliseconds. */
export const START_MS = 1_800_000_000_000;
const MAX_SYNC = 200;
const SYNC_GAP_MS = 120;
const MAX_EARLY = 500;
const MAX_ENTRIES = 20;

export class SimNode {
  isUp = true;
  ledger: ToyLedger;
  epochs: EpochDag[] = [];
  queue: string[] = [];
  vertexCount = 0;
  private engine!: Engine;
  private frontier!: Frontier;
  private policy!: EmissionPolicy;
  private writers = new Writers();
  private log: SimVertex[] = [];
  private flushed = 0;
  private image: DiskImage | undefined;
  private early: SimVertex[] = [];
  private syncedMs = new Map<number, number>();
  private life = 0;
  private isEmitPlanned = false;
  /** Entries of this node that were executed since it last emitted. */
  private answers = 0;
  private readonly gate: LossGate;
  /** Vertices that it made in a new incarnation. */
  resumed = 0;

  constructor(
    readonly setup: NodeSetup,
    private readonly maker: EngineMaker,
    private readonly genesis: ToyLedger,
    private readonly world: Surroundings,
    private readonly dice: Dice,
  ) {
    this.ledger = genesis.copy();
    this.gate = new LossGate(dice);
    this.openEpoch();
  }

  get index(): number {
    return this.setup.index;
  }

  get epoch(): EpochDag {
    return this.epochs[this.ledger.s.epoch]!;
  }

  /** Rounds of all epochs so far. */
  get rounds(): number {
    return this.epochs.reduce((sum, epoch) => sum + epoch.rounds, 0);
  }

  clockMs(): number {
    return START_MS + this.world.nowMs() + this.setup.skewMs;
  }

  private openEpoch(): void {
    const { config } = this.ledger.s;
    this.engine = this.maker.create(config);
    this.frontier = new Frontier(() => true);
    this.writers = new Writers();
    const { maxParents, minIntervalMs } = this.setup;
    this.policy = new EmissionPolicy({
      minIntervalMs,
      maxParents: Math.min(maxParents, config.seats.length),
    });
    this.epochs[this.ledger.s.epoch] = new EpochDag(toHex(config.epochId));
  }

  // --- input

  receive(message: Message, from: number): void {
    if (!this.isUp || this.ledger.s.isHalted) return;
    if (message.type === 'sync') {
      this.answerSync(message.epoch, message.tips, from);
      return;
    }
    if (message.type === 'ask') {
      this.world.send(this.index, from, { type: 'told', epoch: this.ledger.s.epoch });
      return;
    }
    if (message.type === 'told') {
      this.gate.hear(message.epoch, this.world.seatOf(from), this.ledger.s.config);
      return;
    }
    this.take(message.vertices, from);
    this.planEmit();
  }

  submit(entry: string): void {
    this.queue.push(entry);
    this.policy.came(1, this.clockMs());
    this.planEmit();
  }

  private take(vertices: readonly SimVertex[], from: number | undefined): void {
    let isLost = false;
    for (const vertex of vertices) {
      const { epoch } = this.ledger.s;
      if (vertex.epoch > epoch) {
        if (this.early.length < MAX_EARLY) this.early.push(vertex);
        isLost = true;
      } else if (vertex.epoch === epoch && vertex.epochId === this.epoch.id) {
        if (!this.epoch.offer(vertex)) isLost = true;
      }
    }
    this.settle();
    if (isLost && from !== undefined) this.requestSync(from);
  }

  /** Inserts what has its parents, executes what is final, until nothing moves. */
  private settle(): void {
    for (;;) {
      const ready = this.epoch.takeReady();
      if (ready.length > 0) this.insert(ready);
      const { epoch } = this.ledger.s;
      this.executeFinal();
      if (this.ledger.s.isHalted) return;
      if (this.ledger.s.epoch !== epoch) {
        const early = this.early;
        this.early = [];
        this.take(early, undefined);
      } else if (ready.length === 0) {
        return;
      }
    }
  }

  private insert(vertices: readonly SimVertex[]): void {
    const results = this.engine.insert(vertices.map((vertex) => vertex.dag));
    vertices.forEach((vertex, i) => {
      if (results[i] !== 'inserted') throw new Error(`${results[i]}: vertex of node ${vertex.maker}`);
      this.log.push(vertex);
      this.epoch.add(vertex);
      this.frontier.add(vertex.dag, vertex.maker === this.index);
    });
    this.epoch.rounds = this.engine.maxRound();
  }

  private executeFinal(): void {
    for (let block = this.engine.nextBlock(); block; block = this.engine.nextBlock()) {
      const { epoch } = this;
      epoch.checkBlock(block);
      const hash = this.ledger.execute(block, (id) => epoch.vertices.get(toHex(id))!.entries);
      this.frontier.ordered(block.vertices.map((vertex) => vertex.id));
      const vertices = block.vertices.map(({ id }) => epoch.vertices.get(toHex(id))!);
      for (const { dag, entries } of vertices) if (entries.length > 0) this.writers.note(dag.creator);
      const own = vertices.filter((v) => v.maker === this.index);
      this.answers += own.reduce((sum, { entries }) => sum + entries.length, 0);
      this.world.executed(this, this.ledger.s.index, hash, block);
      if (this.ledger.s.isSealed) {
        this.crossSeal();
        return;
      }
    }
  }

  /** Vertices that were not ordered die; requests of the own ones are packed again, in their order. */
  private crossSeal(): void {
    const dead: string[] = [];
    for (const vertex of this.epoch.vertices.values()) {
      if (vertex.maker === this.index) dead.push(...vertex.entries);
    }
    const { applied } = this.ledger.s;
    this.queue = [...dead, ...this.queue].filter((entry) => !applied.has(entry.split(' ')[0]!));
    if (this.ledger.openNext(this.engine.timely())) this.openEpoch();
  }

  // --- exchange

  /** Asks a peer for what stands above the tips known here. */
  requestSync(to: number): void {
    const nowMs = this.world.nowMs();
    if (nowMs - (this.syncedMs.get(to) ?? -SYNC_GAP_MS) < SYNC_GAP_MS) return;
    this.syncedMs.set(to, nowMs);
    const tips = this.epoch.known();
    this.world.send(this.index, to, { type: 'sync', epoch: this.ledger.s.epoch, tips });
  }

  private answerSync(epoch: number, tips: readonly string[], from: number): void {
    if (this.setup.kind === 'withholder' && this.dice.chance(70)) return;
    const dag = this.epochs[epoch];
    if (!dag) {
      this.requestSync(from);
      return;
    }
    const { missing, isBehind } = dag.missingAbove(tips, MAX_SYNC);
    if (missing.length > 0) this.world.send(this.index, from, { type: 'vertices', vertices: missing });
    if (isBehind && epoch === this.ledger.s.epoch) this.requestSync(from);
  }

  private broadcast(vertex: SimVertex): void {
    for (let to = 0; to < this.world.nodeCount; to++) {
      if (to === this.index) continue;
      if (this.setup.kind === 'withholder' && this.dice.chance(60)) continue;
      this.world.send(this.index, to, { type: 'vertices', vertices: [vertex] });
    }
  }

  // --- emission

  planEmit(): void {
    if (this.isEmitPlanned || !this.isUp || this.setup.kind === 'silent') return;
    this.isEmitPlanned = true;
    const { life } = this;
    this.world.after(1 + this.dice.below(3), () => {
      if (life !== this.life) return;
      this.isEmitPlanned = false;
      this.emit();
    });
  }

  /** Emits again when a wait of the policy is over. */
  private planWait(nowMs: number): void {
    const due = this.policy.dueMs(false, []);
    const { life } = this;
    if (due === undefined) return;
    this.world.after(Math.max(1, Math.ceil(due - nowMs)), () => {
      if (life === this.life) this.planEmit();
    });
  }

  private view(): EmissionView {
    const { s } = this.ledger;
    const { seat, kind } = this.setup;
    const nowMs = this.clockMs();
    const causes: string[] = [];
    if (s.timers.some((timer) => timer.atSecs * 1000 <= nowMs)) causes.push('timer');
    if (this.ledger.isChangeWaiting()) causes.push('change');
    let heads = this.frontier.choosable(seat);
    if (kind === 'stale') heads = heads.filter(() => this.dice.chance(50));
    const { engine, frontier } = this;
    return {
      nowMs,
      seat,
      hasWeight: s.config.seats[seat]!.weight > 0n,
      own: this.frontier.own,
      heads,
      hasUnfinishedWork: this.frontier.hasUnfinishedWork(seat),
      hasPayload: this.queue.length > 0,
      isAnswering: this.answers > 0,
      causes,
      preview: (parents, timeMs) => engine.preview(seat, parents, timeMs),
      fill: 0,
      leadersOf: (round) => engine.leadersOf(round),
      newestRound: (of) => this.newestRound(of),
      followedRound: () => followedRound(frontier.oldestWork && engine.explain(frontier.oldestWork)),
      isAfterWork: (of) => frontier.isAfterWork(of),
      nextWriter: () => this.writers.next,
      seats: votersOf(s.config.seats),
      isQuorum: (some) => isQuorumOf(s.config, some),
      quorumWitnesses: (round) => engine.quorumWitnesses(round),
    };
  }

  private newestRound(seat: number): number | undefined {
    const newest = this.frontier.isCheater(seat) ? undefined : this.frontier.newest(seat);
    return newest && this.engine.explain(newest)!.round;
  }

  private emit(): void {
    if (!this.isUp || this.ledger.s.isHalted) return;
    if (this.gate.isAsking) {
      for (let to = 0; to < this.world.nodeCount; to++) this.world.send(this.index, to, { type: 'ask' });
      return;
    }
    if (!this.gate.isOpenIn(this.ledger.s.epoch)) return;
    for (let turn = 0; turn < 8; turn++) {
      const view = this.view();
      const emission = this.policy.next(view);
      if (!emission) {
        this.policy.answered(this.answers, view.nowMs);
        this.answers = 0;
        this.planWait(view.nowMs);
        return;
      }
      const vertex = this.make(emission);
      if (isResumption(vertex.dag.seq)) this.resumed += 1;
      this.policy.made(emission, view.nowMs);
      if (this.epoch.vertices.has(vertex.key)) {
        this.frontier.resumeOwn(vertex.dag.id);
      } else {
        this.insert([vertex]);
        this.vertexCount += 1;
      }
      this.flush();
      this.broadcast(vertex);
      this.world.made(this, vertex, emission);
      this.executeFinal();
      this.settle();
      if (this.ledger.s.isHalted) return;
    }
    this.planEmit();
  }

  private make(emission: Emission): SimVertex {
    const { s } = this.ledger;
    const { own } = this.frontier;
    const lamports = emission.parents.map((id) => this.epoch.vertices.get(toHex(id))!.dag.lamport);
    const entries = emission.withPayload ? this.queue.splice(0, MAX_ENTRIES) : [];
    const fields = {
      creator: this.setup.seat,
      seq: nextSeq(own?.seq ?? 0, this.gate.incarnationIn(s.epoch)),
      lamport: 1 + Math.max(0, ...lamports),
      timeMs: emission.timeMs,
      work: emission.work,
      parents: emission.parents,
    };
    return makeSimVertex(fields, s.epoch, s.config.epochId, entries, this.index);
  }

  // --- disk

  private flush(): void {
    this.flushed = this.log.length;
  }

  /** Writes what came in since the last own vertex, and sometimes an image to restart from. */
  checkpoint(): void {
    this.flush();
    if (this.ledger.s.isHalted) return;
    const engine = this.engine.snapshot();
    this.image = { logLength: this.log.length, engine, ledger: this.ledger.copy() };
  }

  crash(): void {
    this.isUp = false;
    this.life += 1;
    this.isEmitPlanned = false;
  }

  /** The store comes back empty or from some earlier day, so own vertices may be forgotten. */
  loseStore(): void {
    this.log = this.log.slice(0, this.dice.chance(50) ? 0 : this.dice.below(this.log.length + 1));
    this.flushed = this.log.length;
    this.gate.lost();
  }

  /** A tail that was not flushed is lost; the rest comes back by replay, or from the image and a tail. */
  restart(): void {
    const kept = this.dice.between(this.flushed, this.log.length);
    const log = this.log.slice(0, kept);
    const image = this.image && this.image.logLength <= kept && this.dice.chance(60) ? this.image : undefined;
    this.isUp = true;
    this.queue = [];
    this.early = [];
    this.log = [];
    this.syncedMs.clear();
    let from = 0;
    if (image) from = this.resume(log, image);
    else {
      this.ledger = this.genesis.copy();
      this.epochs = [];
      this.openEpoch();
    }
    this.replay(log.slice(from));
    this.flush();
    this.planEmit();
  }

  private resume(log: readonly SimVertex[], image: DiskImage): number {
    this.ledger = image.ledger.copy();
    const epochs = this.epochs.slice(0, this.ledger.s.epoch);
    this.openEpoch();
    this.epochs = [...epochs, this.epoch];
    this.engine = this.maker.restore(image.engine);
    for (const vertex of log.slice(0, image.logLength)) {
      this.log.push(vertex);
      if (vertex.epoch !== this.ledger.s.epoch) continue;
      this.epoch.add(vertex);
      this.frontier.add(vertex.dag, vertex.maker === this.index);
      const explained = this.engine.explain(vertex.dag.id)!;
      if (explained.isOrdered) this.frontier.ordered([vertex.dag.id]);
      if (explained.isOrdered) this.epoch.ordered.add(vertex.key);
    }
    this.epoch.resumeChains((vertex) => this.engine.explain(vertex.dag.id)!.isVoid);
    this.epoch.rounds = this.engine.maxRound();
    return image.logLength;
  }

  private replay(log: readonly SimVertex[]): void {
    for (let at = 0; at < log.length; ) {
      let end = at;
      while (end < log.length && log[end]!.epoch === log[at]!.epoch) end += 1;
      if (log[at]!.epoch === this.ledger.s.epoch) {
        this.insert(log.slice(at, end));
        this.executeFinal();
      }
      at = end;
    }
    this.settle();
  }
}

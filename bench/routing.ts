// Suite `routing`: a task created and assigned to the best of many agents, against scoring every agent in JavaScript.
// Keeps: both sides choose the same agents with the same scores. The core's time holds the whole command (checks,
// escrow, system event), the peer's only the choice.

import { createHash } from 'node:crypto';
import * as abi from '../assembly/abi.ts';
import * as commands from '../host/core/commands.ts';
import type { Core } from '../host/core/core.ts';
import { routerRegister } from '../host/core/market-commands.ts';
import { taskCreate } from '../host/core/task-commands.ts';
import { toHex, utf8 } from '../host/wire/bytes.ts';
import { sha256 } from '../host/wire/hash.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { applyRecords, blockRecords, newCore, outcomesOf } from './core-block.ts';
import { type PlainTask, ScannedOffers } from './peers/scanned-offers.ts';
import { median, type Row, row, type SuiteRun, sameWork } from './row.ts';

const PEER = 'scan of all offers';
const SEED = 20_260_201;
const START_MS = 1_700_000_000_000;
const TAGS = ['go', 'rust', 'sql', 'audio', 'maps', 'mail'];

interface Sizes {
  offers: readonly number[];
  perBlock: number;
  rounds: number;
  warmup: number;
  peerTasks: number;
}
const FULL: Sizes = {
  offers: [100, 1_000, 10_000, 99_000],
  perBlock: 200,
  rounds: 10,
  warmup: 10,
  peerTasks: 20,
};
const SMALL: Sizes = { offers: [100, 400], perBlock: 20, rounds: 3, warmup: 1, peerTasks: 20 };

const label = (name: string): Uint8Array => sha256(utf8(name)).subarray(0, 8);

/** A core with agents that offer work in one category, and the same offers as a plain list. */
class Subject {
  private readonly random = new SeededRandom(SEED);
  readonly plain = new ScannedOffers();
  private block = 0;

  constructor(
    private readonly core: Core,
    private readonly operator: Uint8Array,
  ) {}

  private head(actor: Uint8Array): commands.CommandHead {
    const lastSecs = START_MS / 1000 + this.block + 120;
    return { txId: this.random.bytes(32), actor, auth: abi.AUTH_TX_V1, lastSecs, windowSecs: 240 };
  }

  /** Milliseconds of one block, and its routes according to the core. */
  private run(entries: Uint8Array[]): { ms: number; routes: string[] } {
    this.block++;
    const records = blockRecords(START_MS + this.block * 1000, this.block, entries);
    const startedMs = performance.now();
    const parts = applyRecords(this.core, records);
    const ms = performance.now() - startedMs;
    const routes: string[] = [];
    for (const o of outcomesOf(parts)) {
      if (o.kind === 'tx' && o.code !== abi.OK) throw new Error(`refused with code ${o.code}`);
      if (o.kind === 'event' && o.type === 'task_routed') routes.push(`${o.agent} ${o.scoreBp}`);
    }
    return { ms, routes };
  }

  private tags(max: number): string[] {
    const first = this.random.below(TAGS.length);
    return Array.from({ length: this.random.below(max + 1) }, (_, i) => TAGS[(first + i) % TAGS.length]!);
  }

  /** Adds agents with offers until there are `count`. The operator is agent 0. */
  grow(count: number): void {
    while (this.plain.offers.length < count) {
      const joins: Uint8Array[] = [];
      const offers: Uint8Array[] = [];
      for (let i = Math.min(1_000, count - this.plain.offers.length); i > 0; i--) {
        const key = this.random.bytes(32);
        const [price, tags] = [this.random.below(2_000_000), this.tags(3)];
        joins.push(commands.register(this.head(key), key, 0, toHex(key)));
        const terms = { pricePerTask: price, maxConcurrent: 1, categoryLabels: [label('code')] };
        offers.push(routerRegister(this.head(key), { ...terms, tagLabels: tags.map(label) }));
        const agent = this.plain.offers.length + 1;
        this.plain.offers.push({ agent, id: toHex(key), price, category: 'code', tags });
      }
      this.run([...joins, ...offers]);
    }
  }

  /** Microseconds per task on each side, and the routes of both. */
  round(tasks: number, peerTasks: number): { core: number; peer: number; sums: [string, string] } {
    const list: PlainTask[] = Array.from({ length: tasks }, () => ({
      budget: 100_000 + this.random.below(1_900_000),
      category: 'code',
      tags: this.tags(2),
    }));
    const terms = {
      flags: 0,
      lane: abi.LANE_NONE,
      reviewSecs: 0,
      deliverySecs: 0,
      fuel: 0,
      noQuorum: abi.NO_QUORUM_SPLIT,
    };
    const entries = list.map((t) =>
      taskCreate(this.head(this.operator), {
        ...terms,
        budget: t.budget,
        category: t.category,
        categoryLabel: label(t.category),
        tagLabels: t.tags.map(label),
      }),
    );
    const { ms, routes } = this.run(entries);
    const startedMs = performance.now();
    const first = list.slice(0, peerTasks).map((t) => this.plain.route(t));
    const peerMs = performance.now() - startedMs;
    const all = [...first, ...list.slice(peerTasks).map((t) => this.plain.route(t))];
    const text = all.map((r) => (r === undefined ? '' : `${r.agent} ${r.score}`)).join();
    return {
      core: (ms * 1000) / tasks,
      peer: (peerMs * 1000) / first.length,
      sums: [routes.join(), text],
    };
  }
}

const sum = (texts: readonly string[]): string => createHash('sha256').update(texts.join()).digest('hex');

export async function run(suite: SuiteRun): Promise<Row[]> {
  const size = suite.small ? SMALL : FULL;
  const operator = new SeededRandom(SEED + 1).bytes(32);
  const { core } = await newCore(toHex(operator));
  const subject = new Subject(core, operator);
  const rows: Row[] = [];
  let isWarm = false;
  for (const offers of size.offers) {
    subject.grow(offers);
    for (let i = 0; i < size.warmup && !isWarm; i++) subject.round(size.perBlock, size.peerTasks);
    isWarm = true;
    // At the largest size, scans for all tasks would take minutes; fewer tasks show the same.
    const perBlock = offers > 10_000 ? size.peerTasks : size.perBlock;
    const rounds = Array.from({ length: size.rounds }, () => subject.round(perBlock, size.peerTasks));
    const [ours, peers] = [0, 1].map((side) => sum(rounds.map((r) => r.sums[side]!)));
    sameWork(suite, `routes among ${offers}`, { core: ours!, [PEER]: peers! });
    const value = median(rounds.map((r) => r.core));
    const peer = { name: PEER, value: median(rounds.map((r) => r.peer)) };
    rows.push(
      row('routing', 'task created and routed', { offers, tasks: perBlock * size.rounds }, 'us', value, peer),
    );
  }
  return rows;
}

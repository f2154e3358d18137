// The core against the model: random commands on both, compared after each block.
// VWS_SEED picks the first seed, VWS_OPS the number of commands; each world prints its seed on failure.
// Replay one world: VWS_SEED=<seed> VWS_OPS=1 npx vitest run test/core/differential.test.ts

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { type Command, toRecord } from '../model/command.ts';
import * as figures from '../model/figures.ts';
import { Model } from '../model/model.ts';
import { compareAll, shownAgent, told } from './compare.ts';
import { modelTaskView, shownTaskView } from './compare-tasks.ts';
import {
  Core,
  decodeSettlement,
  type Outcome,
  type TaskOutcome,
  type TouchedOutcome,
  unhex,
} from './driver.ts';
import * as records from './records.ts';
import { makeWorld, nextCommand, nextGapMs, type World } from './world.ts';

const OPS = Number(process.env.VWS_OPS ?? 40_000);
const FIRST_SEED = Number(process.env.VWS_SEED ?? 1);
const OPS_PER_WORLD = 2_000;

const blockHash = (n: number): Uint8Array => createHash('sha256').update(`block ${n}`).digest();

/** How often each code and each end of an item came up: a run that misses one proves little. */
const seenCodes = new Map<string, number>();
const count = (what: string): void => void seenCodes.set(what, (seenCodes.get(what) ?? 0) + 1);

function countOutcome(outcome: Outcome): void {
  if (outcome.kind === 'tx') {
    const details = [abi.INVALID_REQUEST, abi.STAKE_LOCKED, abi.CAPACITY] as number[];
    const detail = details.includes(outcome.code) ? ` ${outcome.words[0]}` : '';
    count(outcome.code === abi.OK ? `op ${outcome.opcode}` : `code ${outcome.code}${detail}`);
  } else if (outcome.kind === 'event' && outcome.type === abi.EVENT_SETTLEMENT) {
    const { kind, reason } = decodeSettlement(outcome);
    count(`item ${kind} reason ${reason}`);
  } else {
    count(outcome.kind === 'event' ? `event ${outcome.type}` : 'touched');
  }
}

class Run {
  readonly world: World;
  readonly model: Model;
  core: Core;
  /** Everything the core ever listed as changed: the snapshot of a host. */
  readonly leaves = new Map<number, Uint8Array>();
  /** Agents as a host would show them: refreshed only when the core says that they changed. */
  readonly view = new Map<number, unknown>();
  /** Live tasks as a host would show them, from the images alone. */
  readonly tasks = new Map<string, unknown>();
  blocks = 0;
  order = 0;
  timeMs: number;
  ops = 0;

  constructor(seed: number) {
    this.world = makeWorld(seed);
    this.model = new Model(this.world.config);
    this.core = new Core(this.world.config);
    for (const seat of this.world.seats) {
      this.core.apply(records.genesisSeat(seat));
      this.model.seat(seat);
    }
    this.core.apply(records.genesisEnd());
    this.timeMs = this.world.config.launchSecs * 1000 + this.world.chance.pick([0, 500, 1_800_000_000_000]);
  }

  #vertex(parts: Uint8Array[]): void {
    const { chance, seats } = this.world;
    const entries = chance.pick([0, 1, 2, 5, 9]);
    const seat = chance.hit(10) ? abi.NO_SEAT : chance.pick(seats).seat;
    parts.push(records.vertex(++this.order, seat, entries));
    this.model.vertex(this.order, seat, entries);
    for (let i = 0; i < entries; i++) {
      const c = nextCommand(this.world, this.model);
      parts.push(toRecord(c));
      this.model.command(c);
      this.ops++;
    }
  }

  #compareOutcomes(outcomes: Outcome[]): void {
    const touched = outcomes.filter((o): o is TouchedOutcome => o.kind === 'touched');
    const others = outcomes.filter((o) => o.kind !== 'touched' && o.kind !== 'task');
    expect(others.map(told)).toEqual(this.model.s.out);
    this.model.s.out = [];
    outcomes.forEach(countOutcome);
    for (const index of touched.flatMap((t) => t.agents)) this.view.set(index, timeless(this.core, index));
    this.#compareTasks(outcomes.filter((o): o is TaskOutcome => o.kind === 'task'));
  }

  // Images keep a host's view of the tasks up to date; each final task is told once more, as such, and is gone.
  #compareTasks(images: TaskOutcome[]): void {
    const ends = new Map<string, unknown>();
    for (const { isFinal, image } of images) {
      const row = shownTaskView(new DataView(image.buffer, image.byteOffset));
      if (isFinal) ends.set(row.id as string, row);
      else this.tasks.set(row.id as string, row);
    }
    expect(ends.size).toBe(images.filter((o) => o.isFinal).length);
    const leaving = this.model.blockEnd();
    expect(ends).toEqual(new Map(leaving.map((t) => [t.id, modelTaskView(t)])));
    for (const task of leaving) {
      this.tasks.delete(task.id);
      expect(this.core.query(abi.QUERY_TASK, unhex(task.id))).toBeUndefined();
      count(`task ${task.status} resolution ${task.resolution} lane ${task.lane}`);
    }
    expect(this.tasks).toEqual(new Map(this.model.s.tasks.map((t) => [t.id, modelTaskView(t)])));
  }

  block(): void {
    this.blocks++;
    this.timeMs += nextGapMs(this.world, this.model);
    const parts = [records.block(this.timeMs, this.blocks, blockHash(this.blocks))];
    this.model.block(this.timeMs, this.blocks, blockHash(this.blocks));
    const vertices = this.world.chance.pick([1, 1, 2, 4]);
    for (let i = 0; i < vertices; i++) this.#vertex(parts);
    this.#compareOutcomes(this.core.apply(...parts, records.blockEnd()));
    this.#dryRun();
    if (this.world.chance.hit(12)) this.compare();
    if (this.world.chance.hit(40)) this.reload();
  }

  // A dry run answers as the model does and leaves the state hash as it was.
  #dryRun(): void {
    const c: Command = nextCommand(this.world, this.model);
    if (c.opcode === abi.OP_INVALID) return;
    const nowSecs = this.model.s.now + this.world.chance.pick([-5, 0, 1, 700]);
    const before = this.world.chance.hit(10) ? this.core.stateHash() : undefined;
    expect(this.core.check(toRecord(c), Math.max(0, nowSecs))).toEqual(this.model.check(c, nowSecs));
    if (before !== undefined) expect(this.core.stateHash()).toBe(before);
  }

  compare(): void {
    compareAll(this.core, this.model);
    for (const agent of this.model.s.agents) {
      count(`multiplier ${figures.multiplier(this.model.s, agent, this.model.s.now)}`);
    }
    for (const agent of this.model.s.agents) {
      expect(this.view.get(agent.index)).toEqual(timeless(this.core, agent.index));
    }
  }

  // Snapshot, fresh instance, import: same state hash; the run goes on with the imported core.
  reload(): void {
    for (const [leaf, bytes] of this.core.dirty(this.world.chance.pick([1, 7, 1000]))) {
      if (bytes.every((b) => b === 0)) this.leaves.delete(leaf);
      else this.leaves.set(leaf, bytes);
    }
    const fresh = new Core(this.world.config);
    expect(fresh.load(this.leaves)).toBe(0);
    expect(fresh.stateHash()).toBe(this.core.stateHash());
    this.core = fresh;
  }
}

// What a row says by itself: without the figures that move with time.
function timeless(core: Core, index: number): unknown {
  const {
    trustLimit,
    reputationBp,
    multiplier,
    effectiveTasks,
    daysStaked,
    records: list,
    ...rest
  } = shownAgent(core, index);
  const rows = (list as Record<string, unknown>[]).map(({ score, ...record }) => record);
  return { ...rest, records: rows };
}

function runWorld(seed: number): number {
  const run = new Run(seed);
  try {
    while (run.ops < OPS_PER_WORLD) run.block();
    run.compare();
    run.reload();
    run.compare();
  } catch (error) {
    throw new Error(`seed ${seed}, block ${run.blocks}: VWS_SEED=${seed} VWS_OPS=1`, { cause: error });
  }
  return run.ops;
}

// Everything that a run of the default size must have met, so that a weak generator is noticed.
const REQUIRED = [
  ...[abi.OP_REGISTER, abi.OP_FAUCET, abi.OP_TRANSFER, abi.OP_GENERATION, abi.OP_STAKE].map((o) => `op ${o}`),
  ...[abi.OP_UNSTAKE, abi.OP_VERIFY, abi.OP_KEY_CREATE, abi.OP_KEY_REVOKE].map((o) => `op ${o}`),
  ...Array.from({ length: abi.ALREADY_REGISTERED }, (_, i) => i + 1)
    .filter((code) => code !== abi.INVALID_REQUEST)
    .map((code) => `code ${code}`),
  ...[1, 2, 3, 4, 5].map((reason) => `code ${abi.INVALID_REQUEST} ${reason}`),
  ...[abi.FAUCET_COOLDOWN, abi.FAUCET_EMPTY, abi.RECIPIENT_NOT_FOUND, abi.TRUST_LIMIT_EXCEEDED],
  ...[abi.INSUFFICIENT_BALANCE, abi.INSUFFICIENT_STAKE, abi.NOT_PENDING, abi.SELF_DEALING],
  ...[abi.NOT_A_VALIDATOR, abi.ALREADY_VOTED, abi.KEY_NOT_FOUND, abi.FORBIDDEN_ACTOR],
  ...[0, 1].map((lock) => `code ${abi.STAKE_LOCKED} ${lock}`),
  ...[1, 2, 3, 4, 5, 6, 9, 10].map((table) => `code ${abi.CAPACITY} ${table}`),
  ...Array.from({ length: 8 }, (_, i) => `op ${abi.OP_TASK_CREATE + i}`),
  ...[abi.OP_SERVICE_LIST, abi.OP_SERVICE_UNLIST].map((o) => `op ${o}`),
  ...[abi.OP_ROUTER_REGISTER, abi.OP_ROUTER_REMOVE, abi.OP_ROUTER_AVAILABLE].map((o) => `op ${o}`),
  ...[abi.ROUTED_TO_OTHER, abi.CAPABILITY_NOT_FOUND, `event ${abi.EVENT_TASK_ROUTED}`],
  ...[abi.NOT_ASSIGNED, abi.TASK_NOT_FOUND, abi.NOT_POSTER, abi.TASK_STATE, abi.SELF_CLAIM, abi.CLAIM_BARRED],
  ...[abi.CLAIM_LIMIT, abi.NOT_CLAIMER, abi.SUBTASKS_OPEN, abi.DELIVERY_MISMATCH, abi.RESULT_HASH_MISMATCH],
  ...[
    abi.BUDGET_BELOW_MINIMUM,
    abi.SECURITY_FLOOR,
    abi.COMMIT_NOT_FOUND,
    abi.COMMIT_RATE,
    abi.LISTING_NOT_FOUND,
  ],
  ...[abi.ITEM_SUBMISSION, abi.ITEM_DISPUTE].flatMap((k) => [1, 2, 3].map((r) => `item ${k} reason ${r}`)),
  ...[1, 2, 3, 4].map((r) => `task ${abi.TASK_COMPLETED} resolution ${r} lane ${abi.LANE_NONE}`),
  ...[3, 4, 5, 6, 7].map((r) => `task ${abi.TASK_CANCELLED} resolution ${r} lane ${abi.LANE_NONE}`),
  ...[1, 2].map((lane) => `task ${abi.TASK_COMPLETED} resolution 1 lane ${lane}`),
  ...[abi.EVENT_TASK_DISPUTED, abi.EVENT_CLAIM_EXPIRED].map((e) => `event ${e}`),
  ...[abi.ITEM_TRANSFER, abi.ITEM_GENERATION].flatMap((k) => [1, 2, 3].map((r) => `item ${k} reason ${r}`)),
  ...[abi.EVENT_GENESIS, abi.EVENT_SLASH].map((e) => `event ${e}`),
  ...[1, 2, 3, 4, 5].map((m) => `multiplier ${m}`),
  'touched',
].map((what) => (typeof what === 'number' ? `code ${what}` : what));

test('random commands: the core and the model agree on outcomes, tables, hashes and sums', () => {
  let ops = 0;
  let seed = FIRST_SEED;
  for (; ops < OPS; seed++) ops += runWorld(seed);
  if (process.env.VWS_COUNTS)
    console.log(
      [...seenCodes]
        .sort()
        .map(([k, n]) => `${k}: ${n}`)
        .join('\n'),
    );
  console.log(`differential: ${ops} commands, seeds ${FIRST_SEED}..${seed - 1}`);
  if (ops >= 200_000 || (FIRST_SEED === 1 && ops >= 40_000)) {
    expect(REQUIRED.filter((what) => !seenCodes.has(what))).toEqual([]);
  }
}, 3_600_000);

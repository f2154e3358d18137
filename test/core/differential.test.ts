// The core against the model: random commands on both, compared after each block.
// VWS_SEED picks the first seed, VWS_OPS the number of commands; each world prints its seed on failure.
// All counts: VWS_COUNTS=1. Replay one world: VWS_SEED=<seed> VWS_OPS=1 npx vitest run test/core/differential.test.ts

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { testSeed } from '../e2e/seed.ts';
import type { ModelChallenge, ModelJob } from '../model/case-state.ts';
import { type Command, toRecord } from '../model/command.ts';
import { type Leaving, Model } from '../model/model.ts';
import type { ModelTask } from '../model/task-state.ts';
import { compareAll, shownAgent, told } from './compare.ts';
import { modelChallenge, modelJob, shownChallenge, shownJob } from './compare-cases.ts';
import { modelTaskView, shownTaskView } from './compare-tasks.ts';
import {
  type CaseOutcome,
  Core,
  hex,
  type Outcome,
  type TaskOutcome,
  type TouchedOutcome,
  unhex,
} from './driver.ts';
import { counted, countLeaving, countOutcome, countState, missed } from './reached.ts';
import * as records from './records.ts';
import { makeWorld, nextCommand, nextGapMs, type World } from './world.ts';
import { Chance } from './world-setup.ts';

const OPS = Number(process.env.VWS_OPS ?? 20_000);
const FIRST_SEED = testSeed(1);
const OPS_PER_WORLD = 2_000;
/** A run that is still to meet something goes on for so many commands. */
const MOST_OPS = 416_000;

const blockHash = (n: number): Uint8Array => createHash('sha256').update(`block ${n}`).digest();

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
  /** Challenges and replay jobs likewise. */
  readonly cases = new Map<string, unknown>();
  /** Draws what concerns epochs, so that the commands stay what they would be without. */
  readonly #epochs: Chance;
  /** Seats that make nothing for a while. */
  #asleep = new Set<number>();
  blocks = 0;
  runs = 0;
  order = 0;
  timeMs: number;
  ops = 0;

  constructor(seed: number) {
    this.world = makeWorld(seed);
    this.#epochs = new Chance(seed + 7_000_000);
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
    const drawn = chance.hit(10) ? abi.NO_SEAT : chance.pick(seats).seat;
    const seat = this.#asleep.has(drawn) ? abi.NO_SEAT : drawn;
    // Most programs know the next revision, some only older ones: it rises now and then.
    const revision = Math.max(0, this.model.s.revision + (this.#epochs.hit(4) ? -1 : 1));
    parts.push(records.vertex(++this.order, seat, entries, revision));
    this.model.vertex(this.order, seat, entries, revision);
    for (let i = 0; i < entries; i++) {
      const c = nextCommand(this.world, this.model);
      parts.push(toRecord(c));
      this.model.command(c);
      this.ops++;
    }
  }

  #compareOutcomes(outcomes: Outcome[]): void {
    const touched = outcomes.filter((o): o is TouchedOutcome => o.kind === 'touched');
    const others = outcomes.filter((o) => o.kind === 'tx' || o.kind === 'event');
    expect(others.map(told)).toEqual(this.model.s.out);
    this.model.s.out = [];
    outcomes.forEach(countOutcome);
    for (const index of touched.flatMap((t) => t.agents)) this.view.set(index, timeless(this.core, index));
    const leaving = this.model.blockEnd();
    countLeaving(leaving);
    const images = outcomes.filter((o): o is CaseOutcome => o.kind === 'challenge' || o.kind === 'job');
    this.#compareTasks(
      outcomes.filter((o): o is TaskOutcome => o.kind === 'task'),
      leaving.tasks,
    );
    this.#compareCases(images, leaving);
  }

  // The same for challenges and replay jobs; what an open challenge weighs moves with time.
  #compareCases(images: CaseOutcome[], leaving: Leaving): void {
    const { model } = this;
    const ends = new Map<string, unknown>();
    for (const { kind, isFinal, image } of images) {
      const view = new DataView(image.buffer, image.byteOffset);
      const row = kind === 'job' ? shownJob(view) : still(shownChallenge(view));
      expect(isFinal && ends.has(row.id as string)).toBe(false);
      (isFinal ? ends : this.cases).set(row.id as string, row);
    }
    const rows = (challenges: ModelChallenge[], jobs: ModelJob[]): Map<string, unknown> =>
      new Map([
        ...challenges.map((c) => [c.id, still(modelChallenge(model, c))] as const),
        ...jobs.map((j) => [j.id, modelJob(j)] as const),
      ]);
    expect(ends).toEqual(rows(leaving.challenges, leaving.jobs));
    for (const id of ends.keys()) this.cases.delete(id);
    expect(this.cases).toEqual(rows(model.s.challenges, model.s.jobs));
  }

  // Images keep a host's view of the tasks up to date; each final task is told once more, as such, and is gone.
  #compareTasks(images: TaskOutcome[], leaving: ModelTask[]): void {
    const ends = new Map<string, unknown>();
    for (const { isFinal, image } of images) {
      const row = shownTaskView(new DataView(image.buffer, image.byteOffset));
      if (isFinal) ends.set(row.id as string, row);
      else this.tasks.set(row.id as string, row);
    }
    expect(ends.size).toBe(images.filter((o) => o.isFinal).length);
    expect(ends).toEqual(new Map(leaving.map((t) => [t.id, modelTaskView(t)])));
    for (const task of leaving) {
      this.tasks.delete(task.id);
      expect(this.core.query(abi.QUERY_TASK, unhex(task.id))).toBeUndefined();
    }
    // All of them now and then; they are many.
    if (this.blocks % 8 !== 0) return;
    expect(this.tasks).toEqual(new Map(this.model.s.tasks.map((t) => [t.id, modelTaskView(t)])));
  }

  block(): void {
    this.blocks++;
    this.timeMs += nextGapMs(this.world, this.model);
    const parts = [records.block(this.timeMs, this.blocks, blockHash(this.blocks))];
    this.model.block(this.timeMs, this.blocks, blockHash(this.blocks));
    this.#exclude(parts);
    this.#resume(parts);
    const vertices = this.world.chance.pick([1, 1, 2, 4]);
    for (let i = 0; i < vertices; i++) this.#vertex(parts);
    const outcomes = this.core.apply(...parts);
    this.#endRuns(outcomes);
    this.#compareOutcomes([...outcomes, ...this.core.apply(records.blockEnd())]);
    this.#dryRun();
    this.#sealEpoch();
    if (this.world.chance.hit(12)) this.compare();
    if (this.world.chance.hit(40)) this.reload();
  }

  // The runs that the core names are those of the model; one in three fails.
  #endRuns(outcomes: Outcome[]): void {
    for (;;) {
      const due = this.core.query(abi.QUERY_DUE_RUN);
      const task = this.model.dueRun();
      const shown = due && {
        id: hex(new Uint8Array(due.buffer, due.byteOffset, 16)),
        run: due.getUint32(abi.DUE_RUN_NUMBER, true),
        fuel: due.getUint32(abi.DUE_RUN_FUEL, true),
      };
      expect(shown).toEqual(task && { id: task.id, run: task.runs, fuel: task.fuel });
      if (!task) return;
      const isPassed = !this.#epochs.hit(3);
      const [scoreBp, check] = [this.#epochs.pick([0, 10_000, 7_777]), this.#epochs.pick([0, 3, 15])];
      outcomes.push(...this.core.apply(records.runEnd(unhex(task.id), isPassed, scoreBp, check)));
      this.model.runEnd({ isPassed, scoreBp, check });
      this.runs++;
    }
  }

  // Now and then a block is a seal; then and only then other seats may fall asleep.
  #sealEpoch(): void {
    const chance = this.#epochs;
    if (!chance.hit(4)) return;
    this.core.apply(records.epochEnd());
    this.model.epochEnd();
    if (!chance.hit(6)) return;
    this.#asleep = new Set(this.world.seats.flatMap(({ seat }) => (chance.hit(3) ? [seat] : [])));
  }

  // Now and then a block proves that a seat, or two, equivocated.
  #exclude(parts: Uint8Array[]): void {
    const { chance, seats } = this.world;
    if (this.blocks < 5 || !chance.hit(300)) return;
    for (const { seat } of seats.filter(() => chance.hit(8))) {
      parts.push(records.excludeSeat(seat));
      this.model.excludeSeat(seat);
    }
  }

  // One seat in every ninth block resumed, two in some; a third of those blocks may lose writes.
  #resume(parts: Uint8Array[]): void {
    const { seats } = this.world;
    if (this.blocks % 9 !== 0) return;
    const first = (this.blocks / 9) % seats.length;
    const [epoch, mayLose] = [this.blocks >> 6, this.blocks % 27 === 0];
    for (const { seat } of seats.slice(first, first + 1 + (this.blocks % 2))) {
      parts.push(records.resumeSeat(seat, 1 + (this.blocks % 4095), epoch, mayLose));
      this.model.resumeSeat(seat, 1 + (this.blocks % 4095), epoch, mayLose);
    }
  }

  // A dry run answers as the model does and leaves the state hash as it was.
  #dryRun(): void {
    const plans = structuredClone(this.world.plans);
    const c: Command = nextCommand(this.world, this.model);
    this.world.plans = plans;
    if (c.opcode === abi.OP_INVALID) return;
    const nowSecs = this.model.s.now + this.world.chance.pick([-5, 0, 1, 700]);
    const before = this.world.chance.hit(10) ? this.core.stateHash() : undefined;
    expect(this.core.check(toRecord(c), Math.max(0, nowSecs))).toEqual(this.model.check(c, nowSecs));
    if (before !== undefined) expect(this.core.stateHash()).toBe(before);
  }

  compare(): void {
    compareAll(this.core, this.model);
    this.core.books.compare(this.core);
    countState(this.model);
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
    fresh.books = this.core.books;
    this.core = fresh;
  }
}

// A challenge without the weights that it has at a moment.
function still(row: Record<string, unknown>): Record<string, unknown> {
  const [status] = row.words as number[];
  return status === abi.CHALLENGE_OPEN ? { ...row, weights: [], participants: 0 } : row;
}

// What a row says by itself: without the figures that move with time.
function timeless(core: Core, index: number): unknown {
  const {
    trustLimit,
    reputationBp,
    multiplier,
    effectiveTasks,
    daysStaked,
    standing,
    standingHalves,
    records: list,
    ...rest
  } = shownAgent(core, index);
  const rows = (list as Record<string, unknown>[]).map(({ score, ...record }) => record);
  return { ...rest, records: rows };
}

function runWorld(seed: number): number {
  const run = new Run(seed);
  try {
    // Clusters and suspensions take their time.
    const isLong = run.world.kind === 'clan' || run.world.kind === 'canaries';
    while (run.ops < OPS_PER_WORLD * (isLong ? 2 : 1)) run.block();
    run.compare();
    run.reload();
    run.compare();
  } catch (error) {
    throw new Error(`seed ${seed}, block ${run.blocks}: VWS_SEED=${seed} VWS_OPS=1`, { cause: error });
  }
  return run.ops;
}

test('random commands: the core and the model agree on outcomes, tables, hashes and sums', () => {
  let ops = 0;
  let seed = FIRST_SEED;
  const isWhole = OPS >= 200_000 || (FIRST_SEED === 1 && OPS >= 52_000);
  // A new command changes what every world draws, so that what is rare may come later.
  const isMillion = OPS >= 1_000_000;
  const isShort = (): boolean => isWhole && ops < MOST_OPS && missed(isMillion).length > 0;
  for (; ops < OPS || isShort(); seed++) ops += runWorld(seed);
  console.log(counted(process.env.VWS_COUNTS !== undefined));
  console.log(`differential: ${ops} commands, seeds ${FIRST_SEED}..${seed - 1}`);
  if (isWhole) expect(missed(isMillion)).toEqual([]);
}, 3_600_000);

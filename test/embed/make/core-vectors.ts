// Vectors of core.wasm: random worlds of the differential test, played on the module and on the model, which chooses what
// comes next.
// Keeps: everything follows from the seeds; capacities are small, so a host needs 14 MiB of memory.

import { createHash } from 'node:crypto';
import * as abi from '../../../assembly/abi.ts';
import { concat, configRecord, unhex } from '../../core/driver.ts';
import * as records from '../../core/records.ts';
import { makeWorld, nextCommand, nextGapMs, type World } from '../../core/world.ts';
import { toRecord } from '../../model/command.ts';
import { Model } from '../../model/model.ts';
import { chooseSeeds } from './coverage.ts';
import { Recorder } from './recorder.ts';

/** Of so many worlds the few that together succeed with every operation and meet most refusals. */
const CANDIDATES = 1_200;
const WORLDS = 9;
const COMMANDS_EACH = 170;
const BLOCKS_PER_SNAPSHOT = 30;
/** Seats that nobody draws for so long are silent. */
const BLOCKS_PER_EPOCH = 6;

const blockHash = (n: number): Uint8Array => createHash('sha256').update(`block ${n}`).digest();

function words(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

class Play {
  readonly #world: World;
  readonly #model: Model;
  #timeMs: number;
  #blocks = 0;
  #order = 0;
  #commands = 0;

  constructor(
    readonly seed: number,
    readonly out: Recorder,
  ) {
    this.#world = makeWorld(seed);
    this.#model = new Model(this.#world.config);
    this.#timeMs = this.#world.config.launchSecs * 1000;
  }

  run(): void {
    const { config, seats, kind } = this.#world;
    this.out.note(`a world of the kind ${kind}, seed ${this.seed}`);
    this.out.ask('new');
    this.out.ask('init', configRecord(config));
    for (const seat of seats) this.#model.seat(seat);
    this.#apply(...seats.map(records.genesisSeat), records.genesisEnd());
    while (this.#commands < COMMANDS_EACH) this.#block();
    this.#queries();
    this.#refused();
    this.#snapshot();
  }

  // What a full out buffer left over is presented again.
  #apply(...parts: Uint8Array[]): void {
    let rest = concat(parts);
    do {
      rest = rest.subarray(Number(this.out.ask('apply', rest).split(':')[0]));
    } while (rest.length > 0);
  }

  #block(): void {
    const { chance, seats } = this.#world;
    this.#blocks++;
    this.#timeMs += nextGapMs(this.#world, this.#model);
    const hash = blockHash(this.#blocks);
    const parts = [records.block(this.#timeMs, this.#blocks, hash)];
    this.#model.block(this.#timeMs, this.#blocks, hash);
    if (this.#blocks === 40) {
      parts.push(records.excludeSeat(seats.at(-1)!.seat));
      this.#model.excludeSeat(seats.at(-1)!.seat);
    }
    if (this.#blocks % 25 === 0) {
      const resumed = [seats[0]!.seat, this.#blocks, this.#blocks >> 6, this.#blocks % 50 === 0] as const;
      parts.push(records.resumeSeat(...resumed));
      this.#model.resumeSeat(...resumed);
    }
    for (let i = chance.pick([1, 1, 2]); i > 0; i--) this.#vertex(parts);
    this.#endRuns(parts);
    // A block may be cut into calls between any two records.
    if (chance.hit(5)) this.#apply(...parts.splice(0, 1 + chance.int(parts.length)));
    this.#apply(...parts, records.blockEnd());
    this.#model.blockEnd();
    this.#model.s.out = [];
    if (this.#blocks % BLOCKS_PER_EPOCH === 0) {
      this.#apply(records.epochEnd());
      this.#model.epochEnd();
    }
    this.out.ask('state_hash');
    this.#dryRun();
    if (this.#blocks % BLOCKS_PER_SNAPSHOT !== 0) return;
    this.#queries();
    this.#snapshot();
  }

  // Of the runs that are due, every third fails.
  #endRuns(parts: Uint8Array[]): void {
    for (let task = this.#model.dueRun(); task; task = this.#model.dueRun()) {
      const isPassed = task.runs % 3 !== 0 && this.#blocks % 3 !== 0;
      parts.push(records.runEnd(unhex(task.id), isPassed, isPassed ? 9_000 : 0, isPassed ? 0 : 2));
      this.#model.runEnd({ isPassed, scoreBp: isPassed ? 9_000 : 0, check: isPassed ? 0 : 2 });
    }
  }

  #vertex(parts: Uint8Array[]): void {
    const { chance, seats } = this.#world;
    const entries = chance.pick([0, 1, 2, 5]);
    const seat = chance.hit(10) ? abi.NO_SEAT : chance.pick(seats).seat;
    parts.push(records.vertex(++this.#order, seat, entries));
    this.#model.vertex(this.#order, seat, entries);
    for (let i = 0; i < entries; i++) {
      const c = nextCommand(this.#world, this.#model);
      parts.push(toRecord(c));
      this.#model.command(c);
      this.#commands++;
    }
  }

  #dryRun(): void {
    if (!this.#world.chance.hit(8)) return;
    const plans = structuredClone(this.#world.plans);
    const c = nextCommand(this.#world, this.#model);
    this.#world.plans = plans;
    if (c.opcode !== abi.OP_INVALID) this.out.ask('check', toRecord(c), this.#model.s.now + 1);
  }

  // One of each kind of row, the first and the last, and what there is no more or never was.
  #queries(): void {
    const { s } = this.#model;
    const ask = (kind: number, ...parts: Uint8Array[]): string => this.out.ask('query', kind, concat(parts));
    const ends = <T>(rows: readonly T[]): T[] => [...rows.slice(0, 1), ...rows.slice(-1)];
    for (const kind of [abi.QUERY_HEADER, abi.QUERY_SEATS, abi.QUERY_ROUTER, abi.QUERY_FULL_SUPPLY])
      ask(kind);
    for (const { key, index } of ends(s.agents)) {
      ask(abi.QUERY_AGENT_FIND, unhex(key));
      for (const kind of [abi.QUERY_AGENT, abi.QUERY_RECORDS, abi.QUERY_CAPABILITY]) ask(kind, words(index));
    }
    for (const v of ends(s.validators)) ask(abi.QUERY_VALIDATOR, words(s.validators.indexOf(v)));
    for (const item of ends(s.items)) ask(abi.QUERY_ITEM_FIND, unhex(item.eventId));
    for (const row of [0, 1]) ask(abi.QUERY_ITEM, words(row));
    ask(abi.QUERY_ITEMS, words(0, 100));
    for (const task of ends(s.tasks)) ask(abi.QUERY_TASK, unhex(task.id));
    for (const challenge of ends(s.challenges)) ask(abi.QUERY_CHALLENGE, unhex(`${challenge.id}00000000`));
    for (const job of ends(s.jobs)) ask(abi.QUERY_JOB, unhex(job.id));
    for (const key of ends(s.keys)) ask(abi.QUERY_KEY, new Uint8Array(BigUint64Array.of(key.id).buffer));
    ask(abi.QUERY_CATEGORY, words(s.categories.length - 1));
    ask(abi.QUERY_AGENT_FIND, blockHash(0));
    ask(abi.QUERY_AGENT, words(1_000_000));
  }

  // A host's faults: cut short, out of place, of no known kind.
  #refused(): void {
    this.out.ask('apply', records.blockEnd().subarray(0, 4));
    this.out.ask('apply', records.blockEnd());
    this.out.ask('apply', concat([words(999, 8), records.blockEnd()]));
    this.out.ask('state_hash');
  }

  // Snapshot, fresh instance, import; the world goes on on the imported one.
  #snapshot(): void {
    const most = this.#world.chance.pick([20, 1000]);
    while (this.out.ask('dirty', most) !== '0');
    this.out.ask('reload');
    this.out.ask('state_hash');
  }
}

export function worldVectors(...seeds: number[]): string {
  const out = new Recorder('core.wasm', 'core-scalar.wasm');
  for (const seed of seeds) new Play(seed, out).run();
  return out.text();
}

export const coreVectors = (): string => worldVectors(...chooseSeeds(WORLDS, CANDIDATES, worldVectors));

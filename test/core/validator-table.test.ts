// The life of validators in the core against the table of protocol 7.4, written down literally: random paths of
// triggers, many validators at a time, compared after each step.
// VWS_PATHS sets how many paths, VWS_SEED the seed; both are printed on failure and replay it.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { testSeed } from '../e2e/seed.ts';
import { command, toRecord } from '../model/command.ts';
import { type Core, DEFAULT_PARAMS, unhex } from './driver.ts';
import { config, hash, key, TOKEN } from './fixture.ts';
import { openProbed, type Probes } from './probes.ts';
import * as records from './records.ts';
import { DAY, NUMBERS, REQUIRED, step, TABLE, type Validator, walked } from './validator-table.ts';
import { Chance } from './world-setup.ts';

const PATHS = Number(process.env.VWS_PATHS ?? 2_000);
const SEED = testSeed(1);
const SEATS = 40;
const STEPS = 12;
const GENERAL = abi.CATEGORY_GENERAL;
const INITIAL = ['genesis active', 'genesis probationary', 'genesis pending_join'];
const CODES = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION, abi.NO_STATUS];

/** Forty validators in one core, each on a path of its own. */
class Batch {
  readonly core: Core;
  readonly probes: Probes;
  readonly validators: Validator[] = [];
  now = 1_800_000_000;
  blocks = 0;
  #commands: Uint8Array[] = [];
  #excluded: number[] = [];
  #count = 0;
  #joinedDay = -1;
  /** Until when the stake of a seat cannot be lowered. */
  readonly #locked = new Map<number, number>();

  constructor(readonly chance: Chance) {
    const params = [...DEFAULT_PARAMS];
    params[abi.PARAM_DAY_SECS] = DAY;
    const capacities = [60, 4, 4, 4096, 4, 60, 60, 22, 4, 4, 4, 400, 4, 4, 4, 4];
    const { core, probes } = openProbed(config({ params, capacities, launchSecs: this.now }));
    Object.assign(this, { core, probes });
    this.core = core;
    this.probes = probes;
    for (let seat = 0; seat < SEATS; seat++) this.#seat(seat);
    core.apply(records.genesisEnd());
    this.#block();
  }

  #seat(seat: number): void {
    const kind = this.chance.int(3);
    const [stake, baseline] = [25_000n * TOKEN, this.chance.pick([0, 5000, 8000])];
    const init = {
      seat,
      status: CODES[kind]!,
      operator: unhex(key(`op${seat}`)),
      stake,
      baselineBp: baseline,
    };
    this.core.apply(records.genesisSeat({ ...init, id: `v${seat}`, categories: [] }));
    const v: Validator = {
      status: '-',
      isGenesis: kind !== 2,
      stake,
      baseline: kind === 2 ? 0 : baseline,
      cycle: 0,
      started: 0,
      passedAt: 0,
      decided: 0,
      right: 0,
      belowSince: 0,
      until: 0,
      reason: 0,
      collusions: 0,
      canaries: { count: 0, points: 0, until: 0 },
    };
    this.validators.push(v);
    step(v, { by: INITIAL[kind]!, now: this.now });
  }

  /** Index in the core: in order of their records. */
  index(seat: number): number {
    const name = new Uint8Array(72);
    new DataView(name.buffer).setUint32(0, `v${seat}`.length, true);
    name.set(Buffer.from(`v${seat}`), 8);
    return Number(this.core.query(abi.QUERY_VALIDATOR_FIND, name)!.getBigUint64(0, true));
  }

  #command(seat: number, opcode: number, amount = 1n): void {
    const txid = hash(`tx ${this.now} ${this.#count++}`);
    const fields = { txid, actor: key(`op${seat}`), amount, categories: [] };
    this.#commands.push(toRecord(command(opcode, fields)));
  }

  #slash(v: Validator, seat: number): void {
    const offense = this.chance.pick([1, 1, 2, 3]);
    this.probes.probe_punish(this.index(seat), offense, BigInt(this.now));
    if (v.status === 'excluded') return;
    const isSecond = offense === abi.OFFENSE_COLLUSION && ++v.collusions >= 2;
    step(v, { by: isSecond ? 'second collusion' : 'slash', now: this.now, offense });
  }

  #judge(v: Validator, seat: number): void {
    const { chance } = this;
    const [right, wrong] = [chance.pick([1, 33, 34, 35, 50]), chance.pick([0, 15, 16, 40])];
    this.probes.probe_votes(this.index(seat), right, wrong);
    v.decided += right + wrong;
    v.right += right;
  }

  #canaries(v: Validator, seat: number): void {
    const [count, points] = [this.chance.pick([1, 8, 12, 20]), this.chance.pick([0, 0, 1, 2, 2])];
    this.probes.probe_canaries(this.index(seat), count, points, BigInt(this.now));
    for (let i = 0; i < count; i++) {
      v.canaries.count++;
      v.canaries.points += points;
      step(v, { by: 'canary', now: this.now, points, isCrowdedOut: this.#isCrowdedOut() });
    }
  }

  // Canaries keep a third out at most.
  #isCrowdedOut(): boolean {
    const active = this.validators.filter((v) => v.status === 'active');
    return (active.filter((v) => v.canaries.until > this.now).length + 1) * 3 > active.length;
  }

  #stake(v: Validator, seat: number): void {
    const target = this.chance.pick([REQUIRED - 1n, REQUIRED, 0n, 25_000n * TOKEN]);
    const change = target - v.stake;
    // An application locks it.
    if (change < 0n && this.now < (this.#locked.get(seat) ?? 0)) return;
    if (change > 0n) this.#command(seat, abi.OP_STAKE, change);
    if (change < 0n) this.#command(seat, abi.OP_UNSTAKE, -change);
    v.stake = target;
  }

  // Something that happens to a validator; what takes a block is left for the next one.
  #trigger(v: Validator, seat: number): (() => void) | undefined {
    const { chance } = this;
    const kind = chance.int(10);
    const hasRecord = v.status !== '-';
    if (kind < 2 && hasRecord) this.#slash(v, seat);
    else if (kind < 4 && (v.status === 'probation' || v.status === 'active')) this.#judge(v, seat);
    else if (kind === 4 && hasRecord) this.#canaries(v, seat);
    else if (kind === 5 && chance.hit(3)) {
      this.#excluded.push(seat);
      return () => step(v, { by: 'equivocation', now: this.now });
    } else if (kind === 6) {
      return () => this.#stake(v, seat);
    } else if (kind < 9) {
      return () => {
        const by = hasRecord ? 'resume' : 'apply';
        this.#command(seat, hasRecord ? abi.OP_VALIDATOR_RESUME : abi.OP_VALIDATOR_APPLY);
        step(v, { by, now: this.now });
        if (!hasRecord && v.status !== '-') this.#locked.set(seat, this.now + 10 * DAY);
      };
    }
    return undefined;
  }

  #block(): void {
    this.blocks++;
    const head = records.block(this.now * 1000, this.blocks, unhex(hash(`${this.blocks}`)));
    const excluded = this.#excluded.map(records.excludeSeat);
    const vertex = records.vertex(this.blocks, abi.NO_SEAT, this.#commands.length);
    this.core.apply(head, ...excluded, vertex, ...this.#commands, records.blockEnd());
    this.#commands = [];
    this.#excluded = [];
  }

  // Deadlines of the block, before its commands.
  #deadlines(v: Validator): void {
    const { now } = this;
    if (v.status === 'probation' && v.passedAt === 0 && v.started + 30 * DAY <= now)
      step(v, { by: 'D 30 days of the cycle', now });
    else if (v.belowSince !== 0 && v.belowSince + 7 * DAY <= now) {
      step(v, { by: 'D 7 days below required_stake', now });
    }
  }

  step(): void {
    const { chance, validators } = this;
    const late = validators.map((v, seat) => this.#trigger(v, seat));
    const days = chance.pick([0, 1, 3, 6, 7, 8, 23, 29, 30, 31, 60, 181]);
    this.now += Math.max(0, days * DAY + chance.int(3) - 1);
    const isProof = validators.map((_, seat) => this.#excluded.includes(seat));
    for (const [seat, v] of validators.entries()) {
      if (isProof[seat]) late[seat]?.();
      this.#deadlines(v);
      if (!isProof[seat]) late[seat]?.();
    }
    this.#block();
    this.#join();
    for (const v of validators) {
      const isBelow = v.status === 'active' && v.stake < REQUIRED;
      v.belowSince = isBelow ? v.belowSince || this.now : 0;
    }
  }

  // Which of the waiting applicants got a place depends on the others: only those may have, whose 7 days are over, and
  // no more than the places of the day. Who of them is the model's matter (test/model/validator-life.ts).
  #join(): void {
    const isActive = (seat: number): boolean => this.shown(seat)[0] === NUMBERS.active;
    const waiting = [...this.validators.entries()].filter(([, v]) => v.passedAt !== 0);
    const joined = waiting.filter(([seat]) => isActive(seat));
    const active = this.validators.filter((v) => v.status === 'active').length;
    for (const [, v] of joined) {
      expect(v.passedAt + 7 * DAY).toBeLessThanOrEqual(this.now);
      step(v, { by: 'D a place of the day', now: this.now });
    }
    expect(joined.length).toBeLessThanOrEqual(Math.max(1, Math.floor((active + SEATS / 4) / 10)));
    const ready = waiting.filter(([, v]) => v.passedAt !== 0 && v.passedAt + 7 * DAY <= this.now);
    if (joined.length === 0 && ready.length > 0) expect(Math.floor(this.now / DAY)).toBe(this.#joinedDay);
    if (joined.length > 0) this.#joinedDay = Math.floor(this.now / DAY);
  }

  shown(seat: number): number[] {
    const v = this.core.queryIndex(abi.QUERY_VALIDATOR, this.index(seat))!;
    const words = [abi.VALIDATOR_STATUS, abi.VALIDATOR_BASELINE_BP, abi.VALIDATOR_PROBATION_CYCLE];
    words.push(abi.VALIDATOR_TASKS_PROCESSED, abi.VALIDATOR_VOTES_RIGHT, abi.VALIDATOR_REASON);
    words.push(abi.VALIDATOR_COLLUSIONS);
    const times = [abi.VALIDATOR_PROBATION_STARTED, abi.VALIDATOR_BELOW_SINCE, abi.VALIDATOR_SUSPENDED_UNTIL];
    const rows = Array.from({ length: v.getUint32(abi.VALIDATOR_CALIBRATIONS, true) }, (_, i) => {
      const at = abi.VALIDATOR_CALIBRATION + i * abi.CALIBRATION_BYTES;
      const category = v.getUint32(at + abi.CALIBRATION_CATEGORY, true);
      return category === GENERAL ? Number(v.getBigUint64(at + abi.CALIBRATION_SUSPENDED_UNTIL, true)) : 0;
    });
    const secs = times.map((at) => Number(v.getBigUint64(at, true)));
    return [...words.map((at) => v.getUint32(at, true)), ...secs, Math.max(0, ...rows)];
  }

  compare(told: string): void {
    for (const [seat, v] of this.validators.entries()) {
      if (v.status === '-') continue;
      const words = [NUMBERS[v.status], v.baseline, v.cycle, v.decided, v.right, v.reason, v.collusions];
      const expected = [...words, v.started, v.belowSince, v.until, v.canaries.until];
      const shown = this.shown(seat);
      if (shown.join() !== expected.join()) expect(shown, `${told}, seat ${seat}`).toEqual(expected);
    }
  }
}

test('random paths of validators follow the table of 7.4, and walk every row of it', () => {
  const batches = Math.ceil(PATHS / SEATS);
  for (let i = 0; i < batches; i++) {
    const batch = new Batch(new Chance(SEED + i));
    for (let n = 0; n < STEPS; n++) {
      batch.step();
      batch.compare(`VWS_SEED=${SEED + i} VWS_PATHS=1, step ${n}`);
    }
  }
  console.log(`validator table: ${batches * SEATS} paths, seeds ${SEED}..${SEED + batches - 1}`);
  if (PATHS >= 4_000) expect(TABLE.filter((row) => !walked.has(row))).toEqual([]);
}, 3_600_000);

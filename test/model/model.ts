// The oracle: genesis, blocks, vertices and commands on the model's tables, as outcomes.
// Keeps: slow and obvious; it shares no code with the core, and no table is indexed.

import * as abi from '../../assembly/abi.ts';
import type { CoreConfig } from '../core/driver.ts';
import { hex } from '../core/outcomes.ts';
import type { SeatInit } from '../core/records.ts';
import { admit, noteAdmitted } from './admission.ts';
import type { ModelChallenge, ModelJob } from './case-state.ts';
import type { Command } from './command.ts';
import { dueRun, endRun, type RunOutcome } from './contracts.ts';
import { emit } from './events.ts';
import * as figures from './figures.ts';
import { rollClusters } from './judging.ts';
import { launch } from './launch.ts';
import { addAgent, addStake, operate } from './operations.ts';
import { Refusal } from './refusal.ts';
import { isLeaving } from './retention.ts';
import { raiseRevision } from './revisions.ts';
import { Routing } from './routing.ts';
import { SUPPLY, TOKEN } from './rules.ts';
import { expectSeats, hear, passTime, sealEpoch, tellSeatWeights } from './silence.ts';
import { type ModelAgent, ModelState, type ModelValidator } from './state.ts';
import type { ModelTask } from './task-state.ts';
import { type Timer, timers } from './timers.ts';
import {
  excludeSeat,
  keepLostWrites,
  resumeSeat,
  startCycle,
  tellExclusions,
  tellResumptions,
  watchStakes,
} from './validator-life.ts';
import { newValidator } from './validator-state.ts';

const TXID_KEEP_SECS = 600;

function words(values: bigint[]): bigint[] {
  return Array.from({ length: abi.RESULT_WORDS }, (_, i) => values[i] ?? 0n);
}

function genesisValidator(s: ModelState, init: SeatInit, operator: ModelAgent): ModelValidator {
  const v = newValidator(s.validators.length, init.id, operator, init.seat, init.status, s.now);
  Object.assign(v, { baselineBp: init.baselineBp, isGenesis: true, categories: init.categories });
  if (init.status === abi.VALIDATOR_PROBATION) startCycle(v, 1, s.now);
  if (init.status === abi.VALIDATOR_ACTIVE) v.activatedAt = s.now;
  v.held = figures.presentWeight(s, v, s.now);
  s.validators.push(v);
  for (const name of init.categories) if (!s.categories.includes(name)) s.categories.push(name);
  return v;
}

/** What leaves the core at a block's end. */
export interface Leaving {
  tasks: ModelTask[];
  challenges: ModelChallenge[];
  jobs: ModelJob[];
}

export class Model {
  readonly s: ModelState;
  readonly routing: Routing;

  constructor(config: CoreConfig) {
    this.s = new ModelState(config);
    this.routing = new Routing(this.s);
    this.s.router = this.routing.router;
    const tokens = (n: number): bigint => BigInt(n) * TOKEN;
    const pools = new Array<bigint>(abi.POOL_COUNT).fill(0n);
    pools[abi.POOL_FOUNDERS] = tokens(150_000_000);
    pools[abi.POOL_INVESTORS] = tokens(150_000_000);
    pools[abi.POOL_ECOSYSTEM] = tokens(300_000_000);
    pools[abi.POOL_REWARDS] = tokens(200_000_000);
    pools[abi.POOL_TREASURY] = tokens(100_000_000 - 250);
    pools[abi.POOL_PUBLIC] = tokens(config.testnet ? 90_000_000 : 100_000_000);
    pools[abi.POOL_FAUCET] = tokens(config.testnet ? 10_000_000 : 0);
    for (let pool = abi.POOL_REPLAY_CODE; pool <= abi.POOL_REPLAY_GENERAL; pool++) pools[pool] = tokens(50);
    this.s.pools = pools;
  }

  seat(init: SeatInit): void {
    const { s } = this;
    const operator = addAgent(s, hex(init.operator), hex(init.operator), hex(init.operator));
    const funds = s.config.testnet ? 25_000n * TOKEN : 0n;
    s.pools[abi.POOL_REWARDS]! -= init.stake + funds;
    addStake(s, operator, init.stake);
    operator.balance = funds;
    const key = hex(init.consensusKey ?? new Uint8Array(32).fill(200 + init.seat));
    const validator = init.status === abi.NO_STATUS ? undefined : genesisValidator(s, init, operator);
    s.seats.set(init.seat, { operator, validator, id: init.id, key, keyEpoch: init.keyEpoch ?? 1 });
    expectSeats(s);
  }

  /** The block proves that a seat equivocated; before its first vertex. */
  excludeSeat(seat: number): void {
    excludeSeat(this.s, seat);
  }

  /** A seat resumed with the block; before its first vertex. */
  resumeSeat(seat: number, incarnation: number, epoch: number, mayLose: boolean): void {
    resumeSeat(this.s, seat, incarnation, epoch, mayLose);
  }

  block(timeMs: number, index: number, hash: Uint8Array): void {
    const { s } = this;
    passTime(s, timeMs);
    s.timeMs = timeMs;
    s.block = index;
    s.blockHash = hex(hash);
    s.fired = false;
    s.blockFuel = 0;
    if (s.launch === 0 && timeMs >= 1000) launch(s);
    s.seen = s.seen.filter((t) => t.at + TXID_KEEP_SECS > s.now);
    rollClusters(s);
    figures.rollWeights(s);
    const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE).length;
    const age = s.now - s.launch;
    if (s.launch !== 0 && age >= 90 * s.param(abi.PARAM_DAY_SECS) && active >= 20) s.bootstrapOver = true;
  }

  vertex(order: number, seat: number, entries: number, revision = 0): void {
    const { s } = this;
    if (s.seats.has(seat)) s.named.set(seat, revision);
    s.vertexSeat = seat;
    s.order = order;
    s.entries = entries;
    s.index = 0;
    s.eventIndex = entries;
    const validator = s.seats.get(seat)?.validator;
    if (validator) validator.lastDuty = s.now;
    if (!s.genesisDone && (s.launch !== 0 || entries > 0)) {
      s.genesisDone = true;
      emit(s, abi.EVENT_GENESIS, 'genesis', s.config.chainId);
    }
    if (s.genesisDone) tellExclusions(s);
    if (s.genesisDone) tellResumptions(s);
    if (s.genesisDone) tellSeatWeights(s);
    hear(s, seat);
    if (s.genesisDone) tellSeatWeights(s);
    if (!s.fired) this.#fireDeadlines();
    s.fired = true;
    this.routing.vertex();
  }

  #fireDeadlines(): void {
    const { s } = this;
    for (let next = this.timers()[0]; next && next.at <= s.now; next = this.timers()[0]) {
      const before = this.routing.open();
      next.fire();
      this.routing.after(before);
    }
  }

  /** What waits for a deadline, in the order in which it fires. */
  timers(): Timer[] {
    return timers(this.s, (task) => this.routing.lapse(task));
  }

  /** The task whose run is due. */
  dueRun(): ModelTask | undefined {
    return dueRun(this.s);
  }

  /** Ends the due run. */
  runEnd(outcome: RunOutcome): void {
    const before = this.routing.open();
    endRun(this.s, outcome);
    this.routing.after(before);
  }

  /** Ends the block. Tasks that nothing keeps leave, with their challenges and jobs; returns them. */
  blockEnd(): Leaving {
    const { s } = this;
    watchStakes(s);
    keepLostWrites(s);
    const tasks = s.tasks.filter((t) => isLeaving(s, t));
    const challenges = s.challenges.filter((c) => tasks.includes(c.task));
    const jobs = s.jobs.filter((j) => tasks.includes(j.task));
    s.tasks = s.tasks.filter((t) => !tasks.includes(t));
    s.challenges = s.challenges.filter((c) => !challenges.includes(c));
    s.jobs = s.jobs.filter((j) => !jobs.includes(j));
    return { tasks, challenges, jobs };
  }

  /** The last block sealed the epoch. */
  epochEnd(): void {
    sealEpoch(this.s);
    raiseRevision(this.s);
  }

  command(c: Command): void {
    const { s } = this;
    const head = { kind: 'tx' as const, txid: c.txid, order: s.order, index: s.index++ };
    const tell = (code: number, seq: number, values: bigint[]) => ({
      ...head,
      code,
      seq,
      opcode: c.opcode,
      words: words(values),
    });
    if (c.opcode === abi.OP_INVALID) {
      s.out.push(tell(abi.ENTRY_INVALID, 0, []));
      return;
    }
    const refused = admit(s, c, s.now);
    if (refused) {
      s.out.push(tell(refused.code, 0, refused.details));
      return;
    }
    noteAdmitted(s, c);
    const verdict = operate(s, c, s.now);
    if (verdict instanceof Refusal) {
      s.out.push(tell(verdict.code, 0, verdict.details));
    } else {
      const place = s.out.length;
      const seq = ++s.seq;
      const before = this.routing.open();
      const values = verdict();
      this.routing.after(before);
      s.out.splice(place, 0, tell(abi.OK, seq, values));
    }
  }

  /** Code and details of a dry run at max(T, nowSecs). */
  check(c: Command, nowSecs: number): { code: number; words: bigint[] } {
    const now = Math.max(this.s.now, nowSecs);
    const seat = this.s.vertexSeat;
    this.s.vertexSeat = undefined;
    const verdict = admit(this.s, c, now) ?? operate(this.s, c, now);
    this.s.vertexSeat = seat;
    return verdict instanceof Refusal
      ? { code: verdict.code, words: words(verdict.details) }
      : { code: abi.OK, words: words([]) };
  }

  /** Sum of everything; 10^15 or the model is broken. */
  supply(): bigint {
    const { s } = this;
    const held = s.agents.reduce((sum, a) => sum + a.balance + a.staked, 0n);
    const escrowed = s.items
      .filter((i) => i.kind === abi.ITEM_TRANSFER)
      .reduce((sum, i) => sum + i.amount, 0n);
    const inTasks = s.tasks.reduce((sum, t) => sum + t.escrow + t.workerHeld + t.posterHeld, 0n);
    const inCases = s.agents.reduce(
      (sum, a) => sum + figures.bonded(s, a) + figures.deposits(s, a),
      figures.replayEscrow(s),
    );
    return s.pools.reduce((a, b) => a + b, 0n) + held + escrowed + inTasks + inCases;
  }

  assertSupply(): void {
    if (this.supply() !== SUPPLY) throw new Error(`model: supply is ${this.supply()}`);
  }
}

// The oracle: genesis, blocks, vertices and commands on the model's tables, told as outcomes.
// Keeps: slow and obvious; it shares no code with the core, and no table is indexed.

import * as abi from '../../assembly/abi.ts';
import type { CoreConfig } from '../core/driver.ts';
import { hex } from '../core/driver.ts';
import type { SeatInit } from '../core/records.ts';
import { admit } from './admission.ts';
import type { Command } from './command.ts';
import { decision, tally } from './figures.ts';
import { addAgent, addStake, operate } from './operations.ts';
import { Refusal } from './refusal.ts';
import { Routing } from './routing.ts';
import { SUPPLY, TOKEN } from './rules.ts';
import { close, emit } from './settle.ts';
import { type ModelItem, ModelState } from './state.ts';
import { deadlineOf, fireTask } from './task-ends.ts';
import type { ModelTask } from './task-state.ts';

const TXID_KEEP_SECS = 600;

function words(values: bigint[]): bigint[] {
  return Array.from({ length: abi.RESULT_WORDS }, (_, i) => values[i] ?? 0n);
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
    let validator: (typeof s.validators)[number] | undefined;
    if (init.status !== abi.NO_STATUS) {
      validator = {
        index: s.validators.length,
        id: init.id,
        status: init.status,
        agent: operator,
        seat: init.seat,
        baselineBp: init.baselineBp,
        registeredAt: s.now,
        lastDuty: 0,
        categories: init.categories,
        decided: [],
      };
      s.validators.push(validator);
      for (const name of init.categories) if (!s.categories.includes(name)) s.categories.push(name);
    }
    s.seats.set(init.seat, { operator, validator });
  }

  block(timeMs: number, index: number, hash: Uint8Array): void {
    const { s } = this;
    s.timeMs = timeMs;
    s.block = index;
    s.blockHash = hex(hash);
    s.fired = false;
    if (s.launch === 0 && timeMs >= 1000) this.#launch();
    s.seen = s.seen.filter((t) => t.at + TXID_KEEP_SECS > s.now);
    const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE).length;
    const age = s.now - s.launch;
    if (s.launch !== 0 && age >= 90 * s.param(abi.PARAM_DAY_SECS) && active >= 20) s.bootstrapOver = true;
  }

  // Whatever happened before the clock started is dated to its start.
  #launch(): void {
    const { s } = this;
    s.launch = s.now;
    const dated = (t: number): number => (t === 1 ? s.launch : t);
    for (const a of s.agents) {
      a.firstSeen = dated(a.firstSeen);
      a.lastActive = dated(a.lastActive);
      a.stakedSince = dated(a.stakedSince);
      a.faucetAt = dated(a.faucetAt);
      for (const r of a.records) r.lastActive = dated(r.lastActive);
    }
    for (const v of s.validators) {
      v.registeredAt = dated(v.registeredAt);
      v.lastDuty = dated(v.lastDuty);
    }
    for (const i of s.items) {
      i.deadline += s.launch - i.created;
      i.created = s.launch;
      for (const v of i.votes) v.at = dated(v.at);
    }
    const shifted = (t: number): number => (t === 0 ? 0 : t + s.launch - 1);
    for (const t of s.tasks) {
      t.posted = shifted(t.posted);
      t.expires = shifted(t.expires);
      t.exclusiveUntil = shifted(t.exclusiveUntil);
      t.claimed = shifted(t.claimed);
      t.claimDeadline = shifted(t.claimDeadline);
      t.submitted = shifted(t.submitted);
      t.reviewDeadline = shifted(t.reviewDeadline);
      t.disputed = shifted(t.disputed);
      t.disputeDeadline = shifted(t.disputeDeadline);
      t.ended = shifted(t.ended);
    }
    for (const c of s.commits) c.at = dated(c.at);
    for (const k of s.keys) {
      k.created = dated(k.created);
      k.revoked = dated(k.revoked);
    }
    for (const t of s.seen) t.at = dated(t.at);
  }

  vertex(order: number, seat: number, entries: number): void {
    const { s } = this;
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
    if (!s.fired) this.#fireDeadlines();
    s.fired = true;
    this.routing.vertex();
  }

  #fireDeadlines(): void {
    const { s } = this;
    for (let next = this.timers()[0]; next && next.at <= s.now; next = this.timers()[0]) {
      const before = this.routing.open();
      const { task } = next;
      const isLapse =
        task?.status === abi.TASK_OPEN && task.exclusiveUntil !== 0 && task.exclusiveUntil <= task.expires;
      if (isLapse) this.routing.lapse(task);
      else if (task) fireTask(s, task);
      this.routing.after(before);
      if (!next.item) continue;
      const reason = decision(tally(s, next.item, s.now));
      close(s, next.item, reason === abi.SETTLED_NONE ? abi.SETTLED_EXPIRED : reason);
    }
  }

  /** What waits for a deadline, in the order in which it fires. */
  timers(): { at: number; id: string; item?: ModelItem; task?: ModelTask }[] {
    const { s } = this;
    const items = s.items
      .filter((i) => i.kind === abi.ITEM_TRANSFER || i.kind === abi.ITEM_GENERATION)
      .map((item) => ({ at: item.deadline, id: item.eventId, item }));
    const tasks = s.tasks.flatMap((task) => {
      const at = deadlineOf(task);
      return at === undefined ? [] : [{ at, id: task.id, task }];
    });
    return [...items, ...tasks].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }

  /** Takes final tasks off the list, at the end of a block; returns them. */
  blockEnd(): ModelTask[] {
    const isLeaving = (t: ModelTask): boolean =>
      (t.status === abi.TASK_COMPLETED && t.payout !== abi.PAYOUT_HELD) || t.status === abi.TASK_CANCELLED;
    const leaving = this.s.tasks.filter(isLeaving);
    this.s.tasks = this.s.tasks.filter((t) => !isLeaving(t));
    return leaving;
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
    if (c.opcode !== abi.OP_REGISTER) s.seen.push({ txid: c.txid, at: s.now });
  }

  /** Code and details of a dry run at max(T, nowSecs). */
  check(c: Command, nowSecs: number): { code: number; words: bigint[] } {
    const now = Math.max(this.s.now, nowSecs);
    const verdict = admit(this.s, c, now) ?? operate(this.s, c, now);
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
    const inTasks = s.tasks.reduce((sum, t) => sum + t.escrow, 0n);
    return s.pools.reduce((a, b) => a + b, 0n) + held + escrowed + inTasks;
  }

  assertSupply(): void {
    if (this.supply() !== SUPPLY) throw new Error(`model: supply is ${this.supply()}`);
  }
}

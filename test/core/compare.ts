// Compares a core with the model: outcomes of a block, and all tables through the queries.
// Keeps: every field that abi.ts names is compared somewhere here.

import { expect } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { OutView } from '../../host/core/core.ts';
import { readHeader } from '../../host/core/header-state.ts';
import { supplyParts } from '../../host/core/supply-parts.ts';
import type { ModelEvent } from '../model/events.ts';
import * as figures from '../model/figures.ts';
import { generatedInWindow } from '../model/generation.ts';
import type { Model } from '../model/model.ts';
import * as rules from '../model/rules.ts';
import { backing, halvesAt, standing } from '../model/standing.ts';
import type { ModelAgent, ModelItem } from '../model/state.ts';
import { compareCases, decodeChallengeEvent, decodeJobEvent } from './compare-cases.ts';
import { decodeTaskEvent, modelTaskView, shownTaskView } from './compare-tasks.ts';
import {
  decodeSeatEvent,
  decodeSeatWeight,
  decodeValidatorEvent,
  modelValidator,
  shownValidator,
} from './compare-validators.ts';
import { type Core, decodeSettlement, decodeSlash, hex, type Outcome, unhex } from './driver.ts';

type Row = Record<string, unknown>;

const text = (view: DataView, at: number, bytes = 32): string =>
  hex(new Uint8Array(view.buffer, view.byteOffset + at, bytes));
const u32 = (view: DataView, at: number): number => view.getUint32(at, true);
const u64 = (view: DataView, at: number): bigint => view.getBigUint64(at, true);
const secs = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** An outcome of the core in the form in which the model tells it. */
export function told(outcome: Outcome): unknown {
  if (outcome.kind !== 'event') return outcome;
  const { fields: _, ...head } = outcome;
  const event: ModelEvent = head;
  if (outcome.type === abi.EVENT_SETTLEMENT) event.settlement = decodeSettlement(outcome);
  if (outcome.type === abi.EVENT_SLASH) event.slash = decodeSlash(outcome);
  const task = decodeTaskEvent(outcome);
  if (task) event.task = task;
  const validator = decodeValidatorEvent(outcome);
  if (validator) event.validator = validator;
  const seat = decodeSeatEvent(outcome);
  if (seat) event.seat = seat;
  const weight = decodeSeatWeight(outcome);
  if (weight) event.weight = weight;
  const job = decodeJobEvent(outcome);
  if (job) event.job = job;
  const challenge = decodeChallengeEvent(outcome);
  if (challenge) event.challenge = challenge;
  return event;
}

/** What the core shows of an agent. */
export function shownAgent(core: Core, index: number): Row {
  const v = core.queryIndex(abi.QUERY_AGENT, index)!;
  return {
    key: text(v, abi.AGENT_KEY),
    publicKey: text(v, abi.AGENT_PUBLIC_KEY),
    fingerprint: text(v, abi.AGENT_FINGERPRINT),
    balance: u64(v, abi.AGENT_BALANCE),
    staked: u64(v, abi.AGENT_STAKED),
    reserved: u64(v, abi.AGENT_RESERVED),
    exposure: u64(v, abi.AGENT_EXPOSURE),
    trustLimit: u64(v, abi.AGENT_TRUST_LIMIT),
    stakedSince: secs(v, abi.AGENT_STAKED_SINCE),
    firstSeen: secs(v, abi.AGENT_FIRST_SEEN),
    lastActive: secs(v, abi.AGENT_LAST_ACTIVE),
    generated: u64(v, abi.AGENT_GENERATED),
    transferred: u64(v, abi.AGENT_TRANSFERRED),
    earned: u64(v, abi.AGENT_EARNED),
    faucetAt: secs(v, abi.AGENT_FAUCET_AT),
    completed: u32(v, abi.AGENT_COMPLETED),
    failed: u32(v, abi.AGENT_FAILED),
    fingerprintVersion: u32(v, abi.AGENT_FINGERPRINT_VERSION),
    reputationBp: u32(v, abi.AGENT_REPUTATION_BP),
    multiplier: u32(v, abi.AGENT_MULTIPLIER),
    effectiveTasks: u32(v, abi.AGENT_EFFECTIVE_TASKS),
    daysStaked: u32(v, abi.AGENT_DAYS_STAKED),
    validator: u32(v, abi.AGENT_VALIDATOR),
    standing: u64(v, abi.AGENT_STANDING),
    standingHalves: secs(v, abi.AGENT_STANDING_HALVES),
    backing: u32(v, abi.AGENT_BACKING_BP),
    posted: {
      paid: u32(v, abi.AGENT_TASKS_PAID),
      disputes: u32(v, abi.AGENT_DISPUTES),
      won: u32(v, abi.AGENT_DISPUTES_WON),
      lost: u32(v, abi.AGENT_DISPUTES_LOST),
    },
    records: shownRecords(core, index),
  };
}

function shownRecords(core: Core, index: number): Row[] {
  const v = core.queryIndex(abi.QUERY_RECORDS, index)!;
  return Array.from({ length: v.byteLength / abi.RECORD_BYTES }, (_, i) => {
    const at = i * abi.RECORD_BYTES;
    return {
      category: u32(v, at + abi.RECORD_CATEGORY),
      completed: u32(v, at + abi.RECORD_COMPLETED),
      failed: u32(v, at + abi.RECORD_FAILED),
      lastActive: u32(v, at + abi.RECORD_LAST_ACTIVE),
      earned: u64(v, at + abi.RECORD_EARNED),
      avgScore: u32(v, at + abi.RECORD_AVG_SCORE_BP),
      avgDelivery: u32(v, at + abi.RECORD_AVG_DELIVERY_SECS),
      rate: u32(v, at + abi.RECORD_RATE_BP),
      score: u32(v, at + abi.RECORD_SCORE_BP),
    };
  });
}

function modelRecords({ s }: Model, agent: ModelAgent): Row[] {
  return agent.records
    .filter((r) => r.completed + r.failed > 0)
    .map((r) => ({
      category: r.category,
      completed: r.completed,
      failed: r.failed,
      lastActive: r.lastActive,
      earned: r.earned,
      avgScore: r.completed === 0 ? 0 : Math.floor(r.scoreSum / r.completed),
      avgDelivery: r.completed === 0 ? 0 : Math.floor(r.deliverySum / r.completed),
      rate: rules.rateBp(r.completed, r.failed),
      score: rules.scoreBp(r.completed, r.failed, s.days(r.lastActive, s.now)),
    }));
}

function modelAgent(model: Model, a: ModelAgent): Row {
  const { s } = model;
  const pending = figures.exposure(s, a);
  const counted = a.records.filter((r) => r.category !== abi.CATEGORY_TRANSFER);
  return {
    key: a.key,
    publicKey: a.publicKey || '0'.repeat(64),
    fingerprint: a.fingerprint,
    balance: a.balance,
    staked: a.staked,
    reserved: figures.reserved(s, a),
    exposure: pending,
    trustLimit: figures.trustLimit(s, a, s.now),
    stakedSince: a.stakedSince,
    firstSeen: a.firstSeen,
    lastActive: a.lastActive,
    generated: a.generated,
    transferred: a.transferred,
    earned: rules.capped(counted.reduce((sum, r) => sum + r.earned, 0n)),
    faucetAt: a.faucetAt,
    completed: a.completed,
    failed: a.failed,
    fingerprintVersion: a.fingerprintVersion,
    reputationBp: figures.reputationBp(s, a, s.now),
    multiplier: figures.multiplier(s, a, s.now),
    effectiveTasks: figures.effectiveTasks(s, a, s.now),
    daysStaked: figures.daysStaked(s, a, s.now),
    validator: (s.validatorOf(a)?.index ?? -1) + 1,
    standing: standing(a.standing, s.now, s.param(abi.PARAM_DAY_SECS)),
    standingHalves: halvesAt(a.standing, s.now, s.param(abi.PARAM_DAY_SECS)),
    backing: backing(a.standing),
    posted: a.posted,
    records: modelRecords(model, a),
  };
}

function shownItem(core: Core, row: number): Row {
  const v = core.queryIndex(abi.QUERY_ITEM, row)!;
  const assigned = [0, 1, 2, 3, 4, 5, 6].map((i) => u32(v, abi.ITEM_ASSIGNED + 4 * i));
  return {
    eventId: text(v, abi.ITEM_EVENT_ID),
    kind: u32(v, abi.ITEM_KIND),
    agent: u32(v, abi.ITEM_AGENT),
    recipient: u32(v, abi.ITEM_RECIPIENT),
    amount: u64(v, abi.ITEM_AMOUNT),
    deadline: secs(v, abi.ITEM_DEADLINE),
    created: secs(v, abi.ITEM_CREATED),
    approve: u64(v, abi.ITEM_APPROVE),
    reject: u64(v, abi.ITEM_REJECT),
    total: u64(v, abi.ITEM_TOTAL),
    participants: secs(v, abi.ITEM_PARTICIPANTS),
    assigned: assigned.slice(0, u32(v, abi.ITEM_ASSIGNED_COUNT)),
    votes: Array.from({ length: u32(v, abi.ITEM_VOTES) }, (_, i) => {
      const at = abi.ITEM_VOTERS + i * abi.VOTER_BYTES;
      const word = u32(v, at + 4);
      const verdict = [word & 0xff, (word >>> 8) & 0xff, word >>> 16];
      return [u32(v, at), ...verdict, u64(v, at + 8), u64(v, at + 16), secs(v, at + 24)];
    }),
    stage: u32(v, abi.ITEM_STAGE),
    judges: u32(v, abi.ITEM_JUDGES),
    commitments: Array.from({ length: u32(v, abi.ITEM_COMMITTED) }, (_, i) => {
      const at = abi.ITEM_VOTERS + u32(v, abi.ITEM_VOTES) * abi.VOTER_BYTES + i * abi.COMMITTED_BYTES;
      return [u32(v, at), text(v, at + abi.COMMITTED_HASH), secs(v, at + abi.COMMITTED_TIME)];
    }),
  };
}

function stageOf({ kind, isClosed, isRevealing }: ModelItem): number {
  if (kind !== abi.ITEM_DISPUTE || isClosed) return 0;
  return isRevealing ? abi.VOTES_REVEALED : abi.VOTES_COMMITTED;
}

function modelItem({ s }: Model, item: ModelItem): Row {
  const t = figures.tally(s, item, s.now);
  return {
    eventId: item.eventId,
    kind: item.kind,
    agent: item.agent.index,
    recipient: item.recipient.index,
    amount: item.amount,
    deadline: item.deadline,
    created: item.created,
    approve: t.approve,
    reject: t.reject,
    total: t.total,
    participants: t.participants,
    assigned: item.assigned,
    votes: item.votes.map((v, i) => [
      v.validator.index,
      v.approve ? 1 : 0,
      v.share,
      v.ground,
      v.value,
      t.weights[i],
      v.at,
    ]),
    stage: stageOf(item),
    judges: t.judges,
    commitments: item.commitments.map((c) => [c.validator.index, c.hash, c.at]),
  };
}

function modelHeader(model: Model): bigint[] {
  const { s } = model;
  const count = (status: number): number => s.validators.filter((v) => v.status === status).length;
  const sum = (values: bigint[]): bigint => values.reduce((a, b) => a + b, 0n);
  const out: (bigint | number)[] = [];
  out[abi.HEADER_TIME_MS] = s.timeMs;
  out[abi.HEADER_ORDER] = s.order;
  out[abi.HEADER_SEQ] = s.seq;
  out[abi.HEADER_BLOCK] = s.block;
  out[abi.HEADER_LAUNCH] = s.launch;
  out[abi.HEADER_AGENTS] = s.agents.length;
  out[abi.HEADER_ITEMS] = s.items.length;
  out[abi.HEADER_VALIDATORS] = s.validators.length;
  out[abi.HEADER_KEYS] = s.keys.length;
  out[abi.HEADER_TXIDS] = s.seen.length;
  out[abi.HEADER_NEXT_DEADLINE] = model.timers()[0]?.at ?? 0;
  out[abi.HEADER_NEXT_GRANT] = rules.min(rules.grantTier(s.grants), s.pools[abi.POOL_ECOSYSTEM]!);
  out[abi.HEADER_TOTAL_STAKED] = sum(s.agents.map((a) => a.staked));
  out[abi.HEADER_TOTAL_ESCROWED] = sum(s.agents.map((a) => figures.reserved(s, a))) + figures.replayEscrow(s);
  out[abi.HEADER_BASE_FEES] = s.baseFees;
  out[abi.HEADER_ASSURANCE_FEES] = s.assuranceFees;
  out[abi.HEADER_GENERATED] = s.generated;
  out[abi.HEADER_GENERATED_30D] = generatedInWindow(s);
  out[abi.HEADER_BOOTSTRAP_ACTIVE] = s.bootstrapOver ? 0 : 1;
  out[abi.HEADER_ACTIVE_VALIDATORS] = count(abi.VALIDATOR_ACTIVE);
  out[abi.HEADER_PROBATION_VALIDATORS] = count(abi.VALIDATOR_PROBATION);
  out[abi.HEADER_VOTE_WEIGHT] = sum(s.validators.map((v) => figures.voteWeight(s, v, s.now)));
  out[abi.HEADER_SUPPLY] = model.supply();
  out[abi.HEADER_REQUIRED_STAKE] = figures.requiredStake(s);
  out.push(...s.pools);
  out[abi.HEADER_TASKS] = s.tasks.length;
  out[abi.HEADER_ASSURED_30D] = figures.assuredVolume(s);
  out[abi.HEADER_LARGEST_30D] = figures.assuredLargest(s);
  out[abi.HEADER_CHALLENGES] = s.challenges.length;
  out[abi.HEADER_JOBS] = s.jobs.length;
  out[abi.HEADER_REPLAY_ESCROW] = figures.replayEscrow(s);
  out[abi.HEADER_SEATS] = s.seats.size;
  out[abi.HEADER_LOST_WRITES_ORDER] = s.lostWrites.order;
  out[abi.HEADER_LOST_WRITES_SECS] = s.lostWrites.secs;
  out[abi.HEADER_DUE_RUNS] = s.due.length;
  out[abi.HEADER_REVISION] = s.revision;
  return out.map(BigInt);
}

function shownItems(core: Core): number[] {
  const argument = new Uint8Array(8);
  const view = new DataView(argument.buffer);
  const rows: number[] = [];
  for (let from = 0; from !== 0xffffffff; ) {
    view.setUint32(0, from, true);
    view.setUint32(4, 7, true);
    const answer = core.query(abi.QUERY_ITEMS, argument)!;
    const words = Array.from({ length: answer.byteLength / 4 }, (_, i) => u32(answer, 4 * i));
    from = words.pop()!;
    rows.push(...words);
  }
  return rows;
}

function compareKeys(core: Core, model: Model): void {
  for (const key of model.s.keys) {
    const id = new Uint8Array(8);
    new DataView(id.buffer).setBigUint64(0, key.id, true);
    const v = core.query(abi.QUERY_KEY, id)!;
    expect([u64(v, abi.KEY_ID), text(v, abi.KEY_HASH)]).toEqual([key.id, key.hash]);
    const shown = [abi.KEY_OWNER, abi.KEY_SEAT, abi.KEY_SCOPES, abi.KEY_HOURLY_LIMIT].map((o) => u32(v, o));
    expect(shown).toEqual([key.owner.index, key.seat, key.scopes, key.hourlyLimit]);
    const times = [abi.KEY_CREATED, abi.KEY_EXPIRES].map((o) => secs(v, o));
    expect([...times, u64(v, abi.KEY_DEPOSIT)]).toEqual([key.created, key.expires, key.deposit]);
  }
}

/** Everything: header, agents, items, validators, seats, cases, keys, categories, and the full sum. */
// Each part of the supply is the sum of its rows in the model, and the parts are the whole.
function compareParts(header: DataView, { s }: Model): void {
  const sum = (values: bigint[]): number => Number(values.reduce((a, b) => a + b, 0n));
  const escrows = sum(s.tasks.map((t) => t.escrow));
  const subtasks = sum(s.tasks.filter((t) => t.parent !== undefined).map((t) => t.escrow));
  const claimBonds = sum(s.tasks.map((t) => t.workerHeld));
  const transfers = sum(s.items.filter((i) => i.kind === abi.ITEM_TRANSFER).map((i) => i.amount));
  const sums = { tasks: escrows, subtasks, claimBonds, transfers };
  const parts = supplyParts(readHeader({ view: header } as OutView), sums);
  // What remains: bonds of disputes and challenges, deposits.
  const rest =
    sum(s.tasks.map((t) => t.posterHeld)) +
    sum(s.agents.map((a) => figures.bonded(s, a) + figures.deposits(s, a)));
  const pools = (...numbers: number[]): number => sum(numbers.map((pool) => s.pools[pool]!));
  expect(parts).toEqual({
    balances: sum(s.agents.map((a) => a.balance)),
    stakes: sum(s.agents.map((a) => a.staked)),
    task_escrows: escrows - subtasks,
    subtask_escrows: subtasks,
    claim_bonds: claimBonds,
    pending_transfers: transfers,
    held: rest,
    replay_rewards: Number(figures.replayEscrow(s)),
    founders: pools(abi.POOL_FOUNDERS),
    investors: pools(abi.POOL_INVESTORS),
    onboarding: pools(abi.POOL_ECOSYSTEM),
    rewards: pools(abi.POOL_REWARDS),
    public: pools(abi.POOL_PUBLIC),
    faucet: pools(abi.POOL_FAUCET),
    treasury: pools(abi.POOL_TREASURY),
    dispute_reserve: pools(abi.POOL_DISPUTE),
    canary_reserve: pools(abi.POOL_CANARY),
    replay_reserves: pools(
      abi.POOL_REPLAY_CODE,
      abi.POOL_REPLAY_DATA,
      abi.POOL_REPLAY_ANALYSIS,
      abi.POOL_REPLAY_CONTENT,
      abi.POOL_REPLAY_GENERAL,
    ),
  });
  expect(Object.values(parts).reduce((all, part) => all + part, 0)).toBe(Number(rules.SUPPLY));
}

export function compareAll(core: Core, model: Model): void {
  const { s } = model;
  model.assertSupply();
  const header = core.query(abi.QUERY_HEADER)!;
  expect(Array.from({ length: abi.HEADER_WORDS }, (_, i) => u64(header, 8 * i))).toEqual(modelHeader(model));
  expect(core.fullSupply()).toBe(rules.SUPPLY);
  compareParts(header, model);
  expect(s.agents.map((a) => shownAgent(core, a.index))).toEqual(s.agents.map((a) => modelAgent(model, a)));
  // A TxID that came again after its request's time may name a second event here; of real requests it is the hash.
  const idOf = ({ eventId, kind, agent }: Row): string => `${eventId} ${kind} ${agent}`;
  const byId = (a: Row, b: Row): number => (idOf(a) < idOf(b) ? -1 : 1);
  const items = shownItems(core).map((row) => shownItem(core, row));
  expect(items.sort(byId)).toEqual(s.items.map((i) => modelItem(model, i)).sort(byId));
  const validators = s.validators.map((v) => shownValidator(core, v.index));
  expect(validators).toEqual(s.validators.map((v) => modelValidator(model, v)));
  compareKeys(core, model);
  compareCases(core, model);
  const words = core.query(abi.QUERY_ROUTER)!;
  const { offers, routed, newcomerRoutes, waiting } = s.router;
  const available = [...offers.values()].filter((o) => o.available).length;
  expect(Array.from({ length: abi.ROUTER_WORDS }, (_, i) => Number(u64(words, 8 * i)))).toEqual([
    offers.size,
    available,
    routed,
    newcomerRoutes,
    waiting.length,
  ]);
  for (const task of s.tasks) {
    expect(shownTaskView(core.query(abi.QUERY_TASK, unhex(task.id))!)).toEqual(modelTaskView(task));
  }
  for (const [i, name] of s.categories.entries()) {
    const answer = core.queryIndex(abi.QUERY_CATEGORY, i)!;
    expect(Buffer.from(answer.buffer as ArrayBuffer).toString()).toBe(name);
  }
  for (const item of s.items) expect(core.query(abi.QUERY_ITEM_FIND, unhex(item.eventId))).toBeDefined();
}

// What deciding an item does: money, records, events (protocol 6.2, 6.5, 6.10, 6.13, 7.3).

import * as abi from '../../assembly/abi.ts';
import type { Settlement } from '../core/driver.ts';
import { emit } from './events.ts';
import { type ModelTally, tally } from './figures.ts';
import { recordGenerated } from './generation.ts';
import { nextFingerprint } from './hashing.ts';
import { countVotes } from './judging.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelItem, ModelState } from './state.ts';

export function complete(
  s: ModelState,
  agent: ModelAgent,
  category: number,
  value: bigint,
  scoreBp: number,
  eventId: string,
  deliverySecs = 0,
): void {
  const record = s.record(agent, category);
  if (record) {
    record.completed++;
    record.deliverySum += deliverySecs;
    record.earned = rules.capped(record.earned + value);
    record.scoreSum += scoreBp;
    record.lastActive = s.now;
  }
  if (category !== abi.CATEGORY_TRANSFER) agent.completed++;
  agent.lastActive = s.now;
  step(s, agent, category, true, value, scoreBp, eventId);
}

export function fail(s: ModelState, agent: ModelAgent, category: number, eventId: string): void {
  const record = s.record(agent, category);
  if (record) {
    record.failed++;
    if (record.lastActive === 0) record.lastActive = s.now;
  }
  if (category !== abi.CATEGORY_TRANSFER) agent.failed++;
  step(s, agent, category, false, 0n, 0, eventId);
}

function step(
  s: ModelState,
  agent: ModelAgent,
  category: number,
  completed: boolean,
  value: bigint,
  scoreBp: number,
  eventId: string,
): void {
  const name = s.categories[category]!;
  const entry = { category: name, eventId, completed, scoreBp, value };
  agent.fingerprint = nextFingerprint(agent.fingerprint, entry);
  agent.fingerprintVersion++;
}

/** 6.2; returns the treasury's part. */
function shareFee(s: ModelState, item: ModelItem, fee: bigint, t: ModelTally): bigint {
  s.baseFees = rules.capped(s.baseFees + fee);
  const cut = rules.voterCut(fee);
  let treasury = fee;
  for (const [i, vote] of item.votes.entries()) {
    if (!vote.approve || t.approve === 0n) continue;
    const share = rules.mul(cut, t.weights[i]!, t.approve);
    if (share === 0n) continue;
    vote.validator.agent.balance += share;
    treasury -= share;
  }
  s.pools[abi.POOL_TREASURY]! += treasury;
  return treasury;
}

export function slash(s: ModelState, agent: ModelAgent, amount: bigint, cause: number): void {
  if (amount === 0n) return;
  agent.staked -= amount;
  if (agent.staked === 0n) agent.stakedSince = 0;
  s.pools[abi.POOL_TREASURY]! += amount;
  const event = emit(s, abi.EVENT_SLASH, 'slash', agent.id);
  event.slash = { agent: agent.index, cause, amount, remaining: agent.staked, challenge: '' };
}

function settleTransfer(s: ModelState, item: ModelItem, told: Settlement, t: ModelTally, id: string): void {
  told.fee = rules.baseFee(item.amount);
  item.recipient.balance += item.amount - told.fee;
  told.treasury = shareFee(s, item, told.fee, t);
  item.agent.transferred = rules.capped(item.agent.transferred + item.amount);
  complete(s, item.agent, abi.CATEGORY_TRANSFER, 0n, 0, id);
}

function settleGeneration(s: ModelState, item: ModelItem, told: Settlement, t: ModelTally, id: string): void {
  const value = t.lowest;
  const scoreBp = Number(rules.mul(value, 10000n, item.amount));
  told.verified = value;
  told.fee = rules.min(rules.baseFee(value), item.agent.balance);
  item.agent.balance -= told.fee;
  told.treasury = shareFee(s, item, told.fee, t);
  recordGenerated(s, item.recipient, value);
  complete(s, item.agent, abi.CATEGORY_GENERATION, value, scoreBp, id);
}

/** Tells the settlement of an event with the weights of this moment, and takes it off the list. */
export function closeEvent(
  s: ModelState,
  item: ModelItem,
  state: number,
  reason: number,
): { id: string; told: Settlement; t: ModelTally } {
  const t = tally(s, item, s.now);
  const event = emit(s, abi.EVENT_SETTLEMENT, 'settlement', item.eventId);
  const told: Settlement = {
    target: item.eventId,
    kind: item.kind,
    state,
    reason,
    agent: item.agent.index,
    recipient: item.recipient.index,
    amount: item.amount,
    verified: 0n,
    fee: 0n,
    approve: t.approve,
    reject: t.reject,
    total: t.total,
    participants: BigInt(t.participants),
    treasury: 0n,
    voters: item.votes.map((v, i) => ({
      validator: v.validator.index,
      verdict: v.approve ? 1 : 0,
      share: v.share,
      ground: v.ground,
      value: v.value,
      weight: t.weights[i]!,
      timestamp: v.at,
    })),
  };
  event.settlement = told;
  s.items.splice(s.items.indexOf(item), 1);
  return { id: event.id, told, t };
}

/** Closes a transfer or generation for a reason, with the weights of this moment. */
export function close(s: ModelState, item: ModelItem, reason: number): void {
  const isTransfer = item.kind === abi.ITEM_TRANSFER;
  const state = reason === abi.SETTLED_VERIFIED ? abi.VOTE_SETTLED : abi.VOTE_ADJUSTED;
  const { id, told, t } = closeEvent(s, item, state, reason);
  if (reason === abi.SETTLED_VERIFIED) {
    (isTransfer ? settleTransfer : settleGeneration)(s, item, told, t, id);
  } else if (isTransfer) {
    item.agent.balance += item.amount;
  }
  if (reason === abi.SETTLED_EXPIRED) return;
  const category = isTransfer ? abi.CATEGORY_TRANSFER : abi.CATEGORY_GENERATION;
  countVotes(s, item, category, reason === abi.SETTLED_VERIFIED ? 10 : 0);
  if (reason !== abi.SETTLED_REJECTED) return;
  fail(s, item.agent, category, id);
  if (isTransfer) slash(s, item.agent, item.agent.staked, abi.SLASH_REJECTED_TRANSFER);
  else slash(s, item.agent, rules.mul(item.agent.staked, 1000n, 10000n), abi.SLASH_REJECTED_GENERATION);
}

// Commands on the model: each operation, refusals before effects. The checks common to all are in admission.ts.
// Sources: protocol 1.6, 1.8, 4.1, 4.2, 4.9, 5.5, 5.7, 6.7 to 6.11.

import * as abi from '../../assembly/abi.ts';
import { operateCase } from './case-operations.ts';
import { unclaimedStake } from './claims.ts';
import type { Command } from './command.ts';
import { drawNames, without } from './draw.ts';
import * as figures from './figures.ts';
import { firstFingerprint, shaHex } from './hashing.ts';
import { keyCreate, keyRevoke } from './key-operations.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import * as rules from './rules.ts';
import { newStanding } from './standing.ts';
import type { ModelAgent, ModelItem, ModelState } from './state.ts';
import { operateTask } from './task-operations.ts';
import { rotate } from './validator-keys.ts';
import { commitToVote, verify } from './verdicts.ts';

const [AGENTS, ITEMS, CAPABILITIES] = [0, 1, 10];
const ZERO = '0'.repeat(64);
const big = (n: number): bigint => BigInt(n);

export function addAgent(s: ModelState, key: string, publicKey: string, id: string): ModelAgent {
  const agent: ModelAgent = {
    index: s.agents.length,
    key,
    publicKey,
    id,
    fingerprint: firstFingerprint(id),
    fingerprintVersion: 0,
    balance: 0n,
    staked: 0n,
    stakedSince: 0,
    firstSeen: s.now,
    lastActive: s.now,
    faucetAt: 0,
    generated: 0n,
    transferred: 0n,
    completed: 0,
    failed: 0,
    listing: 'never',
    records: [],
    fees: 0n,
    posted: { paid: 0, disputes: 0, won: 0, lost: 0 },
    standing: newStanding(),
    firstKib: 0,
    heldKib: new Map(),
  };
  s.agents.push(agent);
  return agent;
}

export function addStake(s: ModelState, agent: ModelAgent, amount: bigint): void {
  agent.stakedSince =
    agent.staked === 0n ? s.now : rules.stakedSince(agent.stakedSince, agent.staked, s.now, amount);
  agent.staked += amount;
}

/** 6.11: out of a pool, and of the part that the vertex's seat has of the day's budget. */
function giveOut(s: ModelState, pool: number, amount: bigint): void {
  s.pools[pool]! -= amount;
  const day = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  s.givenOut.push({ day, seat: s.vertexSeat!, amount });
}

const today = (s: ModelState): number => Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));

/** 6.18: once half of the rows are used, a hundredth of the free ones a day, divided among the seats. */
function mayAddAgent(s: ModelState): boolean {
  const rows = s.capacity(AGENTS!);
  const free = rows - s.agents.length;
  if (free === 0) return false;
  if (s.vertexSeat === undefined || free > Math.floor(rows / 2)) return true;
  if (!s.seats.has(s.vertexSeat)) return false;
  const own = s.newcomers.filter((n) => n.seat === s.vertexSeat && n.day === today(s));
  return own.length < Math.max(1, Math.floor(Math.floor(free / 100) / s.seats.size));
}

function register(s: ModelState, c: Command): Verdict {
  const due = rules.min(rules.grantTier(s.grants), s.pools[abi.POOL_ECOSYSTEM]!);
  const grant = s.vertexSeat === undefined ? due : rules.min(due, figures.grantsLeftOf(s, s.vertexSeat));
  const key = /^[0-9a-f]{64}$/i.test(c.id) ? c.id.toLowerCase() : shaHex(c.id);
  const publicKey = c.publicKey === ZERO ? '' : c.publicKey;
  const isValidator =
    s.validators.some((v) => v.id === c.id) || [...s.seats.values()].some((p) => p.id === c.id);
  if (isValidator) return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALIDATOR_ID));
  if (c.amount > grant) return refuse(abi.INVALID_REQUEST, big(abi.REASON_STAKE_ABOVE_GRANT));
  if (s.agentByKey(key) || (publicKey && s.agentByKey(publicKey))) return refuse(abi.ALREADY_REGISTERED);
  if (!mayAddAgent(s)) return refuse(abi.CAPACITY, big(abi.TABLE_AGENTS));
  return () => {
    const agent = addAgent(s, key, publicKey, c.id);
    s.newcomers.push({ day: today(s), seat: s.vertexSeat! });
    agent.firstKib = c.kib;
    if (grant > 0n) s.grants++;
    giveOut(s, abi.POOL_ECOSYSTEM, grant);
    agent.balance = grant - c.amount;
    if (c.amount > 0n) addStake(s, agent, c.amount);
    const isLimited = grant < due ? 1n : 0n;
    const limit = figures.trustLimit(s, agent, s.now);
    return [big(agent.index), grant, agent.staked, agent.balance, limit, isLimited];
  };
}

function faucet(s: ModelState, actor: ModelAgent, now: number): Verdict {
  const amount = big(s.param(abi.PARAM_FAUCET_AMOUNT));
  const next = actor.faucetAt + s.param(abi.PARAM_FAUCET_COOLDOWN_SECS);
  if (actor.faucetAt !== 0 && now < next) return refuse(abi.FAUCET_COOLDOWN, big(next - now));
  if (s.pools[abi.POOL_FAUCET]! < amount) return refuse(abi.FAUCET_EMPTY);
  if (s.vertexSeat !== undefined && figures.grantsLeftOf(s, s.vertexSeat) < amount) {
    const day = s.param(abi.PARAM_DAY_SECS);
    return refuse(abi.FAUCET_EMPTY, big(day - (now % day)));
  }
  return () => {
    giveOut(s, abi.POOL_FAUCET, amount);
    actor.balance += amount;
    actor.faucetAt = now;
    return [big(actor.index), amount, actor.balance, big(now + s.param(abi.PARAM_FAUCET_COOLDOWN_SECS))];
  };
}

function stakeResult(s: ModelState, actor: ModelAgent, amount: bigint): bigint[] {
  return [big(actor.index), amount, actor.staked, figures.trustLimit(s, actor, s.now), actor.balance];
}

function stake(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  if (actor.balance < c.amount) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, c.amount);
  return () => {
    actor.balance -= c.amount;
    addStake(s, actor, c.amount);
    return stakeResult(s, actor, c.amount);
  };
}

/** 6.7: on duty in the last 10 days, accused, or an approver on the panel of a task that may still be challenged. */
function isLocked(s: ModelState, actor: ModelAgent, now: number): boolean {
  const v = s.validatorOf(actor);
  if (!v) return false;
  if (s.challenges.some((c) => c.target === v && c.status === abi.CHALLENGE_OPEN)) return true;
  if (s.tasks.some((t) => t.panelVotes.some((x) => x.validator === v && x.approve))) return true;
  return v.lastDuty !== 0 && now < v.lastDuty + 10 * s.param(abi.PARAM_DAY_SECS);
}

function unstake(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  if (c.amount > actor.staked) return refuse(abi.INSUFFICIENT_STAKE, actor.staked, c.amount);
  if (isLocked(s, actor, now)) return refuse(abi.STAKE_LOCKED, 1n, 0n);
  const factor = big(figures.multiplier(s, actor, now));
  const pending = figures.exposure(s, actor);
  const carried = figures.standingPower(s, actor, now);
  const left = actor.staked - c.amount;
  if (left * factor < pending || left + carried < pending) {
    const byFactor = pending / factor + (pending % factor === 0n ? 0n : 1n);
    let releasable = actor.staked - rules.max(byFactor, pending - carried);
    if (releasable < 0n) releasable = 0n;
    return refuse(abi.STAKE_LOCKED, 0n, releasable);
  }
  const unclaimed = unclaimedStake(s, actor);
  if (c.amount > unclaimed) return refuse(abi.STAKE_LOCKED, 2n, unclaimed);
  return () => {
    actor.staked -= c.amount;
    if (actor.staked === 0n) actor.stakedSince = 0;
    actor.balance += c.amount;
    return stakeResult(s, actor, c.amount);
  };
}

function open(s: ModelState, c: Command, actor: ModelAgent, other: ModelAgent): ModelItem {
  const isTransfer = c.opcode === abi.OP_TRANSFER;
  const category = isTransfer ? abi.CATEGORY_TRANSFER : abi.CATEGORY_GENERATION;
  const item: ModelItem = {
    eventId: c.txid,
    kind: isTransfer ? abi.ITEM_TRANSFER : abi.ITEM_GENERATION,
    agent: actor,
    recipient: other,
    amount: c.amount,
    deadline: s.now + s.param(abi.PARAM_VERIFICATION_DEADLINE_SECS),
    created: s.now,
    parties: [actor, other],
    barred: [],
    barsClusters: false,
    assigned: drawNames(s, c.txid, category, without([actor, other]), 3).map((v) => v.index),
    votes: [],
    commitments: [],
    order: [],
    isRevealing: false,
    task: undefined,
    isClosed: false,
    panel: 'none',
  };
  s.items.push(item);
  return item;
}

function openResult(item: ModelItem, fourth: bigint): bigint[] {
  const words = [big(item.agent.index), big(item.recipient.index), item.amount, fourth, big(item.deadline)];
  return [...words, big(item.assigned.length), ...item.assigned.map(big)];
}

/** `kept`: the part of the table that is for others, as its inverse. */
function noRoomToOpen(s: ModelState, kept: number): Refusal | undefined {
  const rows = s.capacity(ITEMS!);
  if (s.items.length + s.itemsPromised() + Math.floor(rows / kept) < rows) return undefined;
  return refuse(abi.CAPACITY, big(abi.TABLE_ITEMS));
}

function transfer(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const other = s.agentByKey(c.other);
  if (other === actor) return refuse(abi.INVALID_REQUEST, big(abi.REASON_SELF_TRANSFER));
  if (!other) return refuse(abi.RECIPIENT_NOT_FOUND);
  const [limit, pending] = [figures.trustLimit(s, actor, now), figures.exposure(s, actor)];
  if (pending + c.amount > limit) return refuse(abi.TRUST_LIMIT_EXCEEDED, limit, pending, c.amount);
  if (actor.balance < c.amount) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, c.amount);
  return (
    noRoomToOpen(s, 4) ??
    (() => {
      actor.balance -= c.amount;
      return openResult(open(s, c, actor, other), actor.balance);
    })
  );
}

function generation(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const other = s.agentByKey(c.other);
  if (!other) return refuse(abi.RECIPIENT_NOT_FOUND);
  return noRoomToOpen(s, 2) ?? (() => openResult(open(s, c, actor, other), 0n));
}

function onRouter(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const { router } = s;
  if (c.opcode === abi.OP_ROUTER_REGISTER) {
    const { amount, most, categories, tags } = c;
    const paid = s.routerRows.get(actor.index) ?? 0;
    const rows = Math.ceil((categories.length + tags.length) / 4);
    const others = [...router.offers].filter(([agent]) => agent !== actor.index);
    const labels = others.reduce((sum, [, o]) => sum + o.categories.length + o.tags.length, 0);
    const price = s.rowPrice(CAPABILITIES!, Math.max(others.length, Math.floor(labels / 4)));
    const deposit = big(Math.max(0, rows - paid)) * price;
    if (actor.balance < deposit) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, deposit);
    return () => {
      actor.balance -= deposit;
      s.routerDeposits.set(actor.index, (s.routerDeposits.get(actor.index) ?? 0n) + deposit);
      s.routerRows.set(actor.index, Math.max(paid, rows));
      router.register(actor.index, { price: amount, most, categories, tags });
      return [big(actor.index)];
    };
  }
  if (!router.offers.has(actor.index)) return refuse(abi.CAPABILITY_NOT_FOUND);
  return () => {
    if (c.opcode === abi.OP_ROUTER_REMOVE) {
      router.remove(actor.index);
      actor.balance += s.routerDeposits.get(actor.index)!;
      s.routerDeposits.delete(actor.index);
      s.routerRows.delete(actor.index);
    } else router.setAvailable(actor.index, c.verdict);
    return [big(actor.index)];
  };
}

function unlist(actor: ModelAgent): Verdict {
  if (actor.listing === 'never') return refuse(abi.LISTING_NOT_FOUND);
  return () => {
    actor.listing = 'taken down';
    return [big(actor.index)];
  };
}

function list(actor: ModelAgent): Verdict {
  return () => {
    actor.listing = 'listed';
    return [big(actor.index)];
  };
}

/** Refusals of the operation itself, or its effects. */
export function operate(s: ModelState, c: Command, now: number): Verdict {
  if (c.opcode === abi.OP_REGISTER) return register(s, c);
  if (c.opcode === abi.OP_KEY_ROTATE) return rotate(s, c);
  const actor = s.agentByKey(c.actor);
  if (!actor) return refuse(abi.AGENT_NOT_FOUND);
  const special = operateTask(s, c, actor, now) ?? operateCase(s, c, actor, now);
  if (special) return special;
  switch (c.opcode) {
    case abi.OP_ROUTER_REGISTER:
    case abi.OP_ROUTER_REMOVE:
    case abi.OP_ROUTER_AVAILABLE:
      return onRouter(s, c, actor);
    case abi.OP_SERVICE_LIST:
      return list(actor);
    case abi.OP_SERVICE_UNLIST:
      return unlist(actor);
    case abi.OP_FAUCET:
      return faucet(s, actor, now);
    case abi.OP_TRANSFER:
      return transfer(s, c, actor, now);
    case abi.OP_GENERATION:
      return generation(s, c, actor);
    case abi.OP_STAKE:
      return stake(s, c, actor);
    case abi.OP_UNSTAKE:
      return unstake(s, c, actor, now);
    case abi.OP_VERIFY:
      return verify(s, c, actor, now);
    case abi.OP_VOTE_COMMIT:
      return commitToVote(s, c, actor);
    case abi.OP_KEY_CREATE:
      return keyCreate(s, c, actor, now);
    default:
      return keyRevoke(s, c, actor);
  }
}

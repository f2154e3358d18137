// Commands on the model: each operation, refusals before effects. The checks common to all are in admission.ts.
// Sources: protocol 1.6, 1.8, 4.1 to 4.3, 4.9, 5.5, 5.7, 6.7 to 6.11.

import * as abi from '../../assembly/abi.ts';
import { operateCase } from './case-operations.ts';
import type { Command } from './command.ts';
import { drawNames, without } from './draw.ts';
import * as figures from './figures.ts';
import { firstFingerprint, shaHex } from './hashing.ts';
import { keyCreate, keyRevoke } from './key-operations.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import * as rules from './rules.ts';
import { close } from './settle.ts';
import type { ModelAgent, ModelItem, ModelState, ModelValidator } from './state.ts';
import { applyVote } from './task-ends.ts';
import { operateTask } from './task-operations.ts';
import { rotate } from './validator-keys.ts';

const [AGENTS, ITEMS, VOTES, RECORDS] = [0, 1, 2, 5];
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
    listing: 'never',
    records: [],
  };
  s.agents.push(agent);
  return agent;
}

export function addStake(s: ModelState, agent: ModelAgent, amount: bigint): void {
  agent.stakedSince =
    agent.staked === 0n ? s.now : rules.stakedSince(agent.stakedSince, agent.staked, s.now, amount);
  agent.staked += amount;
}

function register(s: ModelState, c: Command): Verdict {
  const grant = rules.min(rules.grantTier(s.registrations), s.pools[abi.POOL_ECOSYSTEM]!);
  const key = /^[0-9a-f]{64}$/i.test(c.id) ? c.id.toLowerCase() : shaHex(c.id);
  const publicKey = c.publicKey === ZERO ? '' : c.publicKey;
  const isValidator =
    s.validators.some((v) => v.id === c.id) || [...s.seats.values()].some((p) => p.id === c.id);
  if (isValidator) return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALIDATOR_ID));
  if (c.amount > grant) return refuse(abi.INVALID_REQUEST, big(abi.REASON_STAKE_ABOVE_GRANT));
  if (s.agentByKey(key) || (publicKey && s.agentByKey(publicKey))) return refuse(abi.ALREADY_REGISTERED);
  if (s.agents.length >= s.capacity(AGENTS!)) return refuse(abi.CAPACITY, big(abi.TABLE_AGENTS));
  return () => {
    const agent = addAgent(s, key, publicKey, c.id);
    s.registrations++;
    s.pools[abi.POOL_ECOSYSTEM]! -= grant;
    agent.balance = grant - c.amount;
    if (c.amount > 0n) addStake(s, agent, c.amount);
    return [big(agent.index), grant, agent.staked, agent.balance, figures.trustLimit(s, agent, s.now)];
  };
}

function faucet(s: ModelState, actor: ModelAgent, now: number): Verdict {
  const amount = big(s.param(abi.PARAM_FAUCET_AMOUNT));
  const next = actor.faucetAt + s.param(abi.PARAM_FAUCET_COOLDOWN_SECS);
  if (actor.faucetAt !== 0 && now < next) return refuse(abi.FAUCET_COOLDOWN, big(next - now));
  if (s.pools[abi.POOL_FAUCET]! < amount) return refuse(abi.FAUCET_EMPTY);
  return () => {
    s.pools[abi.POOL_FAUCET]! -= amount;
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
  if ((actor.staked - c.amount) * factor < pending) {
    let releasable = actor.staked - pending / factor - (pending % factor === 0n ? 0n : 1n);
    if (releasable < 0n) releasable = 0n;
    return refuse(abi.STAKE_LOCKED, 0n, releasable);
  }
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
  s.record(actor, category);
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
    assigned: drawNames(s, c.txid, category, without([actor, other]), 3).map((v) => v.index),
    votes: [],
    task: undefined,
    isClosed: false,
  };
  s.items.push(item);
  return item;
}

function openResult(item: ModelItem, fourth: bigint): bigint[] {
  const words = [big(item.agent.index), big(item.recipient.index), item.amount, fourth, big(item.deadline)];
  return [...words, big(item.assigned.length), ...item.assigned.map(big)];
}

function noRoomToOpen(s: ModelState, actor: ModelAgent, category: number): Refusal | undefined {
  if (s.items.length + s.itemsPromised() >= s.capacity(ITEMS!))
    return refuse(abi.CAPACITY, big(abi.TABLE_ITEMS));
  const known = actor.records.some((r) => r.category === category);
  if (!known && s.recordCount() >= s.capacity(RECORDS!)) return refuse(abi.CAPACITY, big(abi.TABLE_RECORDS));
  return undefined;
}

function transfer(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const other = s.agentByKey(c.other);
  if (other === actor) return refuse(abi.INVALID_REQUEST, big(abi.REASON_SELF_TRANSFER));
  if (!other) return refuse(abi.RECIPIENT_NOT_FOUND);
  const [limit, pending] = [figures.trustLimit(s, actor, now), figures.exposure(s, actor)];
  if (pending + c.amount > limit) return refuse(abi.TRUST_LIMIT_EXCEEDED, limit, pending, c.amount);
  if (actor.balance < c.amount) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, c.amount);
  return (
    noRoomToOpen(s, actor, abi.CATEGORY_TRANSFER) ??
    (() => {
      actor.balance -= c.amount;
      return openResult(open(s, c, actor, other), actor.balance);
    })
  );
}

function generation(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const other = s.agentByKey(c.other);
  if (!other) return refuse(abi.RECIPIENT_NOT_FOUND);
  return noRoomToOpen(s, actor, abi.CATEGORY_GENERATION) ?? (() => openResult(open(s, c, actor, other), 0n));
}

function vote(s: ModelState, c: Command, actor: ModelAgent, item: ModelItem, v: ModelValidator): bigint[] {
  const isGeneration = item.kind === abi.ITEM_GENERATION;
  const value = !c.verdict ? 0n : (c.value ?? (isGeneration ? item.amount : 0n));
  item.votes.push({ validator: v, approve: c.verdict, value, at: s.now });
  v.lastDuty = s.now;
  const t = figures.tally(s, item, s.now);
  const reason = figures.decision(t);
  const status =
    reason === abi.SETTLED_NONE
      ? abi.VOTE_PENDING
      : reason === abi.SETTLED_VERIFIED
        ? abi.VOTE_SETTLED
        : abi.VOTE_ADJUSTED;
  const verified = reason === abi.SETTLED_VERIFIED && isGeneration ? t.lowest : 0n;
  const words = [big(actor.index), big(v.index), big(status), big(reason)];
  words.push(t.approve, t.reject, t.total, big(t.participants), verified, t.weights.at(-1)!);
  words.push(c.verdict ? 1n : 0n);
  if (item.task) applyVote(s, item, v, c.verdict, reason);
  else if (reason !== abi.SETTLED_NONE) close(s, item, reason);
  return words;
}

function verify(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const item = s.items.find((i) => i.eventId === c.other);
  if (!item || item.isClosed) return refuse(abi.NOT_PENDING);
  if (c.value !== undefined && !item.task) {
    if (c.value > item.amount) return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALUE_ABOVE_CLAIM));
    if (c.verdict && item.kind === abi.ITEM_GENERATION && c.value === 0n) {
      return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALUE_ZERO));
    }
  }
  const own = s.validatorOf(actor);
  const validator = own ?? (c.auth === abi.AUTH_UNSIGNED ? s.seats.get(c.seat)?.validator : undefined);
  const party =
    figures.isParty(item, actor) ||
    (validator && (figures.isParty(item, validator.agent) || figures.isBarred(item, validator)));
  if (party) return refuse(abi.SELF_DEALING);
  const inOffice = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION] as number[];
  if (!validator || !inOffice.includes(validator.status)) return refuse(abi.NOT_A_VALIDATOR);
  if (figures.isKeptOut(item, validator)) return refuse(abi.NOT_ASSIGNED);
  if (item.votes.some((v) => v.validator === validator)) return refuse(abi.ALREADY_VOTED);
  if (s.voteCount() >= s.capacity(VOTES!)) return refuse(abi.CAPACITY, big(abi.TABLE_VOTES));
  return () => vote(s, c, actor, item, validator);
}

function onRouter(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const { router } = s;
  if (c.opcode === abi.OP_ROUTER_REGISTER) {
    const { amount, most, categories, tags } = c;
    return () => {
      router.register(actor.index, { price: amount, most, categories, tags });
      return [big(actor.index)];
    };
  }
  if (!router.offers.has(actor.index)) return refuse(abi.CAPABILITY_NOT_FOUND);
  return () => {
    if (c.opcode === abi.OP_ROUTER_REMOVE) router.remove(actor.index);
    else router.setAvailable(actor.index, c.verdict);
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
      return verify(s, c, actor);
    case abi.OP_KEY_CREATE:
      return keyCreate(s, c, actor, now);
    default:
      return keyRevoke(s, c, actor, now);
  }
}

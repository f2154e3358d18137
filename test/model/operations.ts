// Commands on the model: common checks, then each operation, refusals before effects.
// Sources: DECISIONS 1.6, 1.8, 4.1 to 4.3, 4.9, 5.5, 5.7, 6.7 to 6.11.

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import * as figures from './figures.ts';
import { drawNumber, firstFingerprint, shaHex } from './hashing.ts';
import * as rules from './rules.ts';
import { close } from './settle.ts';
import type { ModelAgent, ModelItem, ModelKey, ModelState, ModelValidator } from './state.ts';

/** Refusal: code and details. */
export class Refusal {
  constructor(
    readonly code: number,
    readonly details: bigint[] = [],
  ) {}
}

/** Effects to run when all refusals were passed; they give the result words. */
type Effect = () => bigint[];
type Verdict = Refusal | Effect;

const [AGENTS, ITEMS, VOTES, TXIDS, KEYS, RECORDS] = [0, 1, 2, 3, 4, 5];
const ZERO = '0'.repeat(64);
const refuse = (code: number, ...details: bigint[]): Refusal => new Refusal(code, details);
const big = (n: number): bigint => BigInt(n);

const SCOPES: Record<number, number> = {
  [abi.OP_FAUCET]: abi.SCOPE_AGENTS,
  [abi.OP_TRANSFER]: abi.SCOPE_TRANSFERS,
  [abi.OP_GENERATION]: abi.SCOPE_TRANSFERS,
  [abi.OP_STAKE]: abi.SCOPE_STAKING,
  [abi.OP_UNSTAKE]: abi.SCOPE_STAKING,
  [abi.OP_VERIFY]: abi.SCOPE_VERIFICATION,
  [abi.OP_KEY_REVOKE]: abi.SCOPE_PLATFORM,
};

const isActive = (k: ModelKey, now: number): boolean =>
  k.revoked === 0 && (k.expires === 0 || now < k.expires);

function admitUnsigned(s: ModelState, c: Command): Refusal | undefined {
  const open =
    c.opcode === abi.OP_KEY_CREATE && s.config.testnet && s.param(abi.PARAM_LEGACY_OPEN_COORDINATION) === 1;
  const allowed = open || s.param(abi.PARAM_ALLOW_UNSIGNED) === 1;
  return allowed && s.seats.has(c.seat) ? undefined : refuse(abi.AUTH_REQUIRED);
}

function admitKey(s: ModelState, c: Command, now: number): Refusal | undefined {
  if (c.opcode === abi.OP_REGISTER || c.opcode === abi.OP_KEY_CREATE) return refuse(abi.AUTH_REQUIRED);
  const key = s.keys.find((k) => k.id === c.keyId);
  const owner = s.agentByKey(c.actor);
  const valid = s.config.testnet && key && owner === key.owner && isActive(key, now) && key.seat === c.seat;
  if (!valid) return refuse(abi.INVALID_API_KEY);
  const needed = SCOPES[c.opcode]!;
  if ((key.scopes & (abi.SCOPE_ALL | needed)) === 0) return refuse(abi.INSUFFICIENT_SCOPE, big(needed));
  return undefined;
}

/** Checks before those of the operation; a refusal here leaves the TxID free. */
export function admit(s: ModelState, c: Command, now: number): Refusal | undefined {
  const registers = c.opcode === abi.OP_REGISTER;
  if (c.lastSecond !== 0 && now > c.lastSecond) return refuse(abi.TX_EXPIRED);
  if (c.auth === abi.AUTH_SYSTEM || c.auth > abi.AUTH_UNSIGNED) return refuse(abi.AUTH_REQUIRED);
  if (registers && c.auth !== abi.AUTH_TX_V1 && c.auth !== abi.AUTH_UNSIGNED)
    return refuse(abi.AUTH_REQUIRED);
  const refusal =
    c.auth === abi.AUTH_UNSIGNED
      ? admitUnsigned(s, c)
      : c.auth === abi.AUTH_API_KEY
        ? admitKey(s, c, now)
        : undefined;
  if (refusal || registers) return refusal;
  if (s.seen.some((t) => t.txid === c.txid)) return refuse(abi.DUPLICATE_TX);
  if (s.seen.length >= s.capacity(TXIDS)) return refuse(abi.CAPACITY, big(abi.TABLE_TXIDS));
  return undefined;
}

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

function unstake(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  if (c.amount > actor.staked) return refuse(abi.INSUFFICIENT_STAKE, actor.staked, c.amount);
  const duty = s.validatorOf(actor)?.lastDuty ?? 0;
  if (duty !== 0 && now < duty + 10 * s.param(abi.PARAM_DAY_SECS)) return refuse(abi.STAKE_LOCKED, 1n, 0n);
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

/** 6.9: up to three names, drawn without replacement. */
function assign(s: ModelState, eventId: string, category: number, parties: ModelAgent[]): number[] {
  const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE).length;
  const required = rules.requiredStake(0n, active, 0n);
  const least = s.config.testnet ? rules.max(required, 25_000n * rules.TOKEN) : required;
  const inOffice = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION] as number[];
  const left = s.validators
    .filter((v) => inOffice.includes(v.status) && v.agent.staked >= least && !parties.includes(v.agent))
    .map((v) => ({ v, w: big(figures.assignmentWeight(v, category)) }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.v.id), Buffer.from(b.v.id)));
  const drawn: number[] = [];
  for (let k = 1; k <= 3 && left.length > 0; k++) {
    let number = drawNumber(eventId, s.blockHash, k) % left.reduce((sum, x) => sum + x.w, 0n);
    const place = left.findIndex((x) => {
      if (number < x.w) return true;
      number -= x.w;
      return false;
    });
    drawn.push(left.splice(place, 1)[0]!.v.index);
  }
  return drawn;
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
    assigned: assign(s, c.txid, category, [actor, other]),
    votes: [],
  };
  s.items.push(item);
  return item;
}

function openResult(item: ModelItem, fourth: bigint): bigint[] {
  const words = [big(item.agent.index), big(item.recipient.index), item.amount, fourth, big(item.deadline)];
  return [...words, big(item.assigned.length), ...item.assigned.map(big)];
}

function noRoomToOpen(s: ModelState, actor: ModelAgent, category: number): Refusal | undefined {
  if (s.items.length >= s.capacity(ITEMS!)) return refuse(abi.CAPACITY, big(abi.TABLE_ITEMS));
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
  const reason = figures.decision(s, t);
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
  if (reason !== abi.SETTLED_NONE) close(s, item, reason);
  return words;
}

function verify(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const item = s.items.find((i) => i.eventId === c.other);
  if (!item) return refuse(abi.NOT_PENDING);
  if (c.value !== undefined) {
    if (c.value > item.amount) return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALUE_ABOVE_CLAIM));
    if (c.verdict && item.kind === abi.ITEM_GENERATION && c.value === 0n) {
      return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALUE_ZERO));
    }
  }
  const own = s.validatorOf(actor);
  const validator = own ?? (c.auth === abi.AUTH_UNSIGNED ? s.seats.get(c.seat)?.validator : undefined);
  const party = figures.isParty(item, actor) || (validator && figures.isParty(item, validator.agent));
  if (party) return refuse(abi.SELF_DEALING);
  const inOffice = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION] as number[];
  if (!validator || !inOffice.includes(validator.status)) return refuse(abi.NOT_A_VALIDATOR);
  if (item.votes.some((v) => v.validator === validator)) return refuse(abi.ALREADY_VOTED);
  if (s.voteCount() >= s.capacity(VOTES!)) return refuse(abi.CAPACITY, big(abi.TABLE_VOTES));
  return () => vote(s, c, actor, item, validator);
}

function keyCreate(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const init = c.newKey;
  if (init.expires !== 0 && init.expires <= now)
    return refuse(abi.INVALID_REQUEST, big(abi.REASON_KEY_EXPIRY));
  if (s.keys.some((k) => k.id === init.id)) return refuse(abi.INVALID_REQUEST);
  if (s.keys.filter((k) => k.owner === actor && isActive(k, now)).length >= 50) return refuse(abi.KEY_LIMIT);
  if (s.keys.length >= s.capacity(KEYS!)) return refuse(abi.CAPACITY, big(abi.TABLE_KEYS));
  return () => {
    const hash = Buffer.from(init.hash).toString('hex');
    s.keys.push({ ...init, hash, owner: actor, created: now, revoked: 0 });
    return [big(actor.index)];
  };
}

function keyRevoke(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const key = s.keys.find((k) => k.id === c.newKey.id);
  if (!key) return refuse(abi.KEY_NOT_FOUND);
  if (key.owner !== actor) return refuse(abi.FORBIDDEN_ACTOR);
  return () => {
    if (key.revoked === 0) key.revoked = now;
    return [big(actor.index), big(key.revoked)];
  };
}

/** Refusals of the operation itself, or its effects. */
export function operate(s: ModelState, c: Command, now: number): Verdict {
  if (c.opcode === abi.OP_REGISTER) return register(s, c);
  const actor = s.agentByKey(c.actor);
  if (!actor) return refuse(abi.AGENT_NOT_FOUND);
  switch (c.opcode) {
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

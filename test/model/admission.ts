// Checks of a command before its own: expiry, proof, key and scope, repetition (protocol 1.6, 1.8, 5.5 to 5.7).

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { reserved } from './figures.ts';
import { shaHex } from './hashing.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { ModelAgent, ModelKey, ModelState } from './state.ts';

const TXIDS = 3;
const big = (n: number): bigint => BigInt(n);

const TASK_OPS = [
  ...Array.from({ length: 8 }, (_, i) => abi.OP_TASK_CREATE + i),
  abi.OP_TASK_CONTEST,
  abi.OP_TASK_CONCEDE,
  abi.OP_TASK_OPEN,
];
const COORDINATION_OPS = [
  abi.OP_ROUTER_REGISTER,
  abi.OP_ROUTER_REMOVE,
  abi.OP_ROUTER_AVAILABLE,
  abi.OP_SERVICE_LIST,
  abi.OP_SERVICE_UNLIST,
] as number[];
const SCOPES: Record<number, number> = {
  [abi.OP_FAUCET]: abi.SCOPE_AGENTS,
  [abi.OP_TRANSFER]: abi.SCOPE_TRANSFERS,
  [abi.OP_GENERATION]: abi.SCOPE_TRANSFERS,
  [abi.OP_STAKE]: abi.SCOPE_STAKING,
  [abi.OP_UNSTAKE]: abi.SCOPE_STAKING,
  [abi.OP_VERIFY]: abi.SCOPE_VERIFICATION,
  [abi.OP_VOTE_COMMIT]: abi.SCOPE_VERIFICATION,
  [abi.OP_VALIDATOR_APPLY]: abi.SCOPE_VERIFICATION,
  [abi.OP_VALIDATOR_RESUME]: abi.SCOPE_VERIFICATION,
  [abi.OP_CHALLENGE_OPEN]: abi.SCOPE_CHALLENGES,
  [abi.OP_CHALLENGE_VOTE]: abi.SCOPE_CHALLENGES,
  [abi.OP_REPLAY_SUBMIT]: abi.SCOPE_REPLAY,
  [abi.OP_REPLAY_OUTCOME]: abi.SCOPE_REPLAY,
  [abi.OP_KEY_REVOKE]: abi.SCOPE_PLATFORM,
  [abi.OP_PROGRAM_PUBLISH]: abi.SCOPE_TASKS,
  [abi.OP_TASK_RELEASE]: abi.SCOPE_TASKS,
  [abi.OP_TASK_DECLINE]: abi.SCOPE_TASKS,
  ...Object.fromEntries(TASK_OPS.map((opcode) => [opcode, abi.SCOPE_TASKS])),
  ...Object.fromEntries(COORDINATION_OPS.map((opcode) => [opcode, abi.SCOPE_COORDINATION])),
};

/** Writes that no API key opens. */
const KEYLESS = [
  abi.OP_REGISTER,
  abi.OP_KEY_CREATE,
  abi.OP_KEY_ROTATE,
  abi.OP_RECOVERY_SET,
  abi.OP_CANARY_COMMIT,
  abi.OP_CANARY_REVEAL,
  abi.OP_CANARY_RETURN,
  abi.OP_VALIDATOR_OBJECT,
  abi.OP_VALIDATOR_JUDGE,
] as number[];

export const isActive = (k: ModelKey, now: number): boolean => k.expires === 0 || now < k.expires;

/** protocol 5.6. */
function isOpen(s: ModelState, c: Command): boolean {
  if (s.param(abi.PARAM_LEGACY_OPEN_COORDINATION) !== 1) return false;
  if (c.opcode === abi.OP_KEY_CREATE) return s.config.testnet;
  if (c.opcode === abi.OP_SERVICE_UNLIST) return s.agentByKey(c.actor) === s.seats.get(c.seat)!.operator;
  return COORDINATION_OPS.includes(c.opcode);
}

function admitUnsigned(s: ModelState, c: Command): Refusal | undefined {
  const allowed =
    s.seats.size === 1 && s.seats.has(c.seat) && (s.param(abi.PARAM_ALLOW_UNSIGNED) === 1 || isOpen(s, c));
  return allowed ? undefined : refuse(abi.AUTH_REQUIRED);
}

function admitKey(s: ModelState, c: Command, now: number): Refusal | undefined {
  if (KEYLESS.includes(c.opcode)) return refuse(abi.AUTH_REQUIRED);
  const key = s.keys.find((k) => k.id === c.keyId);
  const owner = s.agentByKey(c.actor);
  const valid = s.config.testnet && key && owner === key.owner && isActive(key, now) && key.seat === c.seat;
  if (!valid) return refuse(abi.INVALID_API_KEY);
  const needed = SCOPES[c.opcode]!;
  if ((key.scopes & (abi.SCOPE_ALL | needed)) === 0) return refuse(abi.INSUFFICIENT_SCOPE, big(needed));
  const end = key.hour + 3600;
  if (now < end && key.uses >= key.hourlyLimit) return refuse(abi.KEY_RATE, big(end - now));
  return undefined;
}

const dayOf = (s: ModelState, now: number): number => Math.floor(now / s.param(abi.PARAM_DAY_SECS));

/** 6.18: a mebibyte costs as much as a row. */
const priceOf = (s: ModelState, kib: number): bigint =>
  (big(s.param(abi.PARAM_ROW_DEPOSIT)) * big(kib)) / 1024n;

/** 6.18: which part of a request's KiB is free by what the agent holds, which is free once, and what the rest costs. */
function bytesOf(s: ModelState, agent: ModelAgent, c: Command, now: number) {
  const isVote = c.opcode === abi.OP_VERIFY || c.opcode === abi.OP_VOTE_COMMIT;
  const isVerdict = isVote && s.validators.some((v) => v.agent === agent);
  const kib = isVerdict ? Math.max(0, c.kib - 1) : c.kib;
  const holdings = agent.balance + agent.staked + reserved(s, agent);
  const most = Number(holdings / big(s.param(abi.PARAM_HOLDING_PER_KIB)));
  const held = Math.min(kib, Math.max(0, most - (agent.heldKib.get(dayOf(s, now)) ?? 0)));
  const first = Math.min(kib - held, s.param(abi.PARAM_FIRST_KIB) - agent.firstKib);
  return { held, first, fee: priceOf(s, kib - held - first) };
}

function checkBytes(s: ModelState, c: Command, now: number): Refusal | undefined {
  const agent = s.agentByKey(c.actor);
  const registers = c.opcode === abi.OP_REGISTER;
  if (agent) {
    const fee = registers ? 0n : bytesOf(s, agent, c, now).fee;
    return agent.balance < fee ? refuse(abi.INSUFFICIENT_BALANCE, agent.balance, fee) : undefined;
  }
  const fee = registers ? priceOf(s, Math.max(0, c.kib - s.param(abi.PARAM_FIRST_KIB))) : 0n;
  return fee > 0n ? refuse(abi.INSUFFICIENT_BALANCE, 0n, fee) : undefined;
}

function noteBytes(s: ModelState, agent: ModelAgent, c: Command): void {
  const { held, first, fee } = bytesOf(s, agent, c, s.now);
  const day = dayOf(s, s.now);
  agent.heldKib.set(day, (agent.heldKib.get(day) ?? 0) + held);
  agent.firstKib += first;
  s.payFee(agent, fee);
}

/** What stays of a command that was admitted, whatever becomes of it. */
export function noteAdmitted(s: ModelState, c: Command): void {
  const key = c.auth === abi.AUTH_API_KEY ? s.keys.find((k) => k.id === c.keyId) : undefined;
  if (key && s.now >= key.hour + 3600) Object.assign(key, { hour: s.now, uses: 0 });
  if (key) key.uses += 1;
  if (c.opcode === abi.OP_REGISTER) return;
  s.seen.push({ txid: c.txid, at: s.now });
  const agent = s.agentByKey(c.actor);
  if (agent) noteBytes(s, agent, c);
}

/** Does the event, task or challenge exist that the command would create. */
function isIdTaken(s: ModelState, c: Command): boolean {
  const { opcode, txid } = c;
  if (opcode === abi.OP_TRANSFER || opcode === abi.OP_GENERATION)
    return s.items.some((i) => i.eventId === txid);
  if (opcode === abi.OP_TASK_CREATE || opcode === abi.OP_SUBTASK_CREATE)
    return s.tasks.some((t) => t.id === shaHex(`task:${txid}`).slice(0, 32));
  if (opcode !== abi.OP_CHALLENGE_OPEN) return false;
  return s.challenges.some((k) => k.id === shaHex(`challenge:${txid}`).slice(0, 24));
}

/** Checks before those of the operation; a refusal here leaves the TxID free. */
export function admit(s: ModelState, c: Command, now: number): Refusal | undefined {
  const registers = c.opcode === abi.OP_REGISTER;
  if (c.lastSecond !== 0 && now > c.lastSecond) return refuse(abi.TX_EXPIRED, big(abi.WINDOW_PAST));
  if (c.lastSecond !== 0 && now < c.lastSecond - c.windowSecs)
    return refuse(abi.TX_EXPIRED, big(abi.WINDOW_AHEAD));
  if (c.auth === abi.AUTH_SYSTEM || c.auth > abi.AUTH_UNSIGNED) return refuse(abi.AUTH_REQUIRED);
  if (registers && c.auth !== abi.AUTH_TX_V1 && c.auth !== abi.AUTH_UNSIGNED)
    return refuse(abi.AUTH_REQUIRED);
  if (c.auth === abi.AUTH_REQUEST_V1 && !s.config.testnet) return refuse(abi.AUTH_REQUIRED);
  const refusal =
    c.auth === abi.AUTH_UNSIGNED
      ? admitUnsigned(s, c)
      : c.auth === abi.AUTH_API_KEY
        ? admitKey(s, c, now)
        : undefined;
  if (refusal) return refusal;
  if (!registers && s.seen.some((t) => t.txid === c.txid)) return refuse(abi.DUPLICATE_TX);
  if (!registers && s.seen.length >= s.capacity(TXIDS)) return refuse(abi.CAPACITY, big(abi.TABLE_TXIDS));
  const unpaid = checkBytes(s, c, now);
  if (unpaid) return unpaid;
  return isIdTaken(s, c) ? refuse(abi.DUPLICATE_TX) : undefined;
}

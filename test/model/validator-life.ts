// The life of a validator: application, probation, grace, offenses, exclusion, resumption (protocol 4.3, 6.7, 7.4).

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { emit } from './events.ts';
import * as figures from './figures.ts';
import { shaHex } from './hashing.ts';
import { refuse, type Verdict } from './refusal.ts';
import type { ModelAgent, ModelState } from './state.ts';
import { tellStatus } from './validator-events.ts';
import { type ModelValidator, newValidator } from './validator-state.ts';

const [VALIDATORS] = [6];
const COOLDOWN_DAYS: Record<number, number> = {
  [abi.OFFENSE_FRAUDULENT_APPROVAL]: 30,
  [abi.OFFENSE_DISHONEST_REPLAY]: 60,
  [abi.OFFENSE_COLLUSION]: 180,
};
const big = (n: number): bigint => BigInt(n);
const days = (s: ModelState, count: number): number => count * s.param(abi.PARAM_DAY_SECS);

/** Puts a validator into a status; what belongs to another status is gone. */
function enter(v: ModelValidator, status: number, fields: Partial<ModelValidator> = {}): void {
  const nothing = {
    cycle: 0,
    passedAt: 0,
    tryAt: 0,
    probationStarted: 0,
    reason: 0,
    suspendedAt: 0,
    suspendedUntil: 0,
    belowSince: 0,
  };
  Object.assign(v, nothing, fields, { status });
}

/** A probation cycle with nothing counted yet. */
export function startCycle(v: ModelValidator, cycle: number, now: number): void {
  enter(v, abi.VALIDATOR_PROBATION, {
    cycle,
    probationStarted: now,
    decided: 0,
    right: 0,
    missedDraws: 0,
  });
}

/** The validator that a name means: an id, else an agent_id or hex key; empty: the actor's own, if any. */
export function validatorNamed(s: ModelState, name: string, actor?: ModelAgent): ModelValidator | undefined {
  if (name === '') return actor && s.validatorOf(actor);
  const byId = s.validators.find((v) => v.id === name);
  if (byId) return byId;
  const isKey = /^[0-9a-f]{64}$/i.test(name);
  const agent = s.agentByKey(isKey ? name.toLowerCase() : shaHex(name));
  return agent && s.validatorOf(agent);
}

export function applyAsValidator(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const own = s.validatorOf(actor);
  if (own?.status === abi.VALIDATOR_EXCLUDED) return refuse(abi.PERMANENTLY_EXCLUDED);
  if (own) return refuse(abi.ALREADY_VALIDATOR);
  const required = figures.requiredStake(s);
  if (actor.staked < required) return refuse(abi.STAKE_BELOW_REQUIRED, actor.staked, required);
  if (s.validators.length >= s.capacity(VALIDATORS!)) return refuse(abi.CAPACITY, big(abi.TABLE_VALIDATORS));
  const place = [...s.seats].find(([, seat]) => seat.operator === actor);
  const row = place ? 0n : s.validatorFee(required);
  if (row > c.maxFee) return refuse(abi.INVALID_REQUEST, BigInt(abi.REASON_MAX_FEE), row);
  const unknown = c.categories.filter((name) => !s.categories.includes(name)).length;
  const names = s.categoriesFee(unknown);
  if (names === undefined) return refuse(abi.CAPACITY, big(abi.TABLE_CATEGORIES));
  const fee = row + names;
  if (actor.balance < fee) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, fee);
  const derived = shaHex(`validator:${c.txid}`).slice(0, 32);
  if (!place && s.agentByKey(shaHex(derived)))
    return refuse(abi.INVALID_REQUEST, BigInt(abi.REASON_ID_TAKEN));
  return () => {
    s.payFee(actor, fee);
    const id = place ? place[1].id : derived;
    const status = abi.VALIDATOR_PROBATION;
    const v = newValidator(s.validators.length, id, actor, place ? place[0] : abi.NO_SEAT, status, s.now);
    v.categories = c.categories;
    v.lastDuty = s.now;
    s.validators.push(v);
    if (place) place[1].validator = v;
    for (const name of c.categories) if (!s.categories.includes(name)) s.categories.push(name);
    startCycle(v, 1, s.now);
    return [big(actor.index), big(v.index)];
  };
}

export function resume(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const v = validatorNamed(s, c.target, actor);
  if (!v) return refuse(abi.VALIDATOR_NOT_FOUND);
  if (v.agent !== actor) return refuse(abi.FORBIDDEN_ACTOR);
  if (v.status === abi.VALIDATOR_EXCLUDED) return refuse(abi.PERMANENTLY_EXCLUDED);
  if (v.status !== abi.VALIDATOR_SUSPENDED) return refuse(abi.TASK_STATE);
  if (now < v.suspendedUntil) return refuse(abi.COOLDOWN_ACTIVE, big(v.suspendedUntil));
  const required = figures.requiredStake(s);
  if (v.reason === abi.STATUS_REASON_STAKE && actor.staked < required) {
    return refuse(abi.STAKE_BELOW_REQUIRED, actor.staked, required);
  }
  return () => {
    enter(v, abi.VALIDATOR_ACTIVE);
    return [big(actor.index), big(v.index)];
  };
}

/** The status part of a proven offense. */
export function punish(s: ModelState, v: ModelValidator, offense: number): void {
  if (v.status === abi.VALIDATOR_EXCLUDED) return;
  const reason = abi.STATUS_REASON_OFFENSE + offense;
  v.slashes++;
  if (offense === abi.OFFENSE_COLLUSION) v.collusions++;
  if (v.collusions >= 2) enter(v, abi.VALIDATOR_EXCLUDED);
  else if (v.status === abi.VALIDATOR_PROBATION) startCycle(v, v.cycle, s.now);
  else {
    const isFirst = v.status === abi.VALIDATOR_ACTIVE;
    const end = s.now + days(s, COOLDOWN_DAYS[offense]!);
    const suspendedUntil = isFirst ? end : Math.max(end, v.suspendedUntil);
    const suspendedAt = isFirst ? s.now : v.suspendedAt;
    enter(v, abi.VALIDATOR_SUSPENDED, { reason, suspendedAt, suspendedUntil });
  }
  tellStatus(s, v, reason);
}

/** The block proves that a seat equivocated; told with its first vertex. */
export function excludeSeat(s: ModelState, seat: number): void {
  const v = s.seats.get(seat)?.validator;
  if (!v || v.status === abi.VALIDATOR_EXCLUDED) return;
  enter(v, abi.VALIDATOR_EXCLUDED);
  s.excluded.push(v);
}

export function tellExclusions(s: ModelState): void {
  for (const v of s.excluded) tellStatus(s, v, abi.STATUS_REASON_EQUIVOCATION);
  s.excluded = [];
}

/** A seat resumed with the block; told with its first vertex. */
export function resumeSeat(
  s: ModelState,
  seat: number,
  incarnation: number,
  epoch: number,
  mayLose: boolean,
): void {
  s.resumed.set(seat, incarnation);
  s.resumedIn = { epoch, mayLose };
  if (mayLose) s.losesWrites = true;
}

export function tellResumptions(s: ModelState): void {
  for (const [seat, incarnation] of [...s.resumed].sort(([a], [b]) => a - b)) {
    const event = emit(s, abi.EVENT_SEAT_RESUMED, 'seat_resumed', s.seats.get(seat)!.id);
    event.seat = { seat, incarnation, ...s.resumedIn };
  }
  s.resumed.clear();
}

export function keepLostWrites(s: ModelState): void {
  if (s.losesWrites) s.lostWrites = { order: s.order, secs: s.now };
  s.losesWrites = false;
}

function failCycle(s: ModelState, v: ModelValidator): void {
  if (v.cycle < 3) startCycle(v, v.cycle + 1, s.now);
  else enter(v, abi.VALIDATOR_EXCLUDED);
}

/** Weight of those that object to a waiting applicant. */
export function objectionWeight(s: ModelState, v: ModelValidator, now: number): bigint {
  const objectors = v.passedAt === 0 ? [] : v.objectors;
  return objectors.reduce((sum, x) => sum + figures.voteWeight(s, x, now), 0n);
}

/** An objection of an active validator against an applicant that passed probation. */
export function objectTo(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const target = c.target === '' ? undefined : validatorNamed(s, c.target);
  if (!target) return refuse(abi.VALIDATOR_NOT_FOUND);
  const own = s.validatorOf(actor);
  if (own?.status !== abi.VALIDATOR_ACTIVE) return refuse(abi.NOT_A_VALIDATOR);
  if (target.passedAt === 0) return refuse(abi.TASK_STATE);
  if (target.objectors.includes(own)) return refuse(abi.ALREADY_VOTED);
  const against = s.validators.filter((v) => v.passedAt !== 0 && v.objectors.includes(own));
  if (against.length >= 32) return refuse(abi.CAPACITY, big(abi.TABLE_OBJECTIONS));
  return () => {
    target.objectors.push(own);
    const weight = objectionWeight(s, target, s.now);
    const total = s.validators.reduce((sum, v) => sum + figures.voteWeight(s, v, s.now), 0n);
    if (weight * 3n > total) {
      failCycle(s, target);
      tellStatus(s, target, abi.STATUS_REASON_OBJECTED);
    }
    return [big(actor.index), big(target.index), weight, total];
  };
}

function endCycle(s: ModelState, v: ModelValidator): void {
  const passed = v.decided >= 50 && Math.floor((v.right * 10_000) / v.decided) >= 7000;
  if (passed && !v.isGenesis) {
    Object.assign(v, { passedAt: s.now, tryAt: s.now + days(s, 7), objectors: [] });
    tellStatus(s, v, abi.STATUS_REASON_PASSED);
    return;
  }
  if (passed) {
    enter(v, abi.VALIDATOR_ACTIVE, { activatedAt: s.now });
  } else if (v.decided + v.missedDraws < 50) v.probationStarted = s.now;
  else failCycle(s, v);
  tellStatus(s, v, abi.STATUS_REASON_PROBATION);
}

/** A waiting applicant becomes active, if the day has a place for it and those that applied before. */
function tryToJoin(s: ModelState, v: ModelValidator): void {
  const day = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  const joined = s.joined.filter((x) => x === day).length;
  const active = s.validators.filter((x) => x.status === abi.VALIDATOR_ACTIVE).length;
  const places = Math.max(1, Math.floor(Math.max(0, active - joined) / 10)) - joined;
  const isReady = (x: ModelValidator): boolean => x.passedAt !== 0 && x.passedAt + days(s, 7) <= s.now;
  const older = s.validators.filter(
    (x) =>
      isReady(x) &&
      (x.registeredAt < v.registeredAt || (x.registeredAt === v.registeredAt && x.index < v.index)),
  );
  if (older.length >= places) {
    v.tryAt = days(s, day + 1);
    return;
  }
  s.joined.push(day);
  v.baselineBp = 5000;
  enter(v, abi.VALIDATOR_ACTIVE, { activatedAt: s.now });
  tellStatus(s, v, abi.STATUS_REASON_PROBATION);
}

function endGrace(s: ModelState, v: ModelValidator): void {
  enter(v, abi.VALIDATOR_SUSPENDED, { reason: abi.STATUS_REASON_STAKE, suspendedAt: s.now });
  tellStatus(s, v, abi.STATUS_REASON_STAKE);
}

/** What time does to a validator: each deadline with what it brings about. */
export function deadlinesOf(s: ModelState, v: ModelValidator): { at: number; fire: () => void }[] {
  const found: { at: number; fire: () => void }[] = [];
  if (v.passedAt !== 0) found.push({ at: v.tryAt, fire: () => tryToJoin(s, v) });
  else if (v.status === abi.VALIDATOR_PROBATION) {
    found.push({ at: v.probationStarted + days(s, 30), fire: () => endCycle(s, v) });
  }
  if (v.belowSince !== 0) found.push({ at: v.belowSince + days(s, 7), fire: () => endGrace(s, v) });
  if (v.nextKeyAt !== 0) found.push({ at: v.nextKeyAt, fire: () => takeNextKey(s, v) });
  if (v.nextRecoveryAt !== 0) found.push({ at: v.nextRecoveryAt, fire: () => takeNextRecovery(v) });
  return found;
}

function takeNextKey(s: ModelState, v: ModelValidator): void {
  const seat = s.seats.get(v.seat)!;
  seat.key = v.nextKey;
  seat.keyEpoch++;
  Object.assign(v, { nextKey: '', nextKeyAt: 0 });
}

function takeNextRecovery(v: ModelValidator): void {
  Object.assign(v, { recovery: v.nextRecovery, nextRecovery: '', nextRecoveryAt: 0 });
}

/** At a block's end: since when each active validator is below the required stake. */
export function watchStakes(s: ModelState): void {
  const required = figures.requiredStake(s);
  for (const v of s.validators.filter((x) => x.status === abi.VALIDATOR_ACTIVE)) {
    if (v.agent.staked >= required) v.belowSince = 0;
    else if (v.belowSince === 0) v.belowSince = s.now;
  }
}

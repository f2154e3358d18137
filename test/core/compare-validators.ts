// Validators and seats of a core and of the model in one form, and the event about a validator decoded.
// Keeps: every field of both that abi.ts names is compared.

import * as abi from '../../assembly/abi.ts';
import * as figures from '../model/figures.ts';
import type { Model } from '../model/model.ts';
import { fullWeight, silentFrom, silentSince } from '../model/silence.ts';
import type { ModelValidator } from '../model/state.ts';
import { objectionWeight } from '../model/validator-life.ts';
import { type Core, type EventOutcome, hex } from './driver.ts';

type Row = Record<string, unknown>;
const NONE = '0'.repeat(64);

const text = (view: DataView, at: number, bytes = 32): string =>
  hex(new Uint8Array(view.buffer, view.byteOffset + at, bytes));
const u32 = (view: DataView, at: number): number => view.getUint32(at, true);
const u64 = (view: DataView, at: number): bigint => view.getBigUint64(at, true);
const secs = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

function shownCalibrations(v: DataView): number[][] {
  return Array.from({ length: u32(v, abi.VALIDATOR_CALIBRATIONS) }, (_, i) => {
    const at = abi.VALIDATOR_CALIBRATION + i * abi.CALIBRATION_BYTES;
    const words = [abi.CALIBRATION_CATEGORY, abi.CALIBRATION_SIGNALS, abi.CALIBRATION_CORRECT];
    words.push(abi.CALIBRATION_CANARY_SIGNALS, abi.CALIBRATION_CANARY_POINTS);
    return [...words.map((word) => u32(v, at + word)), secs(v, at + abi.CALIBRATION_SUSPENDED_UNTIL)];
  });
}

/** What the core shows of a validator. */
export function shownValidator(core: Core, index: number): Row {
  const v = core.queryIndex(abi.QUERY_VALIDATOR, index)!;
  const count = u32(v, abi.VALIDATOR_CATEGORY_COUNT);
  const words = [abi.VALIDATOR_STATUS, abi.VALIDATOR_AGENT, abi.VALIDATOR_SEAT, abi.VALIDATOR_BASELINE_BP];
  words.push(abi.VALIDATOR_REPUTATION_BP, abi.VALIDATOR_ASSIGNMENT_WEIGHT, abi.VALIDATOR_VOTES_DECIDED);
  words.push(abi.VALIDATOR_VOTES_RIGHT, abi.VALIDATOR_TASKS_PROCESSED, abi.VALIDATOR_SLASHES);
  words.push(abi.VALIDATOR_COLLUSIONS, abi.VALIDATOR_IS_GENESIS, abi.VALIDATOR_REASON);
  words.push(abi.VALIDATOR_PROBATION_CYCLE, abi.VALIDATOR_CLUSTER, abi.VALIDATOR_OPEN_CHALLENGES);
  words.push(abi.VALIDATOR_KEY_EPOCH, abi.VALIDATOR_MISSED_DRAWS, abi.VALIDATOR_IS_JUDGE);
  const times = [abi.VALIDATOR_REGISTERED_AT, abi.VALIDATOR_LAST_DUTY, abi.VALIDATOR_SUSPENDED_AT];
  times.push(abi.VALIDATOR_SUSPENDED_UNTIL, abi.VALIDATOR_BELOW_SINCE, abi.VALIDATOR_ACTIVATED_AT);
  times.push(abi.VALIDATOR_PROBATION_STARTED, abi.VALIDATOR_NEXT_KEY_AT, abi.VALIDATOR_NEXT_RECOVERY_AT);
  times.push(abi.VALIDATOR_OBJECTIONS_UNTIL);
  const keys = [abi.VALIDATOR_CONSENSUS_KEY, abi.VALIDATOR_RECOVERY_KEY, abi.VALIDATOR_NEXT_KEY];
  return {
    id: Buffer.from(text(v, abi.VALIDATOR_ID, u32(v, abi.VALIDATOR_ID_BYTES)), 'hex').toString(),
    words: words.map((at) => u32(v, at)),
    times: times.map((at) => secs(v, at)),
    keys: keys.map((at) => text(v, at)),
    staked: u64(v, abi.VALIDATOR_STAKED),
    weight: u64(v, abi.VALIDATOR_VOTE_WEIGHT),
    objections: u64(v, abi.VALIDATOR_OBJECTION_WEIGHT),
    categories: Array.from({ length: count }, (_, i) => u32(v, abi.VALIDATOR_CATEGORIES + 4 * i)),
    calibrations: shownCalibrations(v),
  };
}

/** What the model's validator should show. */
export function modelValidator({ s }: Model, v: ModelValidator): Row {
  const seat = s.seats.get(v.seat);
  const open = s.challenges.filter((c) => c.target === v && c.status === abi.CHALLENGE_OPEN).length;
  const words = [v.status, v.agent.index, v.seat, v.baselineBp, figures.validatorReputation(s, v, s.now)];
  words.push(figures.assignmentWeight(v), v.decided, v.right, v.decided, v.slashes, v.collusions);
  words.push(v.isGenesis ? 1 : 0, v.reason, v.cycle, v.cluster ? v.cluster.index + 1 : 0, open);
  words.push(seat?.keyEpoch ?? 0, v.missedDraws, v.isJudge ? 1 : 0);
  const times = [v.registeredAt, v.lastDuty, v.suspendedAt, v.suspendedUntil, v.belowSince, v.activatedAt];
  times.push(v.probationStarted, v.nextKeyAt, v.nextRecoveryAt);
  times.push(v.passedAt === 0 ? 0 : v.passedAt + 7 * s.param(abi.PARAM_DAY_SECS));
  const counts = [...v.calibrations].sort(([a], [b]) => a - b);
  return {
    id: v.id,
    words,
    times,
    keys: [seat?.key, v.recovery, v.nextKey].map((key) => key || NONE),
    staked: v.agent.staked,
    weight: figures.voteWeight(s, v, s.now),
    objections: objectionWeight(s, v, s.now),
    categories: v.categories.map((name) => s.categories.indexOf(name)),
    calibrations: counts.map(([category, c]) => [
      category,
      c.signals,
      c.correct,
      c.canarySignals,
      c.canaryPoints,
      c.suspendedUntil,
    ]),
  };
}

/** What the next epoch's table is built of. */
export function shownSeats(core: Core): Row[] {
  const v = core.query(abi.QUERY_SEATS)!;
  return Array.from({ length: v.byteLength / abi.SEAT_BYTES }, (_, i) => {
    const at = i * abi.SEAT_BYTES;
    const words = [abi.SEAT_VALIDATOR, abi.SEAT_STATUS, abi.SEAT_KEY_EPOCH, abi.SEAT_OPERATOR];
    return {
      key: text(v, at + abi.SEAT_KEY),
      weight: u64(v, at + abi.SEAT_WEIGHT),
      words: words.map((word) => u32(v, at + word)),
      isRemoved: u32(v, at + abi.SEAT_IS_REMOVED),
      silentFrom: u32(v, at + abi.SEAT_SILENT_FROM),
      since: secs(v, at + abi.SEAT_SILENT_SINCE),
      grantsLeft: u64(v, at + abi.SEAT_GRANTS_LEFT),
      revision: u32(v, at + abi.SEAT_REVISION),
    };
  });
}

export function modelSeats({ s }: Model): Row[] {
  const seats = [...s.seats].sort(([a], [b]) => a - b);
  return seats.map(([number, seat]) => {
    const { key, keyEpoch, operator, validator: v } = seat;
    const from = silentFrom(s, number);
    return {
      key,
      weight: s.removed.has(number) ? 0n : fullWeight(s, seat),
      words: [v ? v.index + 1 : 0, v?.status ?? 0, keyEpoch, operator.index],
      isRemoved: s.removed.has(number) ? 1 : 0,
      silentFrom: from === undefined ? 0 : from + 1,
      since: from === undefined ? 0 : silentSince(s, from),
      grantsLeft: figures.grantsLeftOf(s, number),
      revision: s.named.get(number) ?? 0,
    };
  });
}

/** Fields of an EVENT_SEAT_WEIGHT, or undefined for other events. */
export function decodeSeatWeight(event: EventOutcome): Row | undefined {
  if (event.type !== abi.EVENT_SEAT_WEIGHT) return undefined;
  const v = new DataView(event.fields.buffer, event.fields.byteOffset);
  const [seat, change, epoch, from] = [0, 4, 8, 12].map((at) => u32(v, at));
  return { seat, change, epoch, silentFrom: from, since: secs(v, 16) };
}

/** Fields of an EVENT_VALIDATOR_STATUS, or undefined for other events. */
export function decodeValidatorEvent(event: EventOutcome): Row | undefined {
  if (event.type !== abi.EVENT_VALIDATOR_STATUS) return undefined;
  const v = new DataView(event.fields.buffer, event.fields.byteOffset);
  const [validator, status, reason, cycle] = [0, 4, 8, 12].map((at) => u32(v, at));
  return { validator, status, reason, cycle, until: secs(v, 16) };
}

/** Fields of an EVENT_SEAT_RESUMED, or undefined for other events. */
export function decodeSeatEvent(event: EventOutcome): Row | undefined {
  if (event.type !== abi.EVENT_SEAT_RESUMED) return undefined;
  const v = new DataView(event.fields.buffer, event.fields.byteOffset);
  return { seat: u32(v, 0), incarnation: u32(v, 4), epoch: secs(v, 8), mayLose: u32(v, 16) === 1 };
}

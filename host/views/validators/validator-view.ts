// The Validator object, built from the core's row (protocol 3.9).

import * as abi from '../../../assembly/abi.ts';
import type { State } from '../../core/state.ts';
import { suspensionReason, VALIDATOR_STATUS } from '../../core/validator-names.ts';
import type { CalibrationState, ValidatorState } from '../../core/validator-state.ts';
import type { Identities } from '../../execution/identity.ts';
import { toHex } from '../../wire/bytes.ts';

/** `part` / `whole` as a ratio, rounded down to four decimals. */
const ratio = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part * 10_000) / whole) / 10_000;

/** Leaves out members whose value is zero or undefined. */
const given = (members: Record<string, number | undefined>): Record<string, number> =>
  Object.fromEntries(Object.entries(members).filter((m): m is [string, number] => Boolean(m[1])));

/** A map by category name of the rows that pass the filter. */
function byCategory<T>(
  state: State,
  rows: readonly CalibrationState[],
  isShown: (row: CalibrationState) => boolean,
  show: (row: CalibrationState) => T,
): Record<string, T> {
  return Object.fromEntries(rows.filter(isShown).map((row) => [state.categoryName(row.category), show(row)]));
}

function signalsOf(state: State, { calibration }: ValidatorState, nowSecs: number) {
  return {
    calibration: byCategory(
      state,
      calibration,
      (k) => k.signals > 0,
      (k) => ({ signals: k.signals, correct: k.correct, accuracy: ratio(k.correct, k.signals) }),
    ),
    // A partly correct vote counts half for the accuracy, but not as a correct vote.
    canary: byCategory(
      state,
      calibration,
      (k) => k.canarySignals > 0,
      (k) => ({
        signals: k.canarySignals,
        correct: Math.floor(k.canaryPoints / 2),
        accuracy: ratio(k.canaryPoints, 2 * k.canarySignals),
      }),
    ),
    suspended_categories: byCategory(
      state,
      calibration,
      (k) => k.suspendedUntil > nowSecs,
      (k) => k.suspendedUntil,
    ),
  };
}

function suspensionOf(v: ValidatorState) {
  if (v.status !== abi.VALIDATOR_SUSPENDED) return {};
  return {
    suspension_reason: suspensionReason(v.reason),
    ...given({ suspended_at: v.suspendedAt, suspended_until: v.suspendedUntil }),
  };
}

function keysOf(v: ValidatorState) {
  const seat =
    v.seat === undefined ? {} : { consensus_public_key: toHex(v.consensusKey), key_epoch: v.keyEpoch };
  const pending = v.nextKey && {
    pending_rotation: { new_public_key: toHex(v.nextKey.key), effective_at: v.nextKey.at },
  };
  return { ...seat, recovery_configured: v.hasRecoveryKey, ...pending };
}

/** The object of a validator; it must exist. Amounts in micro-units, times in Unix seconds. */
export function validatorObject(ids: Identities, index: number): Record<string, unknown> {
  const { state } = ids;
  const v = state.validator(index)!;
  const { requiredStake, timeMs } = state.header();
  return {
    id: v.id,
    agent_id: ids.agentId(v.agent),
    status: VALIDATOR_STATUS[v.status],
    ...suspensionOf(v),
    ...given({ below_required_since: v.belowSince, activated_at: v.activatedAt }),
    ...keysOf(v),
    staked_amount: v.staked,
    required_stake: requiredStake,
    reputation_bp: v.reputationBp,
    vote_weight: v.voteWeight,
    assignment_weight: v.assignmentWeight,
    accuracy: ratio(v.votesRight, v.votesDecided),
    tasks_processed: v.tasksProcessed,
    slash_count: v.slashes,
    collusion_count: v.collusions,
    ...signalsOf(state, v, Math.floor(timeMs / 1000)),
    categories: v.categories.map((category) => state.categoryName(category)),
    ...(v.status === abi.VALIDATOR_PROBATION
      ? {
          probation_started_at: v.probationStarted,
          probation_cycle: v.probationCycle,
          missed_draws: v.missedDraws,
          ...(v.objectionsUntil === 0
            ? {}
            : { objections_until: v.objectionsUntil, objection_weight: v.objectionWeight }),
        }
      : {}),
    ...(v.cluster === undefined ? {} : { cluster_id: ids.validatorId(v.cluster) }),
    is_genesis: v.isGenesis,
    is_judge: v.isJudge,
    registered_at: v.registeredAt,
  };
}

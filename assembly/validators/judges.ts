// Judges that operators announced for the disputes of tasks (protocol 15.8).
// Keeps: only an active validator has one that counts; a vote that it missed on a panel withdraws it, so that panels are drawn
// from those who answer. Announcing gives nothing but a chance to be drawn.

import {
  FORBIDDEN_ACTOR,
  IN_JUDGE_IS_ANNOUNCED,
  IN_VALIDATOR,
  OK,
  RESULT_AGENT,
  RESULT_VALIDATOR,
  TASK_STATE,
  VALIDATOR_ACTIVE,
  VALIDATOR_NOT_FOUND,
} from '../abi';
import { commits, field32, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { header } from '../state/header';
import { countMiss } from './calibration';
import { candidateCount, isCandidate, layOut } from './candidates';
import { findNamedOrOwn } from './naming';
import { countStatus, markValidator, validatorAt, validatorInOrder } from './validators';
import { addActive, beginJudges, endJudges, holdsLeast } from './weight';

/** A panel is drawn from this number of judges at least. */
const MIN_JUDGES: u32 = 3;

/** True when the validator (index) has an announced judge. */
export function isJudge(index: u32): bool {
  const validator = validatorAt(index);
  return validator.isJudge != 0 && validator.status == VALIDATOR_ACTIVE;
}

/** Number of announced judges, at most `limit`: counted no further. */
export function announcedJudges(limit: u32): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < header().validatorCount && count < limit; i++) if (isJudge(i)) count++;
  return count;
}

function announce(index: u32, isAnnounced: bool): void {
  const validator = validatorAt(index);
  validator.isJudge = isAnnounced ? 1 : 0;
  markValidator(validator);
}

/**
 * OP_VALIDATOR_JUDGE. Errors: VALIDATOR_NOT_FOUND, FORBIDDEN_ACTOR, TASK_STATE (announced or withdrawn already; or not active,
 * which only hinders announcing).
 */
export function announceJudge(): i32 {
  const index = findNamedOrOwn(fieldAddress(IN_VALIDATOR));
  if (index < 0) return refuse(VALIDATOR_NOT_FOUND);
  const validator = validatorAt(<u32>index);
  if (validator.agent != frame().actor) return refuse(FORBIDDEN_ACTOR);
  const wanted = field32(IN_JUDGE_IS_ANNOUNCED);
  if (wanted == <u32>validator.isJudge) return refuse(TASK_STATE);
  if (wanted != 0 && validator.status != VALIDATOR_ACTIVE) return refuse(TASK_STATE);
  if (!commits()) return OK;

  announce(<u32>index, wanted != 0);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, <u64>index);
  return OK;
}

/** A judge (validator index) did not vote on its panel in time: it is withdrawn, and its accuracy in the category suffers. */
export function missPanel(index: u32, category: u32): void {
  announce(index, false);
  countMiss(index, category);
}

/**
 * True when enough of the validators that are not excluded can be drawn, and these hold enough weight, of all and of those
 * that announced a judge: neither three that announce one first nor three that alone have the stake must judge for a
 * network. Those that have not staked `cover` cannot be drawn. Lays out the candidates of a draw.
 */
export function hasEnoughJudges(category: u32, nowSecs: u64, cover: u64): bool {
  layOut(category, countStatus(VALIDATOR_ACTIVE), nowSecs, cover);
  if (candidateCount() < MIN_JUDGES) return false;
  beginJudges();
  for (let position: u32 = 0; position < header().validatorCount; position++) {
    const index = validatorInOrder(position);
    addActive(validatorAt(index), isCandidate(position), nowSecs, isJudge(index));
  }
  endJudges(nowSecs);
  return holdsLeast();
}

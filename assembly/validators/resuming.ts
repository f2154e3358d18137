// Resuming after a suspension, at the operator's request (protocol 4.3).
// Keeps: not before the cooldown has passed; a suspension for a low stake only ends with enough stake.

import {
  COOLDOWN_ACTIVE,
  FORBIDDEN_ACTOR,
  IN_VALIDATOR,
  OK,
  PERMANENTLY_EXCLUDED,
  RESULT_AGENT,
  RESULT_VALIDATOR,
  STAKE_BELOW_REQUIRED,
  STATUS_REASON_STAKE,
  TASK_STATE,
  VALIDATOR_ACTIVE,
  VALIDATOR_EXCLUDED,
  VALIDATOR_NOT_FOUND,
  VALIDATOR_SUSPENDED,
} from '../abi';
import { actor, commits, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { findNamedOrOwn } from './naming';
import { reactivate } from './status';
import { rearmValidator } from './timers';
import { countStatus, validatorAt } from './validators';
import { requiredStake } from './weight';

/**
 * OP_VALIDATOR_RESUME. Errors: VALIDATOR_NOT_FOUND, FORBIDDEN_ACTOR, PERMANENTLY_EXCLUDED, TASK_STATE (not suspended),
 * COOLDOWN_ACTIVE, STAKE_BELOW_REQUIRED. protocol 4.3.
 */
export function resumeValidator(): i32 {
  const index = findNamedOrOwn(fieldAddress(IN_VALIDATOR));
  if (index < 0) return refuse(VALIDATOR_NOT_FOUND);
  const validator = validatorAt(<u32>index);
  if (validator.agent != frame().actor) return refuse(FORBIDDEN_ACTOR);
  if (validator.status == VALIDATOR_EXCLUDED) return refuse(PERMANENTLY_EXCLUDED);
  if (validator.status != VALIDATOR_SUSPENDED) return refuse(TASK_STATE);
  const untilSecs = validator.suspendedUntilSecs;
  if (frame().nowSecs < untilSecs) return refuse(COOLDOWN_ACTIVE, untilSecs);
  if (validator.reason == STATUS_REASON_STAKE) {
    const required = requiredStake(countStatus(VALIDATOR_ACTIVE));
    if (actor().staked < required) return refuse(STAKE_BELOW_REQUIRED, actor().staked, required);
  }
  if (!commits()) return OK;

  reactivate(validator);
  rearmValidator(<u32>index);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, <u64>index);
  return OK;
}

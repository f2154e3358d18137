// Documents for validators and their keys (protocol 2.1).

import * as abi from '../../../assembly/abi.ts';
import type { SeatResumedEvent, SeatWeightEvent, ValidatorStatusEvent } from '../../core/validator-events.ts';
import { SEAT_WEIGHT_CHANGE, suspensionReason, VALIDATOR_STATUS } from '../../core/validator-names.ts';
import { toHex } from '../../wire/bytes.ts';
import { categoryList } from '../../wire/category.ts';
import type { VALIDATOR_OPERATIONS } from '../../wire/operations/validators.ts';
import type { EventWriter, Place } from './event-writer.ts';
import type { ExecutedTx, Projections } from './types.ts';

/** Id of the validator in the second word of a result. */
const validatorOf = ({ outcome, writer }: ExecutedTx): string => writer.c.ids.validatorId(outcome.words[1]!);

export const VALIDATOR_PROJECTIONS: Projections<keyof typeof VALIDATOR_OPERATIONS> = {
  validatorApply(tx) {
    tx.doc.payload = {
      categories: categoryList(tx.parsed.args.categories ?? []),
      validator_id: validatorOf(tx),
      status: VALIDATOR_STATUS[abi.VALIDATOR_PROBATION],
    };
  },
  validatorResume(tx) {
    tx.doc.payload = { validator_id: validatorOf(tx), status: VALIDATOR_STATUS[abi.VALIDATOR_ACTIVE] };
  },
  validatorObject(tx) {
    const [, , weight, total] = tx.outcome.words;
    tx.doc.payload = {
      validator_id: validatorOf(tx),
      reason: tx.parsed.args.reason,
      objection_weight: weight,
      total_weight: total,
    };
  },
  validatorJudge(tx) {
    tx.doc.payload = { validator_id: validatorOf(tx), announced: tx.parsed.args.announced };
  },
  recoverySet(tx) {
    tx.doc.payload = {
      validator_id: validatorOf(tx),
      recovery_public_key: tx.parsed.args.recovery_public_key.toLowerCase(),
      effective_at: tx.outcome.words[2]!,
    };
  },
  keyRotate(tx) {
    const [, , effectiveAt, oldEpoch, newEpoch, isRecovery] = tx.outcome.words;
    tx.doc.payload = {
      validator_id: validatorOf(tx),
      // A rotation signed by the old key takes effect at once; vertices use the new key from the next epoch on.
      effective_at: effectiveAt || tx.place.timeSecs,
      old_public_key: toHex(tx.outcome.oldKey!),
      new_public_key: tx.parsed.args.new_public_key.toLowerCase(),
      old_key_epoch: oldEpoch,
      new_key_epoch: newEpoch,
      signed_by: isRecovery === 1 ? 'recovery' : 'old',
    };
  },
};

/** Writes a status change that the validator did not request. */
export function projectValidatorStatus(o: ValidatorStatusEvent, writer: EventWriter, place: Place): void {
  const payload = {
    validator_id: writer.c.ids.validatorId(o.validator),
    status: VALIDATOR_STATUS[o.status],
    reason: statusReason(o),
    ...(o.suspendedUntil === 0 ? {} : { suspended_until: o.suspendedUntil }),
  };
  writer.system('validator_status', o, payload, place);
}

/** Writes that a seat resumed in a new incarnation; every seat has a validator id in the manifest. */
export function projectSeatResumed(o: SeatResumedEvent, writer: EventWriter, place: Place): void {
  const { seat, epoch, incarnation, mayLoseWrites } = o;
  const validator_id = writer.c.ids.seatName(seat);
  const payload = { validator_id, seat, epoch, incarnation, writes_may_be_lost: mayLoseWrites };
  writer.system('seat_resumed', o, payload, place);
}

/** Writes that a seat lost its ordering weight, or has it again. */
export function projectSeatWeight(o: SeatWeightEvent, writer: EventWriter, place: Place): void {
  const { seat, change, epoch, silence } = o;
  const payload = {
    seat,
    validator_id: writer.c.ids.seatName(seat),
    change: SEAT_WEIGHT_CHANGE[change],
    epoch,
    ...(silence && { silent_from_epoch: silence.fromEpoch, silent_since: silence.sinceSecs }),
  };
  writer.system('seat_weight', o, payload, place);
}

/** The event's name for the reason of a status change. */
function statusReason({ reason, status }: ValidatorStatusEvent): string | undefined {
  if (reason === abi.STATUS_REASON_EQUIVOCATION) return 'equivocation';
  if (reason === abi.STATUS_REASON_CANARY) return 'canary_accuracy';
  if (reason === abi.STATUS_REASON_PASSED) return 'probation_awaits_objections';
  if (reason === abi.STATUS_REASON_OBJECTED) return 'objected';
  if (reason !== abi.STATUS_REASON_PROBATION) return suspensionReason(reason);
  if (status === abi.VALIDATOR_ACTIVE) return 'probation_passed';
  return status === abi.VALIDATOR_EXCLUDED ? 'probation_failed' : 'probation_repeated';
}

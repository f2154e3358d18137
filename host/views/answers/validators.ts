// Answer bodies of writes about validators and their keys (protocol 4.3).

import type { VALIDATOR_OPERATIONS } from '../../wire/operations/validators.ts';
import { validatorObject } from '../validators/validator-view.ts';
import type { Answers, SucceededWrite } from './types.ts';

/** The Validator object after the batch. */
const shown = ({ words, c }: SucceededWrite): object => validatorObject(c.ids, words[1]!);

export const VALIDATOR_ANSWERS: Answers<keyof typeof VALIDATOR_OPERATIONS> = {
  validatorApply: shown,
  validatorResume: shown,
  validatorObject: ({ words, base, c }) => ({
    event_id: base.event_id,
    validator_id: c.ids.validatorId(words[1]!),
    objection_weight: words[2],
    total_weight: words[3],
    is_rejected: words[2]! * 3 > words[3]!,
  }),
  validatorJudge: shown,
  keyRotate: shown,
  recoverySet: ({ words, base, c }) => ({
    event_id: base.event_id,
    validator_id: c.ids.validatorId(words[1]!),
    status: 'recovery_key_set',
    effective_at: words[2],
  }),
};

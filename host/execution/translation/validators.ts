// Commands of validators and their keys (protocol 4.3).

import * as abi from '../../../assembly/abi.ts';
import * as commands from '../../core/validator-commands.ts';
import { ServiceError } from '../../errors.ts';
import { fromHex } from '../../wire/bytes.ts';
import { categoryList } from '../../wire/category.ts';
import type { VALIDATOR_OPERATIONS } from '../../wire/operations/validators.ts';
import type { Translators } from './types.ts';

/** Replaces an empty path segment: no validator has this name. */
const NOBODY = '?';

export const VALIDATOR_TRANSLATORS: Translators<keyof typeof VALIDATOR_OPERATIONS> = {
  validatorApply: ({ args }, { head }) =>
    commands.validatorApply(head, categoryList(args.categories ?? []), args.max_fee ?? 0),
  validatorResume: ({ path }, { head }) => commands.validatorResume(head, path.id || NOBODY),
  validatorObject: ({ path }, { head }) => commands.validatorObject(head, path.id || NOBODY),
  validatorJudge: ({ args, path }, { head }) =>
    commands.validatorJudge(head, path.id || NOBODY, args.announced),
  keyRotate({ args, path }, { head }) {
    // Only SERVICE-TX-V1 signs the chain id, which a consensus key requires (protocol 4.3, 13 #25).
    if (head.auth === abi.AUTH_REQUEST_V1) throw new ServiceError('auth_required');
    return commands.keyRotate(head, path.id || NOBODY, fromHex(args.new_public_key)!);
  },
  recoverySet: ({ args }, { head }) =>
    commands.recoverySet(head, args.validator_id ?? '', fromHex(args.recovery_public_key)!),
};

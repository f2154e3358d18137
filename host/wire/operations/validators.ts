// Writes about validators and their keys (protocol 4.3).

import { invalid } from '../../errors.ts';
import { fromHex } from '../bytes.ts';
import { isAcceptableKey } from '../public-key.ts';
import type { Operation } from './types.ts';

/** The supply. */
const MAX_FEE = 1e15;
const SELF = ['agent_id'] as const;
const KEY = { kind: 'str', max: 64, form: 'hex64', required: true } as const;

const checkKey =
  (name: string) =>
  (args: Readonly<Record<string, unknown>>): void => {
    if (!isAcceptableKey(fromHex(args[name] as string)!)) {
      throw invalid(`${name} is not an acceptable Ed25519 key`);
    }
  };

export const VALIDATOR_OPERATIONS = {
  validatorApply: {
    method: 'POST',
    path: '/v1/validators',
    fields: {
      categories: { kind: 'strs', maxItems: 20, maxBytes: 50, doc: 'default empty: all' },
      max_fee: {
        kind: 'int',
        max: MAX_FEE,
        doc: 'micro-units; refused if the row of the validator costs more; default 0',
      },
    },
    example: { categories: ['research', 'data'] },
    actors: SELF,
    scope: 'verification',
    event: 'validator_applied',
    status: 201,
  },
  validatorResume: {
    method: 'POST',
    path: '/v1/validators/{id}/resume',
    fields: {},
    example: {},
    actors: SELF,
    namesOwnValidator: true,
    scope: 'verification',
    event: 'validator_resumed',
    status: 200,
  },
  validatorObject: {
    method: 'POST',
    path: '/v1/validators/{id}/objections',
    fields: {
      reason: {
        kind: 'str',
        min: 1,
        max: 1000,
        required: true,
        doc: 'why it should not judge; published with the event',
      },
    },
    example: { reason: 'its stake comes from the grants of twenty new agents' },
    actors: SELF,
    event: 'validator_objected',
    status: 201,
  },
  validatorJudge: {
    method: 'POST',
    path: '/v1/validators/{id}/judge',
    fields: {
      announced: {
        kind: 'bool',
        required: true,
        doc: 'true: it may be drawn for panels of disputes; false: not any more',
      },
    },
    example: { announced: true },
    actors: SELF,
    namesOwnValidator: true,
    event: 'validator_judge',
    status: 200,
  },
  keyRotate: {
    method: 'POST',
    path: '/v1/validators/{id}/rotate',
    fields: { new_public_key: { ...KEY, doc: 'hex of the new consensus key' } },
    check: checkKey('new_public_key'),
    example: { new_public_key: 'd04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737' },
    actors: [],
    isSignedByKey: true,
    event: 'ValidatorKeyRotate',
    status: 200,
  },
  recoverySet: {
    method: 'POST',
    path: '/v1/validator/recovery',
    fields: {
      recovery_public_key: { ...KEY, doc: 'hex of a key that is kept elsewhere' },
      validator_id: { kind: 'str', max: 64, form: 'agent', doc: "default: the actor's validator" },
    },
    check: checkKey('recovery_public_key'),
    example: { recovery_public_key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025' },
    actors: SELF,
    event: 'recovery_key_set',
    status: 201,
  },
} as const satisfies Record<string, Operation>;

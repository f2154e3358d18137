// Routes of validators and their keys (protocol 4.3).

import type { ReadContext } from '../context.ts';
import * as validators from '../handlers/validators.ts';
import type { ReadRoute, WriteRoute } from '../route.ts';
import { get, PAGE } from './get.ts';

const STATUSES = ['probation', 'active', 'suspended', 'excluded'] as const;

export const VALIDATOR_READS: ReadRoute<ReadContext>[] = [
  get('/v1/validators', 'validators_list', 'Validators', 'Validator[]', validators.validators, {
    query: [{ kind: 'enum', name: 'status', values: STATUSES }, { kind: 'text', name: 'category' }, PAGE],
  }),
  get('/v1/validators/{id}', 'validators_get', 'One validator', 'Validator', validators.validator, {
    errors: ['validator_not_found'],
  }),
];

export const VALIDATOR_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/validators',
    id: 'validators_apply',
    summary: 'Apply as a validator',
    operation: 'validatorApply',
    reply: 'Validator',
    errors: ['already_validator', 'permanently_excluded', 'stake_below_required', 'insufficient_balance'],
    limit: 'validators',
  },
  {
    method: 'POST',
    path: '/v1/validators/{id}/resume',
    id: 'validators_resume',
    summary: 'End a suspension',
    operation: 'validatorResume',
    reply: 'Validator',
    errors: [
      'validator_not_found',
      'permanently_excluded',
      'invalid_state',
      'cooldown_active',
      'stake_below_required',
    ],
    limit: 'resume',
  },
  {
    method: 'POST',
    path: '/v1/validators/{id}/objections',
    id: 'validators_object',
    summary: 'Object to an applicant that passed probation',
    operation: 'validatorObject',
    reply: 'ObjectionResult',
    errors: ['validator_not_found', 'not_a_validator', 'invalid_state', 'already_voted'],
  },
  {
    method: 'POST',
    path: '/v1/validators/{id}/judge',
    id: 'validators_judge',
    summary: 'Announce a judge for the panels of disputes, or withdraw it',
    operation: 'validatorJudge',
    reply: 'Validator',
    errors: ['validator_not_found', 'invalid_state'],
  },
  {
    method: 'POST',
    path: '/v1/validators/{id}/rotate',
    id: 'validators_rotate',
    summary: "Rotate a seat's consensus key; signed by the old key or the recovery key",
    operation: 'keyRotate',
    reply: 'Validator',
    errors: ['validator_not_found', 'forbidden_actor', 'key_in_use', 'rotation_pending'],
    limit: 'rotate',
  },
  {
    method: 'POST',
    path: '/v1/validator/recovery',
    id: 'validators_set_recovery_key',
    summary: 'Set the recovery key of a validator',
    operation: 'recoverySet',
    reply: 'RecoveryKeySet',
    errors: ['validator_not_found', 'key_in_use'],
    limit: 'recovery',
  },
];

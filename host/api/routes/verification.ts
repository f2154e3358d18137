// Routes of verdicts, validators and API keys (DECISIONS 4.3, 4.9).

import { VERIFIABLE_TYPES } from '../../store/event-types.ts';
import type { ReadContext } from '../context.ts';
import * as validators from '../handlers/validators.ts';
import type { ReadRoute, WriteRoute } from '../route.ts';
import { get, PAGE } from './get.ts';

const STATUSES = ['probation', 'active', 'suspended', 'excluded'] as const;

export const VERIFICATION_READS: ReadRoute<ReadContext>[] = [
  get('/v1/pending', 'verification', 'Events that wait for a verdict', 'PendingEvent[]', validators.pending, {
    query: [
      { kind: 'enum', name: 'event_type', values: VERIFIABLE_TYPES },
      { kind: 'text', name: 'agent_id' },
      { kind: 'text', name: 'assigned_to' },
      PAGE,
    ],
  }),
  get('/v1/validators', 'verification', 'Validators', 'Validator[]', validators.validators, {
    query: [{ kind: 'enum', name: 'status', values: STATUSES }, { kind: 'text', name: 'category' }, PAGE],
  }),
  get('/v1/validators/{id}', 'verification', 'One validator', 'Validator', validators.validator, {
    errors: ['validator_not_found'],
  }),
  get('/v1/platform/keys/{key}', 'platform', 'An API key by its id', 'ApiKey', validators.apiKey, {
    errors: ['key_not_found'],
  }),
];

export const VERIFICATION_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/verify',
    tag: 'verification',
    summary: 'Verdict of a validator',
    operation: 'verify',
    reply: 'VerifyResult',
    errors: ['event_not_found', 'not_pending', 'self_dealing', 'not_a_validator', 'already_voted'],
    limit: 'verify',
  },
  {
    method: 'POST',
    path: '/v1/platform/keys',
    tag: 'platform',
    summary: 'Create an API key',
    operation: 'keyCreate',
    reply: 'KeyCreated',
    errors: ['not_found', 'invalid_state'],
    testnetOnly: true,
  },
  {
    method: 'DELETE',
    path: '/v1/platform/keys/{key}',
    tag: 'platform',
    summary: 'Revoke an API key',
    operation: 'keyRevoke',
    reply: 'KeyRevoked',
    errors: ['not_found', 'key_not_found', 'forbidden_actor'],
    testnetOnly: true,
  },
];

// Routes of verdicts and API keys (protocol 4.3, 4.9).

import { VERIFIABLE_TYPES } from '../../store/event-types.ts';
import type { ReadContext } from '../context.ts';
import * as verification from '../handlers/verification.ts';
import type { ReadRoute, WriteRoute } from '../route.ts';
import { get, PAGE } from './get.ts';

export const VERIFICATION_READS: ReadRoute<ReadContext>[] = [
  get(
    '/v1/pending',
    'verification_pending',
    'Events waiting for verdicts',
    'PendingEvent[]',
    verification.pending,
    {
      query: [
        { kind: 'enum', name: 'event_type', values: VERIFIABLE_TYPES },
        { kind: 'text', name: 'agent_id' },
        { kind: 'text', name: 'assigned_to' },
        PAGE,
      ],
    },
  ),
  get('/v1/platform/keys/{key}', 'platform_key', 'An API key by its id', 'ApiKey', verification.apiKey, {
    errors: ['key_not_found'],
  }),
];

export const VERIFICATION_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/verify',
    id: 'verification_verify',
    summary: "A validator's verdict on an event",
    operation: 'verify',
    reply: 'VerifyResult',
    errors: [
      'event_not_found',
      'not_pending',
      'self_dealing',
      'not_a_validator',
      'not_assigned',
      'already_voted',
      'not_committed',
      'reveal_early',
      'commitment_differs',
    ],
    limit: 'verify',
  },
  {
    method: 'POST',
    path: '/v1/verify/commit',
    id: 'verification_commit',
    summary: "A validator's commitment to its vote on a dispute",
    operation: 'voteCommit',
    reply: 'VoteCommitted',
    errors: [
      'event_not_found',
      'not_pending',
      'self_dealing',
      'not_a_validator',
      'not_assigned',
      'already_voted',
      'commitments_over',
    ],
    limit: 'verify',
  },
  {
    method: 'POST',
    path: '/v1/platform/keys',
    id: 'platform_create_key',
    summary: 'Create an API key',
    operation: 'keyCreate',
    reply: 'KeyCreated',
    errors: ['not_found', 'insufficient_balance', 'invalid_state'],
    testnetOnly: true,
  },
  {
    method: 'DELETE',
    path: '/v1/platform/keys/{key}',
    id: 'platform_revoke_key',
    summary: 'Revoke an API key',
    operation: 'keyRevoke',
    reply: 'KeyRevoked',
    errors: ['not_found', 'key_not_found', 'forbidden_actor'],
    testnetOnly: true,
  },
];

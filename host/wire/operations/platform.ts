// Writes about API keys (protocol 4.9).

import { type Operation, SCOPES } from './types.ts';

export const PLATFORM_OPERATIONS = {
  keyCreate: {
    method: 'POST',
    path: '/v1/platform/keys',
    fields: {
      name: { kind: 'str', min: 1, max: 64, required: true },
      scopes: { kind: 'strs', maxItems: SCOPES.length, maxBytes: 32, values: SCOPES, doc: 'default ["*"]' },
      expires_at: { kind: 'int', min: 1, doc: 'Unix seconds, later than now' },
      hourly_limit: { kind: 'int', min: 1, max: 1000, doc: 'writes per hour, default 1000' },
      issuing_node: {
        kind: 'str',
        min: 1,
        max: 64,
        doc: 'hex64 consensus key of the node that is asked; required where the network has several seats',
      },
    },
    example: {
      name: 'build server',
      scopes: ['tasks', 'transfers'],
      expires_at: 4_102_444_800,
      hourly_limit: 100,
      issuing_node: '{node_key}',
    },
    actors: ['agent_id'],
    open: 'anyone',
    event: 'api_key_created',
    status: 201,
  },
  keyRevoke: {
    method: 'DELETE',
    path: '/v1/platform/keys/{key}',
    fields: {},
    example: {},
    actors: [],
    scope: 'platform',
    event: 'api_key_revoked',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

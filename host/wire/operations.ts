// The catalogue of writes: method, path, fields, who acts, which API-key scope opens it, which event it makes.
// Keeps: a request means the same operation on every node and in the browser; the route table, the executor and
// the API description all read this table. Never looks at state: what needs state is checked by the core.

import { invalid } from '../errors.ts';
import type { FieldTable, Values } from './fields.ts';
import { readFields } from './fields.ts';

const AMOUNT = { kind: 'int', min: 1, required: true } as const;
const AGENT = { kind: 'str', max: 64, form: 'agent' } as const;

export const SCOPES = [
  '*',
  'agents',
  'transfers',
  'staking',
  'verification',
  'tasks',
  'coordination',
  'challenges',
  'replay',
  'platform',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Body members that name who acts; on every signed write each of them must name the signer (DECISIONS 1.7). */
export const ACTOR_FIELDS = [
  'from_agent',
  'agent_id',
  'claimer_id',
  'poster_id',
  'approver_id',
  'challenger_id',
  'submitter_id',
  'validator_id',
] as const;

export interface Operation {
  method: 'POST' | 'PUT' | 'DELETE';
  /** Template; `{name}` stands for one percent-encoded segment. */
  path: string;
  fields: FieldTable;
  /** Body members that name the acting agent in unsigned mode, first present wins (DECISIONS 1.7). */
  actors: readonly (typeof ACTOR_FIELDS)[number][];
  /** API-key scope; undefined: no API key is ever accepted (DECISIONS 5.5). */
  scope?: Scope;
  event: string;
  /** HTTP status of success. */
  status: 200 | 201;
}

export const OPERATIONS = {
  register: {
    method: 'POST',
    path: '/v1/agents',
    fields: {
      agent_id: { kind: 'str', max: 64, form: 'agent', doc: 'default: hex of the public key' },
      public_key_b64: { kind: 'str', max: 64, form: 'base64', doc: 'base64 of the 32-byte Ed25519 key' },
      initial_stake: { kind: 'int', doc: 'micro-units, at most the grant' },
      display_name: { kind: 'str', max: 64 },
    },
    actors: [],
    event: 'registration',
    status: 201,
  },
  faucet: {
    method: 'POST',
    path: '/v1/faucet',
    fields: {},
    actors: ['agent_id'],
    scope: 'agents',
    event: 'faucet_grant',
    status: 200,
  },
  transfer: {
    method: 'POST',
    path: '/v1/transfer',
    fields: {
      to_agent: { kind: 'str', min: 1, max: 64, required: true },
      amount: AMOUNT,
      memo: { kind: 'str', max: 256 },
    },
    actors: ['from_agent'],
    scope: 'transfers',
    event: 'transfer',
    status: 201,
  },
  generation: {
    method: 'POST',
    path: '/v1/generation',
    fields: {
      beneficiary: AGENT,
      claimed_value: AMOUNT,
      evidence_hash: { kind: 'str', min: 1, max: 128, required: true },
      task_description: { kind: 'str', max: 5000 },
    },
    actors: ['agent_id'],
    scope: 'transfers',
    event: 'generation',
    status: 201,
  },
  stake: {
    method: 'POST',
    path: '/v1/stake',
    fields: { amount: AMOUNT },
    actors: ['agent_id'],
    scope: 'staking',
    event: 'stake',
    status: 200,
  },
  unstake: {
    method: 'POST',
    path: '/v1/unstake',
    fields: { amount: AMOUNT },
    actors: ['agent_id'],
    scope: 'staking',
    event: 'unstake',
    status: 200,
  },
  verify: {
    method: 'POST',
    path: '/v1/verify',
    fields: {
      event_id: { kind: 'str', min: 1, max: 128, required: true },
      verdict: { kind: 'bool', required: true, doc: 'true approves' },
      verified_value: {
        kind: 'int',
        doc: 'micro-units; generation: 1..claimed_value, default claimed_value',
      },
    },
    actors: ['validator_id', 'agent_id'],
    scope: 'verification',
    event: 'verification',
    status: 200,
  },
  keyCreate: {
    method: 'POST',
    path: '/v1/platform/keys',
    fields: {
      name: { kind: 'str', min: 1, max: 64, required: true },
      scopes: { kind: 'strs', maxItems: SCOPES.length, maxBytes: 32, values: SCOPES, doc: 'default ["*"]' },
      expires_at: { kind: 'int', doc: 'Unix seconds, later than now' },
      hourly_limit: { kind: 'int', min: 1, max: 1000, doc: 'writes per hour, default 1000' },
    },
    actors: ['agent_id'],
    event: 'api_key_created',
    status: 201,
  },
  keyRevoke: {
    method: 'DELETE',
    path: '/v1/platform/keys/{key}',
    fields: {},
    actors: [],
    scope: 'platform',
    event: 'api_key_revoked',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export type Args<N extends OperationName> = Values<(typeof OPERATIONS)[N]['fields']>;

/** A parsed write: the operation, its checked fields, the path's segments, who the body says acts. */
export type Parsed = {
  [N in OperationName]: {
    name: N;
    args: Args<N>;
    path: Record<string, string>;
    /** Every actor field that the body holds, as sent. */
    actors: { field: string; value: string }[];
  };
}[OperationName];

export interface PathMatch {
  name: OperationName;
  path: Record<string, string>;
}

const TEMPLATES = Object.entries(OPERATIONS).map(([name, op]) => ({
  name: name as OperationName,
  method: op.method as string,
  segments: op.path.split('/'),
}));

/** The operation that a method and raw path name, or undefined. Segments are split first, then decoded (1.2). */
export function matchOperation(method: string, path: string): PathMatch | undefined {
  const given = path.split('/');
  next: for (const t of TEMPLATES) {
    if (t.method !== method || t.segments.length !== given.length) continue;
    const values: Record<string, string> = {};
    for (let i = 0; i < given.length; i++) {
      const want = t.segments[i]!;
      if (want.startsWith('{')) {
        try {
          values[want.slice(1, -1)] = decodeURIComponent(given[i]!);
        } catch {
          throw invalid('path is not valid percent-encoded UTF-8');
        }
      } else if (want !== given[i]) continue next;
    }
    return { name: t.name, path: values };
  }
  return undefined;
}

/**
 * Checks the body of a write against its operation's table. `value` is the parsed JSON body.
 * Errors: 400 `invalid_request`.
 */
export function parseOperation(match: PathMatch, value: unknown): Parsed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('the body must be a JSON object');
  }
  const body = value as Record<string, unknown>;
  const args = readFields(OPERATIONS[match.name].fields as FieldTable, body);
  const actors: { field: string; value: string }[] = [];
  for (const field of ACTOR_FIELDS) {
    // A registration's agent_id is the name it asks for; parsed among its fields.
    const given = Object.hasOwn(body, field) ? body[field] : undefined;
    if (given === undefined || given === null || given === '') continue;
    if (match.name === 'register' && field === 'agent_id') continue;
    if (typeof given !== 'string') throw invalid(`${field} must be a string`);
    actors.push({ field, value: given });
  }
  return { name: match.name, args, path: match.path, actors } as unknown as Parsed;
}

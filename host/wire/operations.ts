// The catalogue of writes: method, path, fields, acting agent, API-key scope, and the event each write creates.
// Keeps: a request means the same operation on every node and in the browser; the route table, the executor and
// the API description all read this table. Never reads state: whatever needs state is checked by the core.

import { invalid } from '../errors.ts';
import type { Values } from './fields.ts';
import { readFields } from './fields.ts';
import { CANARY_OPERATIONS, CASE_OPERATIONS } from './operations/cases.ts';
import { LEDGER_OPERATIONS } from './operations/ledger.ts';
import { MARKET_OPERATIONS } from './operations/market.ts';
import { PLATFORM_OPERATIONS } from './operations/platform.ts';
import { PROGRAM_OPERATIONS } from './operations/programs.ts';
import { TASK_OPERATIONS } from './operations/tasks.ts';
import { ACTOR_FIELDS, type Operation } from './operations/types.ts';
import { VALIDATOR_OPERATIONS } from './operations/validators.ts';

export { ACTOR_FIELDS, type Operation, SCOPES, type Scope } from './operations/types.ts';

/** One table for each domain; operation names are unique across all of them. */
export const OPERATIONS = {
  ...LEDGER_OPERATIONS,
  ...TASK_OPERATIONS,
  ...MARKET_OPERATIONS,
  ...PLATFORM_OPERATIONS,
  ...PROGRAM_OPERATIONS,
  ...VALIDATOR_OPERATIONS,
  ...CASE_OPERATIONS,
  ...CANARY_OPERATIONS,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export type Args<N extends OperationName> = Values<(typeof OPERATIONS)[N]['fields']>;

/** A parsed write: the operation, its checked fields, the path parameters, and the actors the body names. */
export type Parsed = {
  [N in OperationName]: {
    name: N;
    args: Args<N>;
    path: Record<string, string>;
    /** Every actor field in the body, as sent. */
    actors: { field: string; value: string }[];
  };
}[OperationName];

/** A parsed write of one operation. */
export type ParsedOf<N extends OperationName> = Extract<Parsed, { name: N }>;

interface PathMatch {
  name: OperationName;
  path: Record<string, string>;
}

/** Operations without a parameter in their path, by method and path. */
const PLAIN = new Map<string, Map<string, OperationName>>();
for (const [name, { method, path }] of Object.entries(OPERATIONS)) {
  if (path.includes('{')) continue;
  const ofMethod = PLAIN.get(method) ?? new Map<string, OperationName>();
  PLAIN.set(method, ofMethod.set(path, name as OperationName));
}
const TEMPLATES = Object.entries(OPERATIONS).map(([name, op]) => ({
  name: name as OperationName,
  method: op.method as string,
  segments: op.path.split('/'),
}));

/** The operation of a method and raw path, or undefined. Segments are split first, then decoded (protocol 1.2). */
export function matchOperation(method: string, path: string): PathMatch | undefined {
  const plain = PLAIN.get(method)?.get(path);
  if (plain) return { name: plain, path: {} };
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
  const operation: Operation = OPERATIONS[match.name];
  const args = readFields(operation.fields, body, operation.isSignedByKey ? [] : ACTOR_FIELDS);
  operation.check?.(args);
  const actors = operation.isSignedByKey ? [] : namedActors(match, operation, body);
  return { name: match.name, args, path: match.path, actors } as unknown as Parsed;
}

/** The actors that the body and the path name. Errors: 400 `invalid_request`. */
function namedActors(
  match: PathMatch,
  operation: Operation,
  body: Record<string, unknown>,
): { field: string; value: string }[] {
  const actors: { field: string; value: string }[] = [];
  for (const field of ACTOR_FIELDS) {
    // In a registration agent_id is the requested name, which is parsed as a field.
    const given = Object.hasOwn(body, field) ? body[field] : undefined;
    if (given === undefined || given === null || given === '') continue;
    if (match.name === 'register' && field === 'agent_id') continue;
    if (typeof given !== 'string') throw invalid(`${field} must be a string`);
    actors.push({ field, value: given });
  }
  const segment = operation.namesOwnValidator ? 'id' : operation.pathActor;
  if (segment) actors.push({ field: segment, value: match.path[segment]! });
  return actors;
}

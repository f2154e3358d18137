// The row type of the catalogue of writes, and the names that its tables share.

import type { FieldTable } from '../fields.ts';

/** A required amount, in micro-units. */
export const AMOUNT = { kind: 'int', min: 1, required: true } as const;
/** Names an agent by agent_id or key; an empty string counts as absent. */
export const AGENT = { kind: 'str', max: 64, form: 'agent' } as const;

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

/**
 * Body members that name the acting agent; in a signed write each of them must name the signer (protocol 1.7). They are the
 * only members beside an operation's own that a body may have, on every write, as clients send them freely.
 */
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
  /** Template; `{name}` matches one percent-encoded segment. */
  path: string;
  fields: FieldTable;
  /** Rules that involve more than one field. Throws 400 `invalid_request`. */
  check?(args: Readonly<Record<string, unknown>>): void;
  /**
   * A body that works, for the API description. `{name}` is a placeholder for a value from the network
   * (placeholders.ts); everything else can be sent unchanged. A test executes each of them.
   */
  example: Readonly<Record<string, unknown>>;
  /** Body members that name the acting agent in unsigned mode, first present wins (protocol 1.7). */
  actors: readonly (typeof ACTOR_FIELDS)[number][];
  /** Segment of the path that names the acting agent (protocol 1.7). */
  pathActor?: string;
  /**
   * The path's `id` names a validator that the acting agent must operate. For an unknown one the core answers 404
   * (protocol 1.7, 4.3).
   */
  namesOwnValidator?: boolean;
  /**
   * Signed under SERVICE-TX-V1 by a key that need not belong to an agent: the rules for acting agents do not apply
   * (protocol 4.3).
   */
  isSignedByKey?: boolean;
  /** Whom unsigned requests may act for while legacy_open_coordination is on (protocol 5.6). */
  open?: 'anyone' | 'own identity';
  /** Created by nodes and accepted from vertices only: no endpoint. */
  isNodeOnly?: true;
  /** API-key scope; undefined: API keys are never accepted (protocol 5.5). */
  scope?: Scope;
  event: string;
  /** HTTP status of success. */
  status: 200 | 201;
}

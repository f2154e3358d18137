// The error catalogue (protocol 2.2): code -> HTTP status, default text, and whether the state is what refuses.
// Keeps: every code that the node sends is in this table; no other file defines codes or statuses.
// Clients rely on the code; texts may change, except those that protocol 2.2 quotes.

/** In a row: the state here is the reason, so the same request may pass at a node that has executed more (protocol 1.6). */
const OF_STATE = true;
type Row = readonly [status: number, text: string, isOfState?: boolean];

export const ERRORS = {
  invalid_request: [400, 'invalid request'],
  tx_missing_header: [400, 'tx: missing required header'],
  tx_unsupported_version: [400, 'tx: unsupported version'],
  tx_chain_mismatch: [400, 'tx: chain_id mismatch'],
  tx_invalid_timestamp: [400, 'tx: invalid timestamp'],
  tx_expired: [400, 'tx: transaction expired'],
  tx_invalid_nonce: [400, 'tx: invalid nonce format'],
  tx_signature_invalid: [400, 'tx: signature verification failed'],
  not_pending: [400, 'event is already decided, has expired, or takes no verdict', OF_STATE],
  budget_below_minimum: [400, 'budget is below the minimum', OF_STATE],
  bond_below_minimum: [400, 'bond is below the minimum', OF_STATE],
  delivery_mismatch: [400, "result_encrypted does not match the task's delivery method", OF_STATE],
  not_sealed: [
    400,
    'a sealed delivery is a box of the form vws-sealed-v2 with its key_commitment, so that a dispute can open it',
    OF_STATE,
  ],
  content_key_needed: [
    400,
    'the delivery is sealed, so judges cannot read it: give its content_key, or open it first; who does not open it concedes',
    OF_STATE,
  ],
  content_key_mismatch: [400, 'content_key is not the key that the delivery was sealed with', OF_STATE],
  delivery_missing: [
    400,
    'nothing is delivered: give result_content, or where the task takes external deliveries result_hash and result_uri',
    OF_STATE,
  ],
  result_hash_mismatch: [400, 'result_hash is not the SHA-256 of result_content', OF_STATE],
  insufficient_stake: [400, 'amount is above the staked amount', OF_STATE],
  invalid_webhook_url: [400, 'webhook_url is not acceptable'],
  auth_required: [401, 'this write needs a signature or an API key'],
  auth_failed: [401, 'SERVICE-REQUEST-V1 authentication failed'],
  invalid_api_key: [401, 'API key is unknown, revoked, expired or not valid here', OF_STATE],
  insufficient_balance: [402, 'free balance is below the amount needed', OF_STATE],
  forbidden_actor: [403, 'the request names an agent other than its signer', OF_STATE],
  insufficient_scope: [403, 'API key lacks the scope', OF_STATE],
  trust_limit_exceeded: [403, 'amount exceeds the trust limit', OF_STATE],
  origin_not_allowed: [403, 'this Host or Origin may not use this path'],
  self_dealing: [403, 'validator cannot verify transactions they are party to', OF_STATE],
  not_a_validator: [403, 'actor is not an active or probation validator', OF_STATE],
  not_assigned: [403, 'validator is not on the panel, or not the replay executor', OF_STATE],
  not_poster: [403, 'actor is not the poster of the task', OF_STATE],
  not_claimer: [403, 'actor is not the claimer of the task', OF_STATE],
  not_party: [403, 'actor is neither the poster nor the claimer of the task', OF_STATE],
  self_claim: [403, 'a poster cannot claim its own task', OF_STATE],
  stake_below_required: [403, 'the staked amount is below the required stake', OF_STATE],
  cooldown_active: [403, 'the cooldown of the suspension has not passed', OF_STATE],
  permanently_excluded: [403, 'the validator is permanently excluded', OF_STATE],
  not_found: [404, 'no such path'],
  agent_not_found: [404, 'no such agent', OF_STATE],
  address_not_found: [404, 'no such address'],
  event_not_found: [404, 'no such event', OF_STATE],
  task_not_found: [404, 'no such task', OF_STATE],
  listing_not_found: [404, 'no such listing', OF_STATE],
  capability_not_found: [404, 'no such capability', OF_STATE],
  challenge_not_found: [404, 'no such challenge', OF_STATE],
  replay_job_not_found: [404, 'no such replay job', OF_STATE],
  validator_not_found: [404, 'no such validator', OF_STATE],
  key_not_found: [404, 'no such API key', OF_STATE],
  program_not_found: [404, 'no such program', OF_STATE],
  vertex_not_found: [404, 'no such vertex'],
  checkpoint_not_found: [404, 'no such checkpoint'],
  method_not_allowed: [405, 'method not allowed'],
  already_registered: [409, 'already registered', OF_STATE],
  DUPLICATE_TX: [409, 'duplicate transaction'],
  already_voted: [409, 'this validator has already voted on the event', OF_STATE],
  not_committed: [
    409,
    'votes on a dispute are committed first: POST /v1/verify/commit, then this verdict with its salt',
    OF_STATE,
  ],
  commitments_over: [
    409,
    'the votes on this dispute are being revealed: it is too late to commit one',
    OF_STATE,
  ],
  reveal_early: [409, 'votes on this dispute are still committed: reveal yours when all are in', OF_STATE],
  commitment_differs: [
    409,
    'verdict, worker_share_bp, ground and salt are not what this validator committed',
    OF_STATE,
  ],
  already_validator: [409, 'the agent already operates a validator', OF_STATE],
  key_in_use: [409, 'the key is in use as a consensus or recovery key', OF_STATE],
  program_exists: [409, 'the program is published already'],
  rotation_pending: [409, 'a rotation by the recovery key is pending', OF_STATE],
  invalid_state: [409, 'not possible in the current state', OF_STATE],
  claim_limit: [409, 'this claim needs more stake, or fees of settled tasks, to back it', OF_STATE],
  claim_barred: [409, 'an earlier claim of this agent on the task expired, or was given back', OF_STATE],
  routed_to_other: [409, 'the task is currently routed to another agent alone', OF_STATE],
  reserved_for_other: [409, 'the poster reserved the task for another agent', OF_STATE],
  too_few_judges: [
    409,
    'too few judges are announced to judge a dispute: post with accept_no_judges: true, or with acceptance',
    OF_STATE,
  ],
  subtasks_open: [409, 'a subtask is not closed yet', OF_STATE],
  stake_locked: [409, 'stake is locked', OF_STATE],
  already_challenged: [409, 'the same challenge is open or was decided', OF_STATE],
  not_challengeable: [
    409,
    'the task cannot be challenged, or the target did not vote for its completion',
    OF_STATE,
  ],
  history_dropped: [410, 'not in the history that this node keeps'],
  use_replay_submit: [410, 'replays of this category are reported through POST /v1/replay/submit', OF_STATE],
  body_too_large: [413, 'request body is too large'],
  uri_too_long: [414, 'request URL is too long'],
  SecurityFloorError: [422, 'the lane has too few validators', OF_STATE],
  acceptance_failed: [422, "the delivery does not pass the task's contract"],
  assurance_blocked: [422, 'the replay reserve of the category is too low', OF_STATE],
  upgrade_required: [426, 'this path accepts WebSocket connections only'],
  rate_limited: [429, 'rate limit exceeded'],
  faucet_cooldown: [429, 'faucet cooldown has not passed', OF_STATE],
  headers_too_large: [431, 'request headers are too large'],
  content_hidden: [451, 'this node does not show the content; its hash and order are as before'],
  internal: [500, 'internal error'],
  ask_a_node: [501, 'this reader has no answer to that: ask a node'],
  no_quorum: [503, 'not ordered in time; the transaction may still execute'],
  not_ready: [503, 'node is not ready'],
  behind: [503, 'this node has not executed that order yet'],
  overloaded: [503, 'node is overloaded'],
  faucet_empty: [503, 'the faucet is empty', OF_STATE],
  too_many_streams: [503, 'too many open streams'],
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorInit {
  /** Replaces the default text. */
  text?: string;
  details?: Record<string, unknown>;
  /** Extra answer headers, e.g. Retry-After, Allow. */
  headers?: Record<string, string>;
  cause?: unknown;
  /** Instead of the catalogue, for a code that has reasons of both kinds. */
  isOfState?: boolean;
}

/** Any error that a client may see. `status` comes from the catalogue, `message` too unless a text is given. */
export class ServiceError extends Error {
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;
  /** May the same request pass at a node that has executed more. */
  readonly isOfState: boolean;

  constructor(
    readonly code: ErrorCode,
    init: ErrorInit = {},
  ) {
    const [status, text, isOfState = false]: Row = ERRORS[code];
    super(init.text ?? text, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'ServiceError';
    this.status = status;
    this.details = init.details;
    this.headers = init.headers ?? {};
    this.isOfState = init.isOfState ?? isOfState;
  }

  /** Body in the shape of protocol 1.2; `txid` when the TxID of a signed write is known. */
  body(txid?: string): Record<string, unknown> {
    return {
      error: this.message,
      code: this.code,
      ...(this.details ? { details: this.details } : {}),
      ...(txid ? { txid } : {}),
    };
  }
}

/** 400 invalid_request with a text that names the field or rule. */
export function invalid(text: string, details?: Record<string, unknown>): ServiceError {
  return new ServiceError('invalid_request', details ? { text, details } : { text });
}

/** 503 not_ready: the node does not take this write now, or never does. */
export const notReady = (text?: string): ServiceError =>
  new ServiceError('not_ready', { text, headers: { 'Retry-After': '5' } });

/** 503 overloaded: a queue or a number of places is full, and worth another try in a second. */
export const overloaded = (): ServiceError =>
  new ServiceError('overloaded', { headers: { 'Retry-After': '1' } });

/** What an observer answers to a write. */
export const observerRefusal = (): ServiceError =>
  notReady('this node is an observer: writes go to a validator');

/** Whole seconds to wait, as headers tell them: at least 1. */
export const waitSecs = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** 429 rate_limited: worth another try after this time. */
export const rateLimited = (waitMs: number): ServiceError =>
  new ServiceError('rate_limited', { headers: { 'Retry-After': String(waitSecs(waitMs)) } });

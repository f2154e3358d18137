// The error catalogue (protocol 2.2): code -> HTTP status and default text.
// Keeps: every code that the node sends is in this table; no other file defines codes or statuses.
// Clients rely on the code; texts may change, except those that protocol 2.2 quotes.

export const ERRORS = {
  invalid_request: [400, 'invalid request'],
  tx_missing_header: [400, 'tx: missing required header'],
  tx_unsupported_version: [400, 'tx: unsupported version'],
  tx_chain_mismatch: [400, 'tx: chain_id mismatch'],
  tx_invalid_timestamp: [400, 'tx: invalid timestamp'],
  tx_expired: [400, 'tx: transaction expired'],
  tx_invalid_nonce: [400, 'tx: invalid nonce format'],
  tx_signature_invalid: [400, 'tx: signature verification failed'],
  not_pending: [400, 'event is already decided, has expired, or takes no verdict'],
  budget_below_minimum: [400, 'budget is below the minimum'],
  bond_below_minimum: [400, 'bond is below the minimum'],
  delivery_mismatch: [400, "result_encrypted does not match the task's delivery method"],
  not_sealed: [
    400,
    'a sealed delivery is a box of the form vws-sealed-v2 with its key_commitment, so that a dispute can open it',
  ],
  content_key_needed: [
    400,
    'the delivery is sealed, so judges cannot read it: give its content_key, or open it first; who does not open it concedes',
  ],
  content_key_mismatch: [400, 'content_key is not the key that the delivery was sealed with'],
  delivery_missing: [
    400,
    'nothing is delivered: give result_content, or where the task takes external deliveries result_hash and result_uri',
  ],
  result_hash_mismatch: [400, 'result_hash is not the SHA-256 of result_content'],
  insufficient_stake: [400, 'amount is above the staked amount'],
  invalid_webhook_url: [400, 'webhook_url is not acceptable'],
  auth_required: [401, 'this write needs a signature or an API key'],
  auth_failed: [401, 'SERVICE-REQUEST-V1 authentication failed'],
  invalid_api_key: [401, 'API key is unknown, revoked, expired or not valid here'],
  insufficient_balance: [402, 'free balance is below the amount needed'],
  forbidden_actor: [403, 'the request names an agent other than its signer'],
  insufficient_scope: [403, 'API key lacks the scope'],
  trust_limit_exceeded: [403, 'amount exceeds the trust limit'],
  origin_not_allowed: [403, 'this Host or Origin may not use this path'],
  self_dealing: [403, 'validator cannot verify transactions they are party to'],
  not_a_validator: [403, 'actor is not an active or probation validator'],
  not_assigned: [403, 'validator is not on the panel, or not the replay executor'],
  not_poster: [403, 'actor is not the poster of the task'],
  not_claimer: [403, 'actor is not the claimer of the task'],
  not_party: [403, 'actor is neither the poster nor the claimer of the task'],
  self_claim: [403, 'a poster cannot claim its own task'],
  stake_below_required: [403, 'the staked amount is below the required stake'],
  cooldown_active: [403, 'the cooldown of the suspension has not passed'],
  permanently_excluded: [403, 'the validator is permanently excluded'],
  not_found: [404, 'no such path'],
  agent_not_found: [404, 'no such agent'],
  address_not_found: [404, 'no such address'],
  event_not_found: [404, 'no such event'],
  task_not_found: [404, 'no such task'],
  listing_not_found: [404, 'no such listing'],
  capability_not_found: [404, 'no such capability'],
  challenge_not_found: [404, 'no such challenge'],
  replay_job_not_found: [404, 'no such replay job'],
  validator_not_found: [404, 'no such validator'],
  key_not_found: [404, 'no such API key'],
  program_not_found: [404, 'no such program'],
  vertex_not_found: [404, 'no such vertex'],
  checkpoint_not_found: [404, 'no such checkpoint'],
  method_not_allowed: [405, 'method not allowed'],
  already_registered: [409, 'already registered'],
  DUPLICATE_TX: [409, 'duplicate transaction'],
  already_voted: [409, 'this validator has already voted on the event'],
  not_committed: [
    409,
    'votes on a dispute are committed first: POST /v1/verify/commit, then this verdict with its salt',
  ],
  commitments_over: [409, 'the votes on this dispute are being revealed: it is too late to commit one'],
  reveal_early: [409, 'votes on this dispute are still committed: reveal yours when all are in'],
  commitment_differs: [
    409,
    'verdict, worker_share_bp, ground and salt are not what this validator committed',
  ],
  already_validator: [409, 'the agent already operates a validator'],
  key_in_use: [409, 'the key is in use as a consensus or recovery key'],
  program_exists: [409, 'the program is published already'],
  rotation_pending: [409, 'a rotation by the recovery key is pending'],
  invalid_state: [409, 'not possible in the current state'],
  claim_limit: [409, 'this claim needs more stake, or fees of settled tasks, to back it'],
  claim_barred: [409, 'an earlier claim of this agent on the task expired'],
  routed_to_other: [409, 'the task is currently routed to another agent alone'],
  reserved_for_other: [409, 'the poster reserved the task for another agent'],
  too_few_judges: [
    409,
    'too few judges are announced to judge a dispute: post with accept_no_judges: true, or with acceptance',
  ],
  subtasks_open: [409, 'a subtask is not closed yet'],
  stake_locked: [409, 'stake is locked'],
  already_challenged: [409, 'the same challenge is open or was decided'],
  not_challengeable: [409, 'the task cannot be challenged, or the target did not vote for its completion'],
  history_dropped: [410, 'not in the history that this node keeps'],
  use_replay_submit: [410, 'replays of this category are reported through POST /v1/replay/submit'],
  body_too_large: [413, 'request body is too large'],
  uri_too_long: [414, 'request URL is too long'],
  SecurityFloorError: [422, 'the lane has too few validators'],
  acceptance_failed: [422, "the delivery does not pass the task's contract"],
  assurance_blocked: [422, 'the replay reserve of the category is too low'],
  upgrade_required: [426, 'this path accepts WebSocket connections only'],
  rate_limited: [429, 'rate limit exceeded'],
  faucet_cooldown: [429, 'faucet cooldown has not passed'],
  headers_too_large: [431, 'request headers are too large'],
  content_hidden: [451, 'this node does not show the content; its hash and order are as before'],
  internal: [500, 'internal error'],
  ask_a_node: [501, 'this reader has no answer to that: ask a node'],
  no_quorum: [503, 'not ordered in time; the transaction may still execute'],
  not_ready: [503, 'node is not ready'],
  behind: [503, 'this node has not executed that order yet'],
  overloaded: [503, 'node is overloaded'],
  faucet_empty: [503, 'the faucet is empty'],
  too_many_streams: [503, 'too many open streams'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorInit {
  /** Replaces the default text. */
  text?: string;
  details?: Record<string, unknown>;
  /** Extra answer headers, e.g. Retry-After, Allow. */
  headers?: Record<string, string>;
  cause?: unknown;
  /** The state here is the reason, though requests are refused with this code for others too. */
  isOfState?: boolean;
}

/** Any error that a client may see. `status` comes from the catalogue, `message` too unless a text is given. */
export class ServiceError extends Error {
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;
  readonly isOfState: boolean;

  constructor(
    readonly code: ErrorCode,
    init: ErrorInit = {},
  ) {
    super(init.text ?? ERRORS[code][1], init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'ServiceError';
    this.status = ERRORS[code][0];
    this.details = init.details;
    this.headers = init.headers ?? {};
    this.isOfState = init.isOfState ?? false;
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

/** What an observer answers to a write. */
export const observerRefusal = (): ServiceError =>
  notReady('this node is an observer: writes go to a validator');

/** Whole seconds to wait, as headers tell them: at least 1. */
export const waitSecs = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** 429 rate_limited: worth another try after this time. */
export const rateLimited = (waitMs: number): ServiceError =>
  new ServiceError('rate_limited', { headers: { 'Retry-After': String(waitSecs(waitMs)) } });

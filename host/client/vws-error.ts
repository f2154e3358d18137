// The only error class of the client.
// Keeps: `code` is the node's code (protocol 2.2), or one of the client's five below; texts are for people. `txid` is
// present whenever a signed write was sent, so that its outcome can be looked up; `request` only while that is open.

import type { SignedRequest } from './signed-request.ts';

/** Codes of the client itself; `status` is 0 where there was no answer. */
export type ClientCode =
  /** No connection, no answer in time, or the connection broke. */
  | 'unreachable'
  /** The call cannot be made as requested: no key, an id that no URL can carry. */
  | 'bad_call'
  /** The answer does not follow this protocol. */
  | 'bad_answer'
  /** A result is to be sealed, and nothing shows whose key the poster's is: see `SealTrust`. */
  | 'poster_unproven'
  /** The network lost what this client has seen, own writes perhaps among it: consensus 5.7. Thrown once, by a read. */
  | 'history_cut';

interface VwsErrorInit {
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown>;
  txid?: string;
  request?: SignedRequest;
  retryAfterSecs?: number | undefined;
  cause?: unknown;
}

export class VwsError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown> | undefined;
  readonly txid: string | undefined;
  /** A write that may have run, or may still: `submit` it again, which cannot run twice. Never make the call anew. */
  readonly request: SignedRequest | undefined;
  /** `Retry-After` of the refusal: seconds until the same call can pass. */
  readonly retryAfterSecs: number | undefined;

  constructor(init: VwsErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'VwsError';
    this.status = init.status;
    this.code = init.code;
    this.details = init.details;
    this.txid = init.txid;
    this.request = init.request;
    this.retryAfterSecs = init.retryAfterSecs;
  }
}

/** `seen`: the newest order that the client had seen. */
export const historyCut = (status: number, seen: number, lost: object): VwsError =>
  new VwsError({
    status,
    code: 'history_cut',
    message: `the network lost acknowledged writes after order ${seen} was seen: check what was written since`,
    details: { seen, writes_may_be_lost: lost },
  });

/** For a call that cannot be made as requested. */
export const badCall = (message: string, cause?: unknown): VwsError =>
  new VwsError({ status: 0, code: 'bad_call', message, cause });

/** For an answer that no honest node gives. */
export const badAnswer = (message: string, cause?: unknown): VwsError =>
  new VwsError({ status: 0, code: 'bad_answer', message, cause });

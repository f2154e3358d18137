// The only error class of the client.
// Keeps: `code` is the node's code (protocol 2.2), or one of the client's three below; texts are for people. `txid` is
// present whenever a signed write was sent, so that its outcome can be looked up.

/** Codes of the client itself; `status` is 0 for the first two. */
export type ClientCode =
  /** No connection, no answer in time, or the connection broke. */
  | 'unreachable'
  /** The call cannot be made as requested: no key, an id that no URL can carry. */
  | 'bad_call'
  /** The answer does not follow this protocol. */
  | 'bad_answer';

interface VwsErrorInit {
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown>;
  txid?: string;
  cause?: unknown;
}

export class VwsError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown> | undefined;
  readonly txid: string | undefined;

  constructor(init: VwsErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'VwsError';
    this.status = init.status;
    this.code = init.code;
    this.details = init.details;
    this.txid = init.txid;
  }
}

/** For a call that cannot be made as requested. */
export const badCall = (message: string, cause?: unknown): VwsError =>
  new VwsError({ status: 0, code: 'bad_call', message, cause });

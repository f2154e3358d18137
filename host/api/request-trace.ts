// What the log says about one request: its id, method, route and TxID.
// Keeps: no part of a request that could hold a secret is logged: neither its raw path nor query, headers or body.

import type { Logger } from '../log.ts';

/** W3C Trace Context, version 00: trace id, id of the caller's span, flags; neither id is all zeros. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export class RequestTrace {
  /** TxID of a signed write, once it is known; also part of an error body. */
  txid: string | undefined;

  /** `id`: number of the request since the start of the node; `route`: template of the route table, or `unmatched`. */
  constructor(
    readonly id: number,
    readonly method: string,
    readonly route: string,
    private readonly log: Pick<Logger, 'debug' | 'error'>,
    /** When it came, on the monotonic clock. */
    readonly startedMs: number,
    /** The header as it came; anything but a well-formed one counts as none. */
    traceparent?: string,
  ) {
    this.#traceId = traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1];
    this.headers = this.#traceId === undefined ? undefined : { traceparent: traceparent as string };
  }

  /** What every answer carries: the caller's trace, so that both logs can be joined; undefined without one. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly #traceId: string | undefined;

  unexpected(error: unknown): void {
    this.log.error({ ...this.#fields(), err: error }, 'unexpected error in a request');
  }

  answered(status: number, ms: number): void {
    this.log.debug(this.#fields(status, ms), 'request');
  }

  /** The log leaves out what is undefined. Made for every request, also where nobody logs it. */
  #fields(status?: number, ms?: number): Record<string, unknown> {
    const { id, method, route, txid } = this;
    return { request: id, method, route, txid, trace_id: this.#traceId, status, ms };
  }
}

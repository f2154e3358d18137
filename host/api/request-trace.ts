// What the log says about one request: its id, method, route and TxID.
// Keeps: no part of a request that could hold a secret is logged: neither its raw path nor query, headers or body.

import type { Logger } from '../log.ts';

export class RequestTrace {
  /** TxID of a signed write, once it is known; also part of an error body. */
  txid: string | undefined;

  /** `id`: number of the request since the start of the node; `route`: template of the route table, or `unmatched`. */
  constructor(
    readonly id: number,
    readonly method: string,
    readonly route: string,
    private readonly log: Pick<Logger, 'debug' | 'error'>,
  ) {}

  get #fields(): Record<string, unknown> {
    const { id, method, route, txid } = this;
    return { request: id, method, route, ...(txid === undefined ? {} : { txid }) };
  }

  unexpected(error: unknown): void {
    this.log.error({ ...this.#fields, err: error }, 'unexpected error in a request');
  }

  answered(status: number, ms: number): void {
    this.log.debug({ ...this.#fields, status, ms }, 'request');
  }
}

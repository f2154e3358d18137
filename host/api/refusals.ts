// Error answers: JSON with a code of the catalogue (protocol 1.2).

import { ServiceError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { HttpReply } from '../world/http.ts';
import type { RequestTrace } from './request-trace.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export class Refusals {
  constructor(private readonly metrics: Pick<Metrics, 'error'>) {}

  /** The answer to an error; anything but a ServiceError is logged and answered as `internal`. */
  of(error: unknown, trace: RequestTrace, headers: HttpReply['headers'] = {}): HttpReply {
    if (error instanceof ServiceError) return this.from(error, headers, trace.txid);
    trace.unexpected(error);
    return this.from(new ServiceError('internal'), headers, trace.txid);
  }

  from(error: ServiceError, headers: HttpReply['headers'] = {}, txid?: string): HttpReply {
    this.metrics.error(error.code);
    return {
      status: error.status,
      headers: { 'Content-Type': JSON_TYPE, ...headers, ...error.headers },
      body: JSON.stringify(error.body(txid)),
    };
  }
}

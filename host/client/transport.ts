// One HTTP exchange with a node over fetch: send, wait, parse.
// Keeps: every outcome is a Reply (the node answered, with any status) or a VwsError `unreachable` (it is unknown
// whether the request arrived). Redirects are not followed: a signed path is meant for this node. No retries here.

import { boundedBody } from '../proofs/bounded-body.ts';
import { isRecord } from '../wire/json.ts';
import { LogFault } from '../wire/log-fault.ts';
import { deadline } from '../world/clock.ts';
import type { Environment } from '../world/world.ts';
import { VwsError } from './vws-error.ts';

export interface HttpRequest {
  method: string;
  /** Raw path and query, percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Reply<T = unknown> {
  status: number;
  body: T;
  /** X-Service-Order: the last order this node had executed, or the order of this write. */
  order: number | undefined;
  /** X-Total-Count of lists. */
  total: number | undefined;
  retryAfterSecs: number | undefined;
  /** X-Service-Behind: the node is catching up, so what it shows may be old. */
  isBehind: boolean;
}

export interface TransportOptions extends Pick<Environment, 'clock' | 'fetch'> {
  baseUrl: string;
  /** Longest wait for one answer. */
  timeoutMs: number;
}

/** No honest answer is nearly as long: a node must not fill the memory of whoever asks it. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** Sends one request. Errors: VwsError `unreachable` (no answer), `bad_answer` (not JSON, or without end). */
export async function exchange(options: TransportOptions, request: HttpRequest): Promise<Reply> {
  const { method, path, headers, body } = request;
  let response: Response | undefined;
  let text: string;
  const { signal, cancel } = deadline(options.clock, options.timeoutMs);
  try {
    response = await options.fetch(options.baseUrl + path, {
      method,
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    text = new TextDecoder().decode(await boundedBody(response, path, MAX_ANSWER_BYTES));
  } catch (cause) {
    if (cause instanceof LogFault) throw badAnswer(response!.status, cause.message, cause);
    throw unreachable(options.baseUrl, cause);
  } finally {
    cancel();
  }
  return {
    status: response.status,
    body: parseJson(text, response.status, options.baseUrl),
    order: integerHeader(response, 'x-service-order'),
    total: integerHeader(response, 'x-total-count'),
    retryAfterSecs: integerHeader(response, 'retry-after'),
    isBehind: response.headers.has('x-service-behind'),
  };
}

/** The bytes that a path of the log answers with, at most `maxBytes`. Errors: VwsError; LogFault `bound`. */
export async function exchangeBytes(
  options: TransportOptions,
  path: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const { baseUrl } = options;
  const { signal, cancel } = deadline(options.clock, options.timeoutMs);
  let status = 0;
  try {
    const response = await options.fetch(baseUrl + path, { redirect: 'manual', signal });
    ({ status } = response);
    if (response.ok) return await boundedBody(response, path, maxBytes);
  } catch (cause) {
    if (cause instanceof LogFault) throw cause;
    throw unreachable(baseUrl, cause);
  } finally {
    cancel();
  }
  throw badAnswer(status, `unexpected answer with status ${status} to ${path}`);
}

const badAnswer = (status: number, message: string, cause?: unknown): VwsError =>
  new VwsError({ status, code: 'bad_answer', message, cause });

const unreachable = (baseUrl: string, cause: unknown): VwsError =>
  new VwsError({
    status: 0,
    code: 'unreachable',
    message: `no answer from ${baseUrl}: ${reasonOf(cause)}`,
    cause,
  });

/** The error for a Reply outside 2xx. */
export function errorOf(reply: Reply, txid?: string): VwsError {
  const body = isRecord(reply.body) ? reply.body : {};
  return new VwsError({
    status: reply.status,
    code: typeof body.code === 'string' ? body.code : 'bad_answer',
    message: typeof body.error === 'string' ? body.error : `unexpected answer with status ${reply.status}`,
    details: isRecord(body.details) ? body.details : undefined,
    txid: typeof body.txid === 'string' ? body.txid : txid,
    retryAfterSecs: reply.retryAfterSecs,
  });
}

export const isSuccess = (reply: Reply): boolean => reply.status >= 200 && reply.status < 300;

function parseJson(text: string, status: number, baseUrl: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A proxy's error page is an answer with that status but without a code of ours; a 2xx must be JSON.
    if (status < 200 || status >= 300) return undefined;
    throw badAnswer(status, `${baseUrl} did not answer with JSON`, cause);
  }
}

function integerHeader(response: Response, name: string): number | undefined {
  const text = response.headers.get(name);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** fetch hides the reason (ECONNREFUSED, a DNS failure) in `cause`. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  if (!(inner instanceof Error)) return String(inner);
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
  return inner.message || code || inner.name;
}

// The data source of an auditor: a node's HTTP API.
// Keeps: returns untrusted bytes and documents, none longer than a bound; retries while a node is busy or unreachable, and
// waits as it is told while it refuses for the cost of the requests (protocol 8.3), for a bounded time.

import type { ClientEnvironment } from '../client/environment.ts';
import { VwsError } from '../client/vws-error.ts';
import { boundedBody } from '../proofs/bounded-body.ts';
import { LogFault } from '../wire/log-fault.ts';
import { deadline, pauseUntil } from '../world/clock.ts';
import { BOUNDS } from './bounds.ts';

/** A document reported by a node. */
export interface ReportedDocument {
  /** Undefined for 404 and 410. */
  body: unknown;
  /** X-Service-Order as sent: the order number of the state that it shows; undefined without that header. */
  order: string | undefined;
}

/** JSON answers are `unknown`: readings.ts reads them. */
export interface LogSource {
  /** Names the node, in findings and in what a kept store remembers of it. */
  readonly name: string;
  /** The same source, whose requests end when `stop` aborts, as those of a node that does not answer. */
  until?(stop: AbortSignal): LogSource;
  genesis(): Promise<unknown>;
  /** GET /v1/status. */
  status(): Promise<unknown>;
  /** A page of GET /v1/log/vertices; undefined when the node does not have the epoch. */
  vertices(epoch: number, from: number): Promise<Uint8Array | undefined>;
  /** Signed checkpoints above a height, ascending; at most `limit`. */
  checkpoints(after: number, limit: number): Promise<unknown>;
  /** GET /v1/checkpoints/latest; undefined for 404. */
  latestCheckpoint(): Promise<unknown>;
  seals(from: number): Promise<Uint8Array>;
  state(epoch: number, after: string): Promise<Uint8Array>;
  /** The node's answer to a path. */
  document(path: string): Promise<ReportedDocument>;
}

const TIMEOUT_MS = 60_000;
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 250;
/** A node that limits what an address may cost says when to come again; so long in all it is believed. */
const MAX_WAITED_MS = 1_800_000;
const MAX_WAIT_SECS = 60;

/** Retry-After in ms, within reason; undefined when it is missing. */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,5}$/.test(text) ? Math.min(MAX_WAIT_SECS, Math.max(1, Number(text))) * 1000 : undefined;
}

export class HttpSource implements LogSource {
  constructor(
    private readonly baseUrl: string,
    private readonly environment: Pick<ClientEnvironment, 'fetch' | 'clock'>,
    private readonly maxAnswerBytes: number = BOUNDS.answerBytes,
    private readonly stop?: AbortSignal,
    private readonly received = { bytes: 0 },
  ) {}

  until(stop: AbortSignal): HttpSource {
    return new HttpSource(this.baseUrl, this.environment, this.maxAnswerBytes, stop, this.received);
  }

  /** Bytes of the log received, after decompression. */
  get bytes(): number {
    return this.received.bytes;
  }

  get name(): string {
    return this.baseUrl;
  }

  genesis(): Promise<unknown> {
    return this.#json('/v1/genesis');
  }

  status(): Promise<unknown> {
    return this.#json('/v1/status');
  }

  vertices(epoch: number, from: number): Promise<Uint8Array | undefined> {
    return this.#bytes(`/v1/log/vertices?epoch=${epoch}&from=${from}`);
  }

  checkpoints(after: number, limit: number): Promise<unknown> {
    return this.#json(`/v1/checkpoints?after=${after}&limit=${limit}`);
  }

  async latestCheckpoint(): Promise<unknown> {
    return (await this.document('/v1/checkpoints/latest')).body;
  }

  async seals(from: number): Promise<Uint8Array> {
    const path = `/v1/log/seals?from=${from}`;
    return this.#must(await this.#bytes(path), path);
  }

  async state(epoch: number, after: string): Promise<Uint8Array> {
    const path = `/v1/log/state?epoch=${epoch}&after=${after}`;
    return this.#must(await this.#bytes(path), path);
  }

  async document(path: string): Promise<ReportedDocument> {
    const { bytes, order } = await this.#get(path);
    return { body: bytes && parsed(bytes, path), order };
  }

  async #json(path: string): Promise<unknown> {
    return this.#must((await this.document(path)).body, path);
  }

  #must<T>(value: T | undefined, path: string): T {
    if (value === undefined)
      throw new VwsError({ status: 404, code: 'not_found', message: `${this.baseUrl} has no ${path}` });
    return value;
  }

  async #bytes(path: string): Promise<Uint8Array | undefined> {
    const { bytes } = await this.#get(path);
    this.received.bytes += bytes?.length ?? 0;
    return bytes;
  }

  /** The answer; no bytes for 404. Errors: VwsError `unreachable`, LogFault `bound`. */
  async #get(path: string): Promise<{ bytes?: Uint8Array<ArrayBuffer>; order: string | undefined }> {
    let cause: unknown;
    let status = 0;
    let waitedMs = 0;
    const { stop } = this;
    const { clock } = this.environment;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await pauseUntil(clock, FIRST_WAIT_MS * 2 ** (tries - 1), stop);
      if (stop?.aborted) break;
      const { signal, cancel } = deadline(clock, TIMEOUT_MS, stop);
      let waitMs: number | undefined;
      try {
        const response = await this.environment.fetch(this.baseUrl + path, { redirect: 'error', signal });
        ({ status } = response);
        const order = response.headers.get('x-service-order') ?? undefined;
        // 410: it may lie before the history that the node keeps.
        if (status === 404 || status === 410) return { order };
        if (response.ok) return { bytes: await boundedBody(response, path, this.maxAnswerBytes), order };
        cause = new Error(`status ${status}`);
        if (status === 429) waitMs = retryAfterMs(response);
        // A refused request would be refused again.
        if (status < 500 && status !== 429) break;
      } catch (error) {
        if (error instanceof LogFault) throw error;
        cause = error;
      } finally {
        cancel();
      }
      if (waitMs === undefined || waitedMs > MAX_WAITED_MS) continue;
      waitedMs += waitMs;
      tries = -1;
      await pauseUntil(clock, waitMs, stop);
    }
    if (stop?.aborted) [status, cause] = [0, stop.reason];
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new VwsError({
      status,
      code: 'unreachable',
      message: `no usable answer from ${this.baseUrl}${path}: ${why}`,
      cause,
    });
  }
}

function parsed(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new LogFault('answer', `the node's answer to ${path} is not JSON`);
  }
}

// The data source of an auditor: a node's HTTP API.
// Keeps: returns untrusted bytes and documents; retries while a node is busy or unreachable, and waits as it is told while
// it refuses for the cost of the requests (protocol 8.3).

import type { ClientEnvironment } from '../client/environment.ts';
import { VwsError } from '../client/vws-error.ts';
import { deadline, pause } from '../world/clock.ts';

/** An element of GET /v1/checkpoints. */
export interface SignedCheckpoint {
  height: number;
  order: number;
  statement: string;
  signatures: readonly { validator_id: string; public_key: string; signature: string }[];
}

/** A document reported by a node, and the order number of the state it shows. */
export interface ReportedDocument {
  body: unknown;
  order: number;
}

export interface LogSource {
  genesis(): Promise<unknown>;
  /** Order number that the node reports as its newest. */
  order(): Promise<number>;
  /** A page of GET /v1/log/vertices; undefined when the node does not have the epoch. */
  vertices(epoch: number, from: number): Promise<Uint8Array | undefined>;
  /** Signed checkpoints above a height, ascending; as many as fit into one answer. */
  checkpoints(after: number): Promise<readonly SignedCheckpoint[]>;
  /** Height of the newest checkpoint that the node reports as signed, 0 = none. */
  signedHeight(): Promise<number>;
  seals(from: number): Promise<Uint8Array>;
  state(epoch: number, after: string): Promise<Uint8Array>;
  /** The node's answer to a path; undefined for 404. */
  document(path: string): Promise<ReportedDocument | undefined>;
}

const TIMEOUT_MS = 60_000;
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 250;
const CHECKPOINTS_AT_ONCE = 100;
/** A node that limits what an address may cost says when to come again; so often in a row it is believed. */
const MAX_WAITS = 100;
const MAX_WAIT_SECS = 60;

/** Retry-After in ms, within reason; undefined when it is missing. */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,5}$/.test(text) ? Math.min(MAX_WAIT_SECS, Number(text)) * 1000 : undefined;
}

export class HttpSource implements LogSource {
  /** Bytes received, after decompression. */
  bytes = 0;

  constructor(
    private readonly baseUrl: string,
    private readonly environment: Pick<ClientEnvironment, 'fetch' | 'clock'>,
  ) {}

  genesis(): Promise<unknown> {
    return this.#json('/v1/genesis');
  }

  async order(): Promise<number> {
    const { order } = (await this.#json('/v1/status')) as { order?: number };
    return Number.isSafeInteger(order) ? order! : 0;
  }

  vertices(epoch: number, from: number): Promise<Uint8Array | undefined> {
    return this.#bytes(`/v1/log/vertices?epoch=${epoch}&from=${from}`);
  }

  async checkpoints(after: number): Promise<readonly SignedCheckpoint[]> {
    const path = `/v1/checkpoints?after=${after}&limit=${CHECKPOINTS_AT_ONCE}`;
    return (await this.#json(path)) as readonly SignedCheckpoint[];
  }

  async signedHeight(): Promise<number> {
    const latest = (await this.document('/v1/checkpoints/latest'))?.body as { height?: number } | undefined;
    return Number.isSafeInteger(latest?.height) ? latest!.height! : 0;
  }

  async seals(from: number): Promise<Uint8Array> {
    return this.#must(await this.#bytes(`/v1/log/seals?from=${from}`), '/v1/log/seals');
  }

  async state(epoch: number, after: string): Promise<Uint8Array> {
    const path = `/v1/log/state?epoch=${epoch}&after=${after}`;
    return this.#must(await this.#bytes(path), path);
  }

  document(path: string): Promise<ReportedDocument | undefined> {
    return this.#get(path, async (response) => ({
      body: await response.json(),
      order: Number(response.headers.get('x-service-order') ?? 0),
    }));
  }

  async #json(path: string): Promise<unknown> {
    return this.#must(await this.document(path), path).body;
  }

  #must<T>(value: T | undefined, path: string): T {
    if (value === undefined)
      throw new VwsError({ status: 404, code: 'not_found', message: `${this.baseUrl} has no ${path}` });
    return value;
  }

  #bytes(path: string): Promise<Uint8Array | undefined> {
    return this.#get(path, async (response) => {
      const bytes = new Uint8Array(await response.arrayBuffer());
      this.bytes += bytes.length;
      return bytes;
    });
  }

  /** Errors: VwsError `unreachable`, `bad_answer`. */
  async #get<T>(path: string, read: (response: Response) => Promise<T>): Promise<T | undefined> {
    let cause: unknown;
    let waits = 0;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await pause(this.environment.clock, FIRST_WAIT_MS * 2 ** (tries - 1));
      const { signal, cancel } = deadline(this.environment.clock, TIMEOUT_MS);
      let waitMs: number | undefined;
      try {
        const response = await this.environment.fetch(this.baseUrl + path, {
          redirect: 'error',
          signal,
        });
        if (response.status === 404) return undefined;
        if (response.ok) return await read(response);
        cause = new Error(`status ${response.status}`);
        if (response.status === 429) waitMs = retryAfterMs(response);
        // A refused request would be refused again.
        if (response.status < 500 && response.status !== 429) break;
      } catch (error) {
        cause = error;
      } finally {
        cancel();
      }
      if (waitMs === undefined || waits === MAX_WAITS) continue;
      waits += 1;
      tries = -1;
      await pause(this.environment.clock, waitMs);
    }
    throw new VwsError({
      status: 0,
      code: 'unreachable',
      message: `no usable answer from ${this.baseUrl}${path}: ${cause instanceof Error ? cause.message : cause}`,
      cause,
    });
  }
}

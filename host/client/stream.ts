// Follows the event stream of a node: an async iterable that reconnects by itself.
// Keeps: every event after the starting point once, in the order of seq, over any number of connections: each resumes
// after the last event that was yielded. Runs in browsers and in Node. Source: protocol 9.

import type { Clock } from '../world/clock.ts';
import { portableClock } from '../world/portable.ts';
import { type ClientEnvironment, systemEnvironment } from './environment.ts';
import { globalSocket, type SocketLike, StreamLink } from './stream-link.ts';
import type { StreamMessage, StreamType } from './stream-types.ts';
import { errorOf, exchange, isSuccess } from './transport.ts';
import { badCall, VwsError } from './vws-error.ts';

const HEAD_TIMEOUT_MS = 15_000;
const IDLE_MS = 120_000;
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;

export interface FollowOptions {
  /** e.g. `http://localhost:8338` */
  baseUrl: string;
  /** Event types to receive; without it, all. Gaps are always reported. */
  types?: readonly StreamType[];
  /** Seq after which to begin: 0 for the whole history. Without it: new events only. */
  since?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** How many connections in a row may fail before the iteration throws; without it, any number. */
  retries?: number;
  /** A connection has ended, or could not be had, and is tried again now. `hasWorked`: it had sent something. */
  onRetry?: (hasWorked: boolean) => void;
  /** Required without a global WebSocket: e.g. `(url) => new WebSocket(url)` of the package `ws`. */
  openSocket?: (url: string) => SocketLike;
  environment?: ClientEnvironment;
  clock?: Pick<Clock, 'setTimer'>;
}

/**
 * Messages of the stream, with a `gap` where the node no longer has the events. Ends when `signal` aborts.
 * A slow reader is not an error: the connection is closed and resumed.
 * Errors: VwsError `bad_call` (no WebSocket, bad `since`), `unreachable` after `retries`, `bad_answer`.
 */
export async function* followEvents(o: FollowOptions): AsyncGenerator<StreamMessage, void, undefined> {
  const open = o.openSocket ?? globalSocket();
  if (o.since !== undefined && !(Number.isSafeInteger(o.since) && o.since >= 0)) {
    throw badCall('since must be an integer of at least 0');
  }
  const pacer = new Pacer(o);
  let position = o.since ?? (await pacer.until(() => headOf(o)));
  while (position !== undefined && !o.signal?.aborted) {
    const link = new StreamLink(open(urlOf(o, position)), o.clock ?? portableClock, IDLE_MS);
    const stop = (): void => link.close();
    o.signal?.addEventListener('abort', stop);
    try {
      for (;;) {
        const message = await link.next();
        if (!message || o.signal?.aborted) break;
        // A node that is behind sends a gap that goes back, and repeats known events.
        const reached = message.type === 'gap' ? message.data.to : message.seq;
        if (reached <= position) continue;
        position = reached;
        yield message;
      }
    } finally {
      o.signal?.removeEventListener('abort', stop);
      link.close();
    }
    await pacer.pause(link.isProven);
    if (!o.signal?.aborted) o.onRetry?.(link.isProven);
  }
}

function urlOf(o: FollowOptions, since: number): string {
  const query = new URLSearchParams({ since: String(since) });
  if (o.types) query.set('filter', o.types.length > 0 ? o.types.join(',') : 'gap');
  return `${o.baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/v1/ws?${query}`;
}

/** Seq of the newest event of the node. */
async function headOf(o: FollowOptions): Promise<number> {
  const { clock, fetch } = o.environment ?? systemEnvironment;
  const baseUrl = o.baseUrl.replace(/\/+$/, '');
  const transport = { baseUrl, clock, fetch, timeoutMs: HEAD_TIMEOUT_MS };
  const reply = await exchange(transport, { method: 'GET', path: '/v1/events/recent?limit=1' });
  if (!isSuccess(reply)) throw errorOf(reply);
  return (reply.body as { seq: number }[])[0]?.seq ?? 0;
}

/** Waits between attempts: longer after each failure, with jitter. */
class Pacer {
  private failures = 0;

  constructor(private readonly o: FollowOptions) {}

  /** Errors: VwsError `unreachable` after too many failures in a row. */
  async pause(hasWorked: boolean, cause?: unknown): Promise<void> {
    if (this.o.signal?.aborted) return;
    this.failures = hasWorked ? 0 : this.failures + 1;
    if (this.failures > (this.o.retries ?? Number.POSITIVE_INFINITY)) {
      const message = `no stream from ${this.o.baseUrl} after ${this.failures} attempts`;
      throw new VwsError({ status: 0, code: 'unreachable', message, cause });
    }
    const base = Math.min(MIN_RETRY_MS * 2 ** this.failures, MAX_RETRY_MS);
    const [jitter = 0] = (this.o.environment ?? systemEnvironment).randomBytes(1);
    await this.sleep(base / 2 + (base * jitter) / 512);
  }

  /** Repeats a call while the node is unreachable or busy; undefined if the signal aborts first. */
  async until<T>(call: () => Promise<T>): Promise<T | undefined> {
    while (!this.o.signal?.aborted) {
      try {
        return await call();
      } catch (error) {
        const isTransient =
          error instanceof VwsError && (error.code === 'unreachable' || error.status >= 429);
        if (!isTransient) throw error;
        await this.pause(false, error);
      }
    }
    return undefined;
  }

  private sleep(ms: number): Promise<void> {
    const { signal, clock = portableClock } = this.o;
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = clock.setTimer(done, ms);
      signal?.addEventListener('abort', done);
    });
  }
}

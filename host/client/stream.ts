// Follows the event stream of a node for as long as wanted: an async iterable that reconnects by itself.
// Keeps: every event after the starting point once, in the order of seq, over any number of connections: each resumes
// behind the last event that was handed out. Runs in browsers and Node alike. Source: DECISIONS 9.

import type { Clock } from '../world/clock.ts';
import { portableClock } from '../world/portable.ts';
import { type ClientEnvironment, systemEnvironment } from './environment.ts';
import { type SocketLike, StreamLink } from './stream-link.ts';
import type { StreamMessage, StreamType } from './stream-types.ts';
import { errorOf, exchange, isSuccess } from './transport.ts';
import { badCall, VwsError } from './vws-error.ts';

const HEAD_TIMEOUT_MS = 15_000;
const IDLE_MS = 120_000;
const RETRY_LEAST_MS = 250;
const RETRY_MOST_MS = 30_000;

export interface FollowOptions {
  /** e.g. `http://localhost:8338` */
  baseUrl: string;
  /** Types to be told about; without it all. Gaps are always told. */
  types?: readonly StreamType[];
  /** Seq after which to begin: 0 for the whole history. Without it: what comes from now on. */
  since?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** How often in a row a connection may fail before the iteration throws; without it forever. */
  retries?: number;
  /** Where there is no global WebSocket (Node 20): e.g. `(url) => new WebSocket(url)` of the package `ws`. */
  openSocket?: (url: string) => SocketLike;
  environment?: ClientEnvironment;
  clock?: Pick<Clock, 'setTimer'>;
}

/**
 * Messages of the stream, `gap` included where the node cannot give events any more. Ends when `signal` does.
 * A reader that is slow is no fault: the connection is given up and resumed.
 * Errors: VwsError `bad_call` (no WebSocket here, bad `since`), `unreachable` after `retries`, `bad_answer`.
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
        // A node that is behind goes back in a gap and repeats what is known already.
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
  }
}

function globalSocket(): (url: string) => SocketLike {
  const { WebSocket } = globalThis as { WebSocket?: new (url: string) => SocketLike };
  if (WebSocket) return (url) => new WebSocket(url);
  throw badCall('there is no WebSocket here: give openSocket');
}

function urlOf(o: FollowOptions, since: number): string {
  const query = new URLSearchParams({ since: String(since) });
  if (o.types) query.set('filter', o.types.length > 0 ? o.types.join(',') : 'none');
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

/** Waits between attempts: longer each time nothing came, and a little differently for each client. */
class Pacer {
  private failures = 0;

  constructor(private readonly o: FollowOptions) {}

  /** Errors: VwsError `unreachable` when it failed too often in a row. */
  async pause(hasWorked: boolean, cause?: unknown): Promise<void> {
    if (this.o.signal?.aborted) return;
    this.failures = hasWorked ? 0 : this.failures + 1;
    if (this.failures > (this.o.retries ?? Number.POSITIVE_INFINITY)) {
      const message = `no stream from ${this.o.baseUrl} after ${this.failures} attempts`;
      throw new VwsError({ status: 0, code: 'unreachable', message, cause });
    }
    const base = Math.min(RETRY_LEAST_MS * 2 ** this.failures, RETRY_MOST_MS);
    const [chance = 0] = (this.o.environment ?? systemEnvironment).randomBytes(1);
    await this.sleep(base / 2 + (base * chance) / 512);
  }

  /** Repeats a call while the node cannot be reached or is busy; undefined when the signal came first. */
  async until<T>(call: () => Promise<T>): Promise<T | undefined> {
    while (!this.o.signal?.aborted) {
      try {
        return await call();
      } catch (error) {
        const isPassing = error instanceof VwsError && (error.code === 'unreachable' || error.status >= 429);
        if (!isPassing) throw error;
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

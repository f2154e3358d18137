// The hourly limits of writes (protocol 8.1): of an agent, of its API key, of an address, and of all together.
// In memory, reset by a restart.
// Keeps: exactly the limit passes, then 429 with the seconds to wait. What others share, the counts of an address and of the
// node, is touched only for a request that the state would carry out; a refused request is not counted in them.

import { rateLimited, waitSecs } from '../errors.ts';
import { ipKey, networkKey } from '../wire/ip-key.ts';
import type { Clock } from '../world/clock.ts';
import { AGENT_WRITES, RATE_TABLE, type RateRow, UNLIMITED } from './rate-table.ts';
import { SharedWindow, type Window, Windows } from './rate-windows.ts';

type RateDimension = 'ip' | 'agent' | 'global';

/** Largest number of windows in one dimension of one row: about 10 MB when full. */
const MAX_KEYS = 50_000;

/** The state of a window, for the answer headers. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSecs: number;
}

const NO_LIMIT: RateState = { limit: UNLIMITED, remaining: UNLIMITED, resetSecs: 0 };

export interface RateLimiterOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  /** false: nothing is counted or refused (SERVICE_RATE_LIMITS=off). */
  enabled: boolean;
  onReject?: (dimension: RateDimension) => void;
  /** Cap of stored keys; lower in tests. */
  maxKeys?: number;
}

/** Errors of all methods: 429 `rate_limited` with `Retry-After` when a limit is used up. */
export class RateLimiter {
  readonly #tables = new Map<string, Windows>();
  readonly #shared = new Map<RateRow, SharedWindow>();
  readonly #maxKeys: number;

  constructor(private readonly options: RateLimiterOptions) {
    this.#maxKeys = options.maxKeys ?? MAX_KEYS;
  }

  /** Counts an authenticated request of an agent, whatever becomes of it. */
  takeAgent(name: RateRow, agent: string): RateState {
    return this.#take(`agent:${name}`, agent, RATE_TABLE[name].agent);
  }

  /** Counts a write towards all writes of an agent; not called for verify, resolve, replay and its registration. */
  takeWrite(agent: string): RateState {
    return this.#take('writes', agent, AGENT_WRITES);
  }

  /** Counts a write with an API key; `limit`: its hourly_limit. */
  takeApiKey(keyId: string, limit: number): RateState {
    return this.#take('keys', keyId, limit);
  }

  /** Counts a request that is about to be ordered, for its address and for all together: both or neither. */
  takeShared(name: RateRow, agent: string, address: string): RateState {
    const { address: limit, node } = RATE_TABLE[name];
    if (!this.options.enabled || node === UNLIMITED) return NO_LIMIT;
    const nowMs = this.options.clock.monotonicMs();
    const [windows, key, network] = [this.#table(`ip:${name}`), ipKey(address), networkKey(address)];
    const window = windows.windowOf(key, nowMs);
    const shared = this.#sharedOf(name);
    const waitMs = shared.waitMs(agent, network, nowMs);
    if (window.count >= limit) this.#reject('ip', Math.max(waitMs, window.endsMs - nowMs));
    if (waitMs > 0) this.#reject('global', waitMs);

    shared.take(agent, network, nowMs);
    windows.count(key, window, nowMs);
    return stateOf(window, limit, nowMs);
  }

  /** Number of stored keys, for tests and diagnosis. */
  get keyCount(): number {
    let count = 0;
    for (const { size } of [...this.#tables.values(), ...this.#shared.values()]) count += size;
    return count;
  }

  #sharedOf(name: RateRow): SharedWindow {
    let shared = this.#shared.get(name);
    if (!shared) {
      shared = new SharedWindow(RATE_TABLE[name].node, this.#maxKeys);
      this.#shared.set(name, shared);
    }
    return shared;
  }

  #table(name: string): Windows {
    let windows = this.#tables.get(name);
    if (!windows) {
      windows = new Windows(this.#maxKeys);
      this.#tables.set(name, windows);
    }
    return windows;
  }

  #take(table: string, agent: string, limit: number): RateState {
    if (!this.options.enabled || limit === UNLIMITED) return NO_LIMIT;
    const nowMs = this.options.clock.monotonicMs();
    const windows = this.#table(table);
    const window = windows.windowOf(agent, nowMs);
    if (window.count >= limit) this.#reject('agent', window.endsMs - nowMs);
    windows.count(agent, window, nowMs);
    return stateOf(window, limit, nowMs);
  }

  #reject(dimension: RateDimension, waitMs: number): never {
    this.options.onReject?.(dimension);
    throw rateLimited(waitMs);
  }
}

const stateOf = ({ count, endsMs }: Window, limit: number, nowMs: number): RateState => ({
  limit,
  remaining: limit - count,
  resetSecs: waitSecs(endsMs - nowMs),
});

/** X-RateLimit-Limit, -Remaining, -Reset (seconds) of the state with the fewest requests left; empty without a limit. */
export function rateHeaders(states: readonly RateState[]): Record<string, string> {
  let tightest = NO_LIMIT;
  for (const state of states) if (state.remaining < tightest.remaining) tightest = state;
  if (tightest === NO_LIMIT) return {};
  return {
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(tightest.resetSecs),
  };
}

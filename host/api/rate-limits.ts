// The rate table and its counters (protocol 8.1): windows of an hour per agent, per address and global, the total writes
// of an agent, the limit of an API key, and the read bucket of an address. In memory, reset by a restart.
// Keeps: exactly the limit passes, then 429 with the remaining seconds; a request refused in one dimension is not counted
// in another; memory is bounded however many addresses a flood uses.

import { ServiceError } from '../errors.ts';
import { ipKey } from '../wire/ip-key.ts';
import type { Clock } from '../world/clock.ts';

const UNLIMITED = Number.POSITIVE_INFINITY;

interface Limits {
  agent: number;
  ip: number;
  global: number;
}
const row = (agent: number, ip: number, global: number): Limits => ({ agent, ip, global });

/** Requests per hour. Source: protocol 8.1; each endpoint is counted separately. */
export const RATE_TABLE = {
  agents: row(UNLIMITED, 3, 30),
  faucet: row(1, 3, 84),
  tasks: row(20, 50, 500),
  claim: row(60, 200, 2_000),
  submit: row(60, 200, 2_000),
  approve: row(60, 200, 2_000),
  dispute: row(10, 50, 200),
  cancel: row(20, 50, 500),
  transfer: row(120, 300, 3_000),
  stake: row(20, 100, 500),
  unstake: row(20, 100, 500),
  challenges: row(10, 50, 200),
  generation: row(60, 200, 2_000),
  subtask: row(60, 200, 2_000),
  verify: row(6_000, 12_000, 60_000),
  resolve: row(6_000, 12_000, 60_000),
  trajectory: row(600, 1_200, 20_000),
  replaySubmit: row(120, 300, 3_000),
  replayOutcome: row(120, 300, 3_000),
  validators: row(10, 20, 100),
  resume: row(10, 20, 100),
  rotate: row(10, 20, 100),
  recovery: row(10, 20, 100),
} as const satisfies Record<string, Limits>;

export type RateRow = keyof typeof RATE_TABLE;
type RateDimension = 'ip' | 'agent' | 'global';

const WINDOW_SECS = 3_600;
/** All writes of one agent per hour, without verify, resolve, replay. */
export const AGENT_WRITES = 1_000;
const READS_PER_SEC = 100;
const READ_BURST = 500;
/** Largest number of windows in one dimension of one row, and of buckets in one generation: about 10 MB when full. */
const MAX_KEYS = 50_000;
/** A bucket unused for this long is full again (500 / 100 = 5 s) and may be dropped. */
const BUCKET_KEEP_MS = 10_000;

/** The state of a window, for the answer headers. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSecs: number;
}

const NO_LIMIT: RateState = { limit: UNLIMITED, remaining: UNLIMITED, resetSecs: 0 };

interface Window {
  count: number;
  endsMs: number;
}

/**
 * Windows of one dimension by key. All have the same length, so insertion order is the order of their ends and the oldest
 * comes first. At the cap the oldest window is dropped and its owner starts again: that costs an attacker 50,000
 * addresses for each reset, while refusing new keys instead would let the attacker lock everybody out.
 */
class Windows {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly maxKeys: number) {}

  get size(): number {
    return this.windows.size;
  }

  /** The key's running window, or a new one, which `count` will store. */
  windowOf(key: string, nowMs: number): Window {
    const window = this.windows.get(key);
    if (window && window.endsMs > nowMs) return window;
    return { count: 0, endsMs: nowMs + WINDOW_SECS * 1000 };
  }

  count(key: string, window: Window, nowMs: number): void {
    window.count++;
    if (window.count > 1) return;
    this.windows.delete(key);
    this.sweep(nowMs);
    this.windows.set(key, window);
  }

  private sweep(nowMs: number): void {
    for (const [key, window] of this.windows) {
      if (window.endsMs > nowMs && this.windows.size < this.maxKeys) return;
      this.windows.delete(key);
    }
  }
}

/** A read costs its refill time; counting in milliseconds keeps all numbers integers. */
const READ_COST_MS = 1_000 / READS_PER_SEC;
const BURST_MS = READ_BURST * READ_COST_MS;

interface Bucket {
  creditMs: number;
  atMs: number;
}

/**
 * Token buckets in two generations: a bucket that is used moves to the younger, the older is dropped as a whole.
 * At the cap generations change early, so during a flood an address may get its burst again.
 */
class Buckets {
  private young = new Map<string, Bucket>();
  private old = new Map<string, Bucket>();
  private turnedMs = 0;

  constructor(private readonly maxKeys: number) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** Takes one read; false when none is left. */
  take(key: string, nowMs: number): boolean {
    if (nowMs - this.turnedMs >= BUCKET_KEEP_MS || this.young.size >= this.maxKeys) this.turn(nowMs);
    let bucket = this.young.get(key);
    if (!bucket) {
      bucket = this.old.get(key) ?? { creditMs: BURST_MS, atMs: nowMs };
      this.young.set(key, bucket);
    }
    bucket.creditMs = Math.min(BURST_MS, bucket.creditMs + nowMs - bucket.atMs);
    bucket.atMs = nowMs;
    if (bucket.creditMs < READ_COST_MS) return false;
    bucket.creditMs -= READ_COST_MS;
    return true;
  }

  private turn(nowMs: number): void {
    this.old = this.young;
    this.young = new Map();
    this.turnedMs = nowMs;
  }
}

export interface RateLimiterOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  /** false: nothing is counted or refused (SERVICE_RATE_LIMITS=off). */
  enabled: boolean;
  onReject?: (dimension: RateDimension) => void;
  /** Cap of stored keys; lower in tests. */
  maxKeys?: number;
}

interface Taking {
  windows: Windows;
  key: string;
  limit: number;
  dimension: RateDimension;
}

/** Errors of all methods: 429 `rate_limited` with `Retry-After` when a limit is used up. */
export class RateLimiter {
  private readonly tables = new Map<string, Windows>();
  private readonly reads: Buckets;

  constructor(private readonly options: RateLimiterOptions) {
    this.reads = new Buckets(options.maxKeys ?? MAX_KEYS);
  }

  /** Counts a request of an address, before authentication. */
  takeIp(name: RateRow, ip: string): RateState {
    const { ip: limit } = RATE_TABLE[name];
    return this.take([{ windows: this.table(`ip:${name}`), key: ipKey(ip), limit, dimension: 'ip' }]);
  }

  /** Counts a request after authentication, for the acting agent and globally: both or neither. */
  takeAgentAndGlobal(name: RateRow, agentId: string): RateState {
    const { agent, global } = RATE_TABLE[name];
    return this.take([
      { windows: this.table(`agent:${name}`), key: agentId, limit: agent, dimension: 'agent' },
      { windows: this.table(`global:${name}`), key: '', limit: global, dimension: 'global' },
    ]);
  }

  /** Counts a write towards all writes of an agent; not called for verify, resolve, replay and its registration. */
  takeWrite(agentId: string): RateState {
    const windows = this.table('writes');
    return this.take([{ windows, key: agentId, limit: AGENT_WRITES, dimension: 'agent' }]);
  }

  /** Counts a write with an API key; `limit`: its hourly_limit. */
  takeApiKey(keyId: string, limit: number): RateState {
    return this.take([{ windows: this.table('keys'), key: keyId, limit, dimension: 'agent' }]);
  }

  takeRead(ip: string): void {
    if (!this.options.enabled) return;
    if (this.reads.take(ipKey(ip), this.options.clock.monotonicMs())) return;
    this.reject('ip', 1);
  }

  /** Number of stored keys, for tests and diagnosis. */
  get keyCount(): number {
    let count = this.reads.size;
    for (const windows of this.tables.values()) count += windows.size;
    return count;
  }

  private table(name: string): Windows {
    let windows = this.tables.get(name);
    if (!windows) {
      windows = new Windows(this.options.maxKeys ?? MAX_KEYS);
      this.tables.set(name, windows);
    }
    return windows;
  }

  private take(takings: Taking[]): RateState {
    if (!this.options.enabled) return NO_LIMIT;
    const nowMs = this.options.clock.monotonicMs();
    const limited = takings.filter((t) => t.limit !== UNLIMITED);
    const found = limited.map((t) => t.windows.windowOf(t.key, nowMs));
    for (const [i, window] of found.entries()) {
      if (window.count < limited[i]!.limit) continue;
      this.reject(limited[i]!.dimension, secsUntil(window.endsMs, nowMs));
    }

    let tightest = NO_LIMIT;
    for (const [i, window] of found.entries()) {
      const { windows, key, limit } = limited[i]!;
      windows.count(key, window, nowMs);
      const remaining = limit - window.count;
      if (remaining < tightest.remaining) {
        tightest = { limit, remaining, resetSecs: secsUntil(window.endsMs, nowMs) };
      }
    }
    return tightest;
  }

  private reject(dimension: RateDimension, retrySecs: number): never {
    this.options.onReject?.(dimension);
    throw new ServiceError('rate_limited', { headers: { 'Retry-After': String(retrySecs) } });
  }
}

function secsUntil(endsMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((endsMs - nowMs) / 1000));
}

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

// The rate table and its counters (protocol 8.1): per agent, per address and global windows of an hour, the total
// of one agent, the limit of an API key, and the read bucket of an address. In memory, gone with a restart.
// Keeps: exactly the limit passes, then 429 with the seconds that are left; a refusal at one dimension takes
// nothing from another; memory is bounded whatever addresses a flood comes from.

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

/** Requests per hour. Source: protocol 8.1; each endpoint counts for itself. */
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
export type RateDimension = 'ip' | 'agent' | 'global';

export const WINDOW_SECS = 3_600;
/** Writes of one agent together, without verify, resolve, replay. */
export const AGENT_WRITES = 1_000;
export const READS_PER_SEC = 100;
export const READ_BURST = 500;
/** Windows remembered in one dimension of one row, and buckets in one generation: about 10 MB when full. */
const MAX_KEYS = 50_000;
/** A bucket nobody used this long is full again (500 / 100 = 5 s) and may be forgotten. */
const BUCKET_KEEP_MS = 10_000;

/** What is left in a window; from several of them the answer headers are made. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSecs: number;
}

const FREE: RateState = { limit: UNLIMITED, remaining: UNLIMITED, resetSecs: 0 };

interface Window {
  count: number;
  endsMs: number;
}

/**
 * Windows of one dimension by key. All last equally long, so the order of insertion is the order of their ends and
 * the oldest stands first. At the cap the oldest window is forgotten: its owner starts afresh, which costs an
 * attacker 50,000 addresses for each refund, while refusing newcomers would let him lock everybody out.
 */
class Windows {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly keysMost: number) {}

  get size(): number {
    return this.windows.size;
  }

  /** The key's running window, or a fresh one that `count` stores. */
  look(key: string, nowMs: number): Window {
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
      if (window.endsMs > nowMs && this.windows.size < this.keysMost) return;
      this.windows.delete(key);
    }
  }
}

/** One read costs the time in which it is refilled; counting in milliseconds keeps whole numbers whole. */
const READ_COST_MS = 1_000 / READS_PER_SEC;
const BURST_MS = READ_BURST * READ_COST_MS;

interface Bucket {
  creditMs: number;
  atMs: number;
}

/**
 * Token buckets in two generations: one that is used moves to the younger, the older is dropped as a whole.
 * At the cap generations turn early, so under a flood an address may get its burst again.
 */
class Buckets {
  private young = new Map<string, Bucket>();
  private old = new Map<string, Bucket>();
  private turnedMs = 0;

  constructor(private readonly keysMost: number) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** Takes one read; false when none is left. */
  take(key: string, nowMs: number): boolean {
    if (nowMs - this.turnedMs >= BUCKET_KEEP_MS || this.young.size >= this.keysMost) this.turn(nowMs);
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
  /** Cap of remembered keys, lower in tests. */
  keysMost?: number;
}

interface Taking {
  windows: Windows;
  key: string;
  limit: number;
  dimension: RateDimension;
}

/** All methods: 429 `rate_limited` with `Retry-After` when the limit is used up. */
export class RateLimiter {
  private readonly tables = new Map<string, Windows>();
  private readonly reads: Buckets;

  constructor(private readonly options: RateLimiterOptions) {
    this.reads = new Buckets(options.keysMost ?? MAX_KEYS);
  }

  /** Counts every request of an address, before authentication. */
  takeIp(name: RateRow, ip: string): RateState {
    const { ip: limit } = RATE_TABLE[name];
    return this.take([{ windows: this.table(`ip:${name}`), key: ipKey(ip), limit, dimension: 'ip' }]);
  }

  /** Counts after authentication, for the acting agent and for all together: both or neither. */
  takeAgentAndGlobal(name: RateRow, agentId: string): RateState {
    const { agent, global } = RATE_TABLE[name];
    return this.take([
      { windows: this.table(`agent:${name}`), key: agentId, limit: agent, dimension: 'agent' },
      { windows: this.table(`global:${name}`), key: '', limit: global, dimension: 'global' },
    ]);
  }

  /** All writes of one agent together; not called for verify, resolve, replay and its registration. */
  takeWrite(agentId: string): RateState {
    const windows = this.table('writes');
    return this.take([{ windows, key: agentId, limit: AGENT_WRITES, dimension: 'agent' }]);
  }

  /** Writes with one API key; `limit` is its hourly_limit. */
  takeApiKey(keyId: string, limit: number): RateState {
    return this.take([{ windows: this.table('keys'), key: keyId, limit, dimension: 'agent' }]);
  }

  takeRead(ip: string): void {
    if (!this.options.enabled) return;
    if (this.reads.take(ipKey(ip), this.options.clock.monotonicMs())) return;
    this.reject('ip', 1);
  }

  /** Keys remembered at present, for tests and diagnosis. */
  get keyCount(): number {
    let count = this.reads.size;
    for (const windows of this.tables.values()) count += windows.size;
    return count;
  }

  private table(name: string): Windows {
    let windows = this.tables.get(name);
    if (!windows) {
      windows = new Windows(this.options.keysMost ?? MAX_KEYS);
      this.tables.set(name, windows);
    }
    return windows;
  }

  private take(takings: Taking[]): RateState {
    if (!this.options.enabled) return FREE;
    const nowMs = this.options.clock.monotonicMs();
    const limited = takings.filter((t) => t.limit !== UNLIMITED);
    const found = limited.map((t) => t.windows.look(t.key, nowMs));
    for (const [i, window] of found.entries()) {
      if (window.count < limited[i]!.limit) continue;
      this.reject(limited[i]!.dimension, secsUntil(window.endsMs, nowMs));
    }

    let tightest = FREE;
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

/** X-RateLimit-Limit, -Remaining, -Reset (seconds) of the state with the least left; empty without a limit. */
export function rateHeaders(states: readonly RateState[]): Record<string, string> {
  let tightest = FREE;
  for (const state of states) if (state.remaining < tightest.remaining) tightest = state;
  if (tightest === FREE) return {};
  return {
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(tightest.resetSecs),
  };
}

// What requests may cost the node (protocol 8.3): milliseconds of the main thread, bytes counted as time. Each address has a
// budget; so has each network, and all together.
// Keeps: an address, however many requests it sends, gets its share and no more. When a network or the node is used up,
// whoever had no more than the fair share of it lately still passes.

import { rateLimited } from '../errors.ts';
import { ipKey, networkKey } from '../wire/ip-key.ts';
import { CostLevel, type CostRate } from './cost-levels.ts';

/** What is counted apart, so that readers do not take the writers' part. */
export type Lane = 'read' | 'write' | 'page' | 'form';
export type CostRefusal = 'address' | 'network' | 'node';

/**
 * Bytes received or sent that count as a millisecond: hashing, copying, a socket's buffers, collecting what is left. Packing an
 * answer with gzip is in it: a page of the log takes 1 ms of processor time as it is and 9 packed, and is charged 8 to 9.
 */
const BYTES_PER_MS = 32_768;
/** A longer time is not what a request took, but what else the machine was doing. */
const MAX_MEASURED_MS = 100;
const MAX_KEYS = 50_000;
const NODE = '';

interface LaneRates {
  /** Least cost of one request to its address: with `address`, the number of requests that pass. */
  leastMs: number;
  address: CostRate;
  network: CostRate;
  node: CostRate;
}
const rate = (ratio: number, burstMs: number): CostRate => ({ ratio, burstMs });

/**
 * Source: protocol 8.3. The burst of the node is no longer than that of an address: as long as it lasts, the main thread does
 * little else. One network alone cannot use up the node. A read costs 1 ms at least: 100 a second from one address, 500 at
 * once (protocol 8.1).
 */
export const COST_RATES: Record<Lane, LaneRates> = {
  read: { leastMs: 1, address: rate(0.1, 500), network: rate(0.25, 1_000), node: rate(0.4, 500) },
  write: { leastMs: 0.2, address: rate(0.1, 1_000), network: rate(0.25, 1_500), node: rate(0.4, 1_000) },
  /** Large bodies in other forms than JCS: each may hold up the main thread for long, so few are taken in all. */
  form: { leastMs: 0, address: rate(0.05, 600), network: rate(0.05, 600), node: rate(0.1, 600) },
  page: { leastMs: 1, address: rate(0.05, 500), network: rate(0.1, 1_000), node: rate(0.1, 1_000) },
};

/** What took less is taken as it is: nothing else had the processor for long. */
const SHORT_MS = 1;
/** How old the processor time of a start may be; work in between counts too. */
const CPU_AGE_MS = 5;

/** When work began, and the processor time then or a moment before, in ms. */
export interface Stopwatch {
  startMs: number;
  cpuMs: number;
}

/** Shares of the main thread. */
export interface Recent {
  address: number;
  network: number;
}

export const bytesMs = (bytes: number): number => bytes / BYTES_PER_MS;

interface CostBudgetOptions {
  lane: Lane;
  monotonicMs(): number;
  /** Processor time of the main thread, or of the process if that is not known. */
  cpuMs(): number;
  /** false: nothing is refused (SERVICE_RATE_LIMITS=off). */
  enabled: boolean;
  onRefusal(lane: Lane, by: CostRefusal): void;
  onCost(lane: Lane, ms: number): void;
  /** Cap of stored keys; lower in tests. */
  maxKeys?: number;
}

export class CostBudget {
  readonly #leastMs: number;
  readonly #addresses: CostLevel;
  readonly #networks: CostLevel;
  readonly #node: CostLevel;
  #cpu = { atMs: Number.NEGATIVE_INFINITY, ms: 0 };

  constructor(private readonly o: CostBudgetOptions) {
    const { leastMs, address, network, node } = COST_RATES[o.lane];
    const maxKeys = o.maxKeys ?? MAX_KEYS;
    this.#leastMs = leastMs;
    this.#addresses = new CostLevel(address, maxKeys);
    this.#networks = new CostLevel(network, maxKeys);
    this.#node = new CostLevel(node, maxKeys);
  }

  /**
   * Begins a request that will cost at least `ms`. Errors: 429 `rate_limited` with Retry-After when its address, its
   * network or the node has used up what it may. `address`: or what finds it out, while the request can be asked.
   */
  open(address: string | (() => string), ms: number): Charge {
    const charge = new Charge(this, address);
    this.check(charge, ms);
    charge.add(ms);
    return charge;
  }

  /** Errors: as `open`, if `ms` more would be too much. */
  private check(charge: Charge, ms: number): void {
    if (!this.o.enabled) return;
    const { address, network } = charge;
    const nowMs = this.o.monotonicMs();
    const leastMs = Math.max(this.#leastMs, ms);
    if (this.#addresses.creditMs(address, nowMs) < leastMs)
      this.#refuse('address', this.#addresses.waitMs(address, leastMs, nowMs));
    if (!this.#networks.hasRoom(network, ms, this.#addresses.recentRatio(address, nowMs), nowMs))
      this.#refuse('network', this.#networks.waitMs(network, ms, nowMs));
    if (!this.#node.hasRoom(NODE, ms, this.#networks.recentRatio(network, nowMs), nowMs))
      this.#refuse('node', this.#node.waitMs(NODE, ms, nowMs));
  }

  /** For `Charge`. `addressMs`: with the least that a request costs its address. */
  take(charge: Charge, ms: number, addressMs: number): void {
    this.o.onCost(this.o.lane, ms);
    if (!this.o.enabled) return;
    const { address, network } = charge;
    const nowMs = this.o.monotonicMs();
    if (this.#addresses.charge(address, addressMs, ms, nowMs)) this.#networks.countUser(network, nowMs);
    if (this.#networks.charge(network, ms, ms, nowMs)) this.#node.countUser(NODE, nowMs);
    this.#node.charge(NODE, ms, ms, nowMs);
  }

  /** The shares of the main thread that an address and its network had lately: who had least comes first. */
  recent({ address, network }: Charge): Recent {
    const nowMs = this.o.monotonicMs();
    return {
      address: this.#addresses.recentRatio(address, nowMs),
      network: this.#networks.recentRatio(network, nowMs),
    };
  }

  get leastMs(): number {
    return this.#leastMs;
  }

  /** Number of stored keys, for tests and diagnosis. */
  get keyCount(): number {
    return this.#addresses.size + this.#networks.size;
  }

  /** Starts a clock for work done in one go: see `workedMs`. */
  start(startMs = this.o.monotonicMs()): Stopwatch {
    // Asking the system costs as much as a small request, so what it said a moment ago is used, too.
    if (startMs - this.#cpu.atMs > CPU_AGE_MS) this.#cpu = { atMs: startMs, ms: this.o.cpuMs() };
    return { startMs, cpuMs: this.#cpu.ms };
  }

  /**
   * The time of the main thread since a start. That is at most what passed, and at most what was worked since the last look: the
   * first is too much while the machine does other things, the second for what was done before, or by other threads.
   */
  workedMs({ startMs, cpuMs }: Stopwatch, endMs = this.o.monotonicMs()): number {
    const ms = endMs - startMs;
    if (ms < SHORT_MS) return ms;
    return Math.min(MAX_MEASURED_MS, ms, this.o.cpuMs() - cpuMs);
  }

  isInDebt(charge: Charge): boolean {
    return this.o.enabled && this.#addresses.creditMs(charge.address, this.o.monotonicMs()) < 0;
  }

  /** Errors: as `open`, if the address owes more than it had. */
  checkDebt(charge: Charge): void {
    if (!this.isInDebt(charge)) return;
    this.#refuse('address', this.#addresses.waitMs(charge.address, this.#leastMs, this.o.monotonicMs()));
  }

  #refuse(by: CostRefusal, waitMs: number): never {
    this.o.onRefusal(this.o.lane, by);
    throw rateLimited(waitMs);
  }
}

/** The account of one request. Costs only add up: what was estimated beforehand is less than what it turns out to be. */
export class Charge {
  #totalMs = 0;
  #paidMs = 0;
  /** Something runs whose time is added when it ends. */
  #isRunning = false;
  #keys: { address: string; network: string } | undefined;

  constructor(
    private readonly budget: CostBudget,
    private readonly of: string | (() => string),
  ) {}

  #known(): { address: string; network: string } {
    const address = typeof this.of === 'string' ? this.of : this.of();
    return { address: ipKey(address), network: networkKey(address) };
  }

  /** Keys of the levels. */
  get address(): string {
    this.#keys ??= this.#known();
    return this.#keys.address;
  }

  get network(): string {
    this.#keys ??= this.#known();
    return this.#keys.network;
  }

  add(ms: number): void {
    this.#totalMs += ms;
    const dueMs = Math.max(this.budget.leastMs, this.#totalMs);
    this.budget.take(this, ms, dueMs - this.#paidMs);
    this.#paidMs = dueMs;
  }

  addBytes(bytes: number): void {
    this.add(bytesMs(bytes));
  }

  /** As `run`, for who knows the time already. */
  start(startMs?: number): Stopwatch {
    return this.budget.start(startMs);
  }

  stop(watch: Stopwatch, endMs?: number): void {
    this.add(this.budget.workedMs(watch, endMs));
  }

  /** Does something in one go and adds the time that it took, also when it throws. Within another run that one adds it. */
  run<T>(work: () => T): T {
    if (this.#isRunning) return work();
    const watch = this.start();
    this.#isRunning = true;
    try {
      return work();
    } finally {
      this.#isRunning = false;
      this.stop(watch);
    }
  }

  /** As `run`, for work that ends with a promise: adds the time until then, also when it is rejected. */
  async runUntil<T>(work: () => Promise<T>): Promise<T> {
    const watch = this.start();
    try {
      return await work();
    } finally {
      this.stop(watch);
    }
  }

  get isInDebt(): boolean {
    return this.budget.isInDebt(this);
  }

  /** Errors: 429 `rate_limited` when its address has spent more than it had since the request was opened. */
  checkDebt(): void {
    this.budget.checkDebt(this);
  }

  get recent(): Recent {
    return this.budget.recent(this);
  }
}

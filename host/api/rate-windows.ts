// Counters of the rate table: windows of an hour by key, and the window that all share.
// Keeps: memory is bounded however many keys a flood uses; nobody can take more of what is shared than a fair part of what
// is left of it.

export const WINDOW_SECS = 3_600;
const WINDOW_MS = WINDOW_SECS * 1000;

/** An agent may take a tenth of what is left of a shared window, a network (protocol 8.1) a third; one at least. */
const AGENT_PARTS = 10;
const NETWORK_PARTS = 3;

export interface Window {
  count: number;
  endsMs: number;
}

/**
 * Windows of one dimension by key. All have the same length, so insertion order is the order of their ends and the oldest
 * comes first. At the cap the oldest window is dropped and its owner starts again: that costs an attacker 50,000
 * addresses for each reset, while refusing new keys instead would let the attacker lock everybody out.
 */
export class Windows {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly maxKeys: number) {}

  get size(): number {
    return this.windows.size;
  }

  /** The key's running window, or a new one, which `count` will store. */
  windowOf(key: string, nowMs: number): Window {
    const window = this.windows.get(key);
    if (window && window.endsMs > nowMs) return window;
    return { count: 0, endsMs: nowMs + WINDOW_MS };
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

/** The part of something shared that one of its users may hold, when `left` of it is left. */
export const fairShare = (left: number, parts: number): number => Math.max(1, Math.floor(left / parts));

/**
 * What all together may do in an hour. It refills evenly, so that it is never used up for long, and the less of it is
 * left, the less may those have who had of it before: what refills goes to whoever had least.
 */
export class SharedWindow {
  private readonly agents: Windows;
  private readonly networks: Windows;
  /** Time that has to pass for one request to refill, and the time not used yet. */
  private readonly costMs: number;
  private creditMs = WINDOW_MS;
  private atMs = 0;

  constructor(limit: number, maxKeys: number) {
    this.costMs = WINDOW_MS / limit;
    this.agents = new Windows(maxKeys);
    this.networks = new Windows(maxKeys);
  }

  get size(): number {
    return this.agents.size + this.networks.size;
  }

  /** How long an agent of a network has to wait, in ms; 0: it may take one now. */
  waitMs(agent: string, network: string, nowMs: number): number {
    this.creditMs = Math.min(WINDOW_MS, this.creditMs + nowMs - this.atMs);
    this.atMs = nowMs;
    return Math.max(
      this.#waitMs(this.agents.windowOf(agent, nowMs), AGENT_PARTS, nowMs),
      this.#waitMs(this.networks.windowOf(network, nowMs), NETWORK_PARTS, nowMs),
    );
  }

  #waitMs({ count, endsMs }: Window, parts: number, nowMs: number): number {
    const untilLeft = (left: number): number => Math.max(0, left * this.costMs - this.creditMs);
    const left = Math.floor(this.creditMs / this.costMs);
    if (left >= 1 && count < fairShare(left, parts)) return 0;
    const needed = (count + 1) * parts;
    const untilEnd = endsMs - nowMs;
    const untilShare = needed * this.costMs > WINDOW_MS ? untilEnd : Math.min(untilLeft(needed), untilEnd);
    return Math.max(1, untilLeft(1), count === 0 ? 0 : untilShare);
  }

  /** Takes one; only directly after `waitMs` was 0. */
  take(agent: string, network: string, nowMs: number): void {
    this.creditMs -= this.costMs;
    this.agents.count(agent, this.agents.windowOf(agent, nowMs), nowMs);
    this.networks.count(network, this.networks.windowOf(network, nowMs), nowMs);
  }
}

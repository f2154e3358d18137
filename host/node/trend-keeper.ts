// Samples what this node executes and how it is, so that readers see more than the present (GET /v1/network/trend).
// Keeps: nothing is done per transaction: sums are read off the counters at each look, and one batch of three rows is written
// a minute; what was not stored yet is lost with a crash, at most a minute.

import {
  joined,
  readTrend,
  type TrendSample,
  type TrendSpan,
  type TrendState,
  type TrendSums,
  trendOps,
} from '../store/trend-rows.ts';
import type { Clock } from '../world/clock.ts';
import type { Store } from '../world/store.ts';

/** How often it looks whether the node is ready. */
const LOOK_MS = 10_000;
/** A machine that slept did not run in between. */
const MAX_GAP_SECS = 30;
const MINUTE_SECS = 60;

export interface TrendKeeperOptions {
  store: Store;
  clock: Clock;
  /** Sums since the start of the process. */
  sums(): TrendSums;
  state(): TrendState;
  isReady(): boolean;
  onFailure(error: Error): void;
}

export class TrendKeeper {
  /** At the last look. */
  #sums: TrendSums;
  #lookedMs: number;
  /** Of the running minute. */
  #sample: TrendSample | undefined;
  /** Whole minutes on their way to the disk. */
  #leaving: readonly TrendSample[] = [];
  #isStopped = false;
  #cancel: () => void = () => {};
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly o: TrendKeeperOptions) {
    this.#sums = o.sums();
    this.#lookedMs = o.clock.monotonicMs();
  }

  start(): void {
    const again = (): void => {
      this.#look();
      if (!this.#isStopped) this.#cancel = this.o.clock.setTimer(again, LOOK_MS);
    };
    this.#cancel = this.o.clock.setTimer(again, LOOK_MS);
  }

  /** Resolves when all that was sampled is on disk. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    this.#look();
    this.#store();
    await this.#writing;
  }

  /** Oldest first, up to now. */
  samples(span: TrendSpan): TrendSample[] {
    this.#look();
    const running = this.#sample === undefined ? [] : [this.#sample];
    return readTrend(this.o.store, span, this.#nowSecs(), [...this.#leaving, ...running]);
  }

  #nowSecs(): number {
    return Math.floor(this.o.clock.nowMs() / 1000);
  }

  /** Adds what happened since the last look to the sample of the running minute. */
  #look(): void {
    const { clock } = this.o;
    const nowMs = clock.monotonicMs();
    const [before, sums] = [this.#sums, this.o.sums()];
    const seconds = Math.min((nowMs - this.#lookedMs) / 1000, MAX_GAP_SECS);
    this.#lookedMs = nowMs;
    this.#sums = sums;
    const nowSecs = this.#nowSecs();
    const timeSecs = nowSecs - (nowSecs % MINUTE_SECS);
    if (this.#sample !== undefined && this.#sample.timeSecs !== timeSecs) this.#store();
    const fresh: TrendSample = {
      ...this.o.state(),
      timeSecs,
      seconds,
      readySeconds: this.o.isReady() ? seconds : 0,
      transactions: sums.transactions - before.transactions,
      volume: sums.volume - before.volume,
      fees: sums.fees - before.fees,
      latencies: sums.latencies.map((count, bucket) => count - before.latencies[bucket]!),
    };
    this.#sample = this.#sample === undefined ? fresh : joined(this.#sample, fresh);
  }

  #store(): void {
    const sample = this.#sample;
    if (sample === undefined) return;
    this.#sample = undefined;
    this.#leaving = [...this.#leaving, sample];
    this.#writing = this.#writing
      .then(() => this.o.store.write(trendOps(this.o.store, sample)))
      .then(() => {
        this.#leaving = this.#leaving.filter((other) => other !== sample);
      })
      .catch((error) => this.o.onFailure(error as Error));
  }
}

// Listings that changed and whose texts are not indexed yet. They are indexed behind the batch that changed them: a long text
// takes every node some milliseconds, and its agent next to nothing.
// Keeps: an agent is in the line once, however often it changes its listing; texts take at most a share of the main thread, in short
// turns. So a flood of listings delays when their texts are found, and neither a batch nor a read.

import type { Clock } from '../../world/clock.ts';

/** What texts may take of the main thread: for long, and at once, ms. */
const SHARE = 0.1;
const BURST_MS = 50;
/** Work of one turn of the event loop, ms. */
const TURN_MS = 4;
/** What took longer than any text takes is not what it took, but what else the machine did. */
const MAX_MEASURED_MS = 10;

export type LineClock = Pick<Clock, 'monotonicMs' | 'soon' | 'setTimer'>;

interface Work {
  /** Indexes the text of an agent's listing, as it is stored then. */
  index(agent: number): void;
  /** Goes on with what changes leave to do; returns whether there is more. */
  tidy(): boolean;
}

export class TextLine {
  /** Agents, in the order of their first change. */
  readonly #waiting = new Set<number>();
  #creditMs = BURST_MS;
  #atMs: number;
  #isTidy = true;
  #isScheduled = false;
  #hasEnded = false;
  #cancel: () => void = () => {};

  constructor(
    private readonly clock: LineClock,
    private readonly o: Work,
  ) {
    this.#atMs = clock.monotonicMs();
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(agent: number): void {
    this.#waiting.add(agent);
  }

  /** Does what there is time for now; the rest follows in later turns. */
  work(): void {
    const { clock } = this;
    const startMs = clock.monotonicMs();
    this.#creditMs = Math.min(BURST_MS, this.#creditMs + SHARE * (startMs - this.#atMs));
    this.#atMs = startMs;
    while (this.#isLeft && this.#creditMs > 0 && this.#atMs - startMs < TURN_MS) {
      this.#step();
      const nowMs = clock.monotonicMs();
      this.#creditMs -= Math.min(MAX_MEASURED_MS, nowMs - this.#atMs);
      this.#atMs = nowMs;
    }
    if (this.#isLeft) this.#schedule();
  }

  get #isLeft(): boolean {
    return !this.#isTidy || this.#waiting.size > 0;
  }

  #step(): void {
    if (!this.#isTidy) {
      this.#isTidy = !this.o.tidy();
      return;
    }
    const agent = this.#waiting.values().next().value!;
    this.#waiting.delete(agent);
    this.o.index(agent);
    this.#isTidy = false;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#hasEnded) return;
    this.#isScheduled = true;
    const turn = (): void => {
      this.#isScheduled = false;
      if (!this.#hasEnded) this.work();
    };
    if (this.#creditMs > 0) this.clock.soon(turn);
    else this.#cancel = this.clock.setTimer(turn, Math.ceil((TURN_MS - this.#creditMs) / SHARE));
  }

  /** Nothing is indexed any more. */
  end(): void {
    this.#hasEnded = true;
    this.#cancel();
  }
}

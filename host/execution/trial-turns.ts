// Whose trial runs next, and how many may wait: they run on one thread, one behind the other, and a try that fails costs nothing.
// Keeps: of one network no more wait than a third of what is left, and networks take turns. So who sends many waits for its own,
// with however many agents, and others wait for the check that runs and one of each network that has any.

import { overloaded } from '../errors.ts';
import { Tally } from '../tally.ts';

/** Trials under way. Source: protocol 14.9. */
const MAX_TRIALS = 64;
/** Of what is left of them a network has this part. */
const PARTS = 3;

export class TrialTurns {
  /** Trials under way, by network. */
  readonly #underWay = new Tally<string>();
  #count = 0;
  /** Runs that wait, by network; the network whose turn is next is the first. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  #isRunning = false;

  /** Holds a place for a trial until it has ended. Errors: overloaded, at once. */
  hold(network: string, trial: () => Promise<void>): Promise<void> {
    const share = Math.max(1, (MAX_TRIALS - this.#count) / PARTS);
    if (this.#count >= MAX_TRIALS || this.#underWay.of(network) >= share) throw overloaded();
    this.#count += 1;
    this.#underWay.add(network);
    return trial().finally(() => {
      this.#count -= 1;
      this.#underWay.remove(network);
    });
  }

  /** Runs a part of a trial when it is its turn. */
  run<T>(network: string, part: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(network) ?? [];
      queue.push(() => part().then(resolve, reject));
      this.#waiting.set(network, queue);
      this.#next();
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (this.#isRunning || !first) return;
    const [network, queue] = first;
    const part = queue.shift()!;
    this.#waiting.delete(network);
    if (queue.length > 0) this.#waiting.set(network, queue);
    this.#isRunning = true;
    void part().finally(() => {
      this.#isRunning = false;
      this.#next();
    });
  }
}

// Counts the agents active in the last 24 hours, for the metric vws_agents_active_24h.
// An agent counts in the hour of its newest event; the result is the sum over 24 hours, so that all agents are visited
// only once, at a start.

import type { AgentFigures, State } from '../core/state.ts';

const HOUR_SECS = 3600;
const HOURS = 24;
const AGENTS_OF_STEP = 512;

export class ActiveAgents {
  /** By agent: hour of its newest event, 0 = none counted. */
  #hourOf = new Uint32Array(1024);
  /** Number of agents by hour, for the hours that still count. */
  readonly #counts = new Map<number, number>();

  #isBuilt = false;

  constructor(private readonly state: Pick<State, 'header' | 'figures'>) {}

  /** All agents are counted: until then `count` is too low. */
  get isBuilt(): boolean {
    return this.#isBuilt;
  }

  /** Starts from times known to the core: registration and last settled work. In steps. */
  *build(): Generator<void, void> {
    const { agents, timeMs } = this.state.header();
    const oldest = Math.floor(timeMs / 1000) - HOURS * HOUR_SECS;
    for (let agent = 0; agent < agents; agent++) {
      const { firstSeen, lastActive }: AgentFigures = this.state.figures(agent)!;
      const seen = Math.max(firstSeen, lastActive);
      // One that was noted meanwhile counts already.
      if (seen > oldest && !this.#hourOf[agent]) this.note(agent, seen);
      if (agent % AGENTS_OF_STEP === AGENTS_OF_STEP - 1) yield;
    }
    this.#isBuilt = true;
  }

  note(agent: number, timeSecs: number): void {
    if (agent >= this.#hourOf.length) {
      const grown = new Uint32Array(Math.max(2 * this.#hourOf.length, agent + 1));
      grown.set(this.#hourOf);
      this.#hourOf = grown;
    }
    const hour = Math.floor(timeSecs / HOUR_SECS);
    const old = this.#hourOf[agent]!;
    if (old === hour) return;
    const inOld = this.#counts.get(old);
    // Hours that no longer count have been deleted.
    if (inOld !== undefined) this.#counts.set(old, inOld - 1);
    this.#hourOf[agent] = hour;
    this.#counts.set(hour, (this.#counts.get(hour) ?? 0) + 1);
  }

  /** Agents of the last 24 hours, the current hour included; deletes older hours. */
  count(timeSecs: number): number {
    const newest = Math.floor(timeSecs / HOUR_SECS);
    let sum = 0;
    for (const [hour, n] of this.#counts) {
      if (hour > newest - HOURS) sum += n;
      else this.#counts.delete(hour);
    }
    return sum;
  }
}

// Counts the agents active in the last 24 hours, for the metric vws_agents_active_24h.
// An agent counts in the hour of its newest event; the result is the sum over 24 hours, so that all agents are visited
// only once, at start.

import type { State } from '../core/state.ts';

const HOUR_SECS = 3600;
const HOURS = 24;

export class ActiveAgents {
  /** By agent: hour of its newest event, 0 = none counted. */
  #hourOf = new Uint32Array(1024);
  /** Number of agents by hour, for the hours that still count. */
  readonly #counts = new Map<number, number>();

  /** Starts from times known to the core: registration and last settled work. */
  constructor(state: Pick<State, 'header' | 'agent'>) {
    const { agents, timeMs } = state.header();
    const oldest = Math.floor(timeMs / 1000) - HOURS * HOUR_SECS;
    for (let i = 0; i < agents; i++) {
      const agent = state.agent(i)!;
      const seen = Math.max(agent.firstSeen, agent.lastActive);
      if (seen > oldest) this.note(i, seen);
    }
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

// How many agents did something in the last 24 hours, by the hour: for the metric of that name.
// An agent counts in the hour of its newest event; the sum over 24 hours is the answer, so nothing is scanned.

import type { State } from '../core/state.ts';

const HOUR_SECS = 3600;
const HOURS = 24;

export class ActiveAgents {
  readonly #hourOf = new Map<number, number>();
  readonly #counts = new Map<number, number>();

  /** Starts from what the core remembers: registration and last settled work. */
  constructor(state: State) {
    const { agents, timeMs } = state.header();
    const oldest = Math.floor(timeMs / 1000) - HOURS * HOUR_SECS;
    for (let i = 0; i < agents; i++) {
      const agent = state.agent(i)!;
      const seen = Math.max(agent.firstSeen, agent.lastActive);
      if (seen > oldest) this.note(i, seen);
    }
  }

  note(agent: number, timeSecs: number): void {
    const hour = Math.floor(timeSecs / HOUR_SECS);
    const old = this.#hourOf.get(agent);
    if (old === hour) return;
    if (old !== undefined) this.#counts.set(old, this.#counts.get(old)! - 1);
    this.#hourOf.set(agent, hour);
    this.#counts.set(hour, (this.#counts.get(hour) ?? 0) + 1);
  }

  /** Agents of the last 24 hours, this one included; forgets older ones. */
  count(timeSecs: number): number {
    const newest = Math.floor(timeSecs / HOUR_SECS);
    let sum = 0;
    let isStale = false;
    for (const [hour, n] of this.#counts) {
      if (hour > newest - HOURS) sum += n;
      else {
        this.#counts.delete(hour);
        isStale = true;
      }
    }
    if (isStale) {
      for (const [agent, hour] of this.#hourOf) if (hour <= newest - HOURS) this.#hourOf.delete(agent);
    }
    return sum;
  }
}

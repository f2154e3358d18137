// What of an agent's record orders a discovery, by row, as the core has it now: reputation and completion rate.
// Keeps: a value is read again when its agent was touched by a block or when the time of its next decay has passed
// (DECISIONS 6.8, 6.10), so a ranking reads two flat arrays and not the core.

import type { AgentState } from '../core/state.ts';
import { grownFloats, grownShorts } from './columns.ts';

const DECAY_DAYS = 30;
const BP = 10_000;

/** mul(completed, 10000, completed + failed); 0 without a record. */
export const completionBp = (completed: number, failed: number): number =>
  completed === 0 ? 0 : Math.floor((completed * BP) / (completed + failed));

export interface Agents {
  agent(index: number): AgentState | undefined;
}

export class Standing {
  #reputationBp = new Uint16Array(16);
  #completionBp = new Uint16Array(16);
  /** Second of the next decay. */
  #changesAt = new Float64Array(16);

  constructor(
    private readonly agents: Agents,
    private readonly daySecs: number,
  ) {}

  /** Reads a row's agent. `nowSecs`: consensus time that the core answers for. */
  read(row: number, agent: number, nowSecs: number): void {
    this.#reputationBp = grownShorts(this.#reputationBp, row);
    this.#completionBp = grownShorts(this.#completionBp, row);
    this.#changesAt = grownFloats(this.#changesAt, row);
    const a = this.agents.agent(agent)!;
    const period = DECAY_DAYS * this.daySecs;
    const idle = Math.max(0, nowSecs - a.lastActive);
    this.#reputationBp[row] = a.reputationBp;
    this.#completionBp[row] = completionBp(a.completed, a.failed);
    this.#changesAt[row] =
      a.reputationBp === 0
        ? Number.POSITIVE_INFINITY
        : a.lastActive + (Math.floor(idle / period) + 1) * period;
  }

  isStale(row: number, nowSecs: number): boolean {
    return this.#changesAt[row]! <= nowSecs;
  }

  reputationBp(row: number): number {
    return this.#reputationBp[row]!;
  }

  completionBp(row: number): number {
    return this.#completionBp[row]!;
  }
}

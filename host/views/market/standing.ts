// The parts of an agent's record that discovery ranks by, by row: reputation and completion rate, each as far as the
// agent's standing backs it (protocol 6.17), and in full for whoever asks for that order.
// Keeps: a value is read again when a block changed its agent or when its next decay is due (protocol 6.8, 6.10), so a
// ranking reads two flat arrays instead of the core.

import type { AgentFigures } from '../../core/state.ts';
import { sortInSteps } from '../../store/sort-in-steps.ts';
import { SortedIndex } from '../../store/sorted-index.ts';
import { grown } from '../columns.ts';

const DECAY_DAYS = 30;
const BP = 10_000;

/** mul(completed, 10000, completed + failed); 0 without a record. */
export const completionBp = (completed: number, failed: number): number =>
  completed === 0 ? 0 : Math.floor((completed * BP) / (completed + failed));

export interface Agents {
  figures(index: number): AgentFigures | undefined;
}

/** What a ranking reads of a row, in basis points. */
export interface RecordFigures {
  reputationBp(row: number): number;
  completionBp(row: number): number;
}

export class Standing {
  /** As far as standing backs them. */
  readonly counted: RecordFigures = {
    reputationBp: (row) => Math.min(this.#reputationBp[row]!, this.#backingBp[row]!),
    completionBp: (row) => Math.min(this.#completionBp[row]!, this.#backingBp[row]!),
  };
  /** In full. */
  readonly full: RecordFigures = {
    reputationBp: (row) => this.#reputationBp[row]!,
    completionBp: (row) => this.#completionBp[row]!,
  };
  #backingBp = new Uint16Array(16);
  #reputationBp = new Uint16Array(16);
  #completionBp = new Uint16Array(16);
  /** Time of the next decay in seconds; rows that have one are in #due. */
  #changesAt = new Float64Array(16);
  #agents = new Uint32Array(16);
  readonly #due = new SortedIndex((a, b) => this.#changesAt[a]! - this.#changesAt[b]! || a - b);
  /** Called with each row after it was read. */
  onRead: (row: number) => void = () => {};

  constructor(
    private readonly agents: Agents,
    private readonly daySecs: number,
  ) {}

  /** Reads the agent of a row. `nowSecs`: consensus time of the core's state. */
  read(row: number, agent: number, nowSecs: number): void {
    this.forget(row);
    this.load(row, agent, nowSecs);
    if (this.#changesAt[row]) this.#due.insert(row);
    this.onRead(row);
  }

  /** As `read` of a new row, at a start: `sortLoaded` does what is left. */
  load(row: number, agent: number, nowSecs: number): void {
    this.#reputationBp = grown(this.#reputationBp, row);
    this.#completionBp = grown(this.#completionBp, row);
    this.#backingBp = grown(this.#backingBp, row);
    this.#changesAt = grown(this.#changesAt, row);
    this.#agents = grown(this.#agents, row);
    const a = this.agents.figures(agent)!;
    const period = DECAY_DAYS * this.daySecs;
    const idle = Math.max(0, nowSecs - a.lastActive);
    this.#agents[row] = agent;
    this.#reputationBp[row] = a.reputationBp;
    this.#completionBp[row] = completionBp(a.completed, a.failed);
    this.#backingBp[row] = a.backingBp;
    this.#changesAt[row] = a.reputationBp > 0 ? a.lastActive + (Math.floor(idle / period) + 1) * period : 0;
  }

  /** Schedules the decay of all rows that were loaded, in steps. */
  *sortLoaded(rows: Uint32Array): Generator<void, void> {
    const due = Uint32Array.from(rows.filter((row) => this.#changesAt[row]! > 0)).sort();
    // Stable: of equal times, those in order of their numbers.
    yield* sortInSteps(due, (a, b) => this.#changesAt[a]! - this.#changesAt[b]!);
    this.#due.fillSorted(due);
  }

  /** Call when a row is no longer used. */
  forget(row: number): void {
    if (!this.#changesAt[row]) return;
    this.#due.remove(row);
    this.#changesAt[row] = 0;
  }

  /** Reads the rows again whose decay is due. */
  refresh(nowSecs: number): void {
    for (;;) {
      const [row] = this.#due.slice(0, 1);
      if (row === undefined || this.#changesAt[row]! > nowSecs) return;
      this.read(row, this.#agents[row]!, nowSecs);
    }
  }

  backingBp(row: number): number {
    return this.#backingBp[row]!;
  }

  /** The record's part of ten times the discovery score. */
  baseBp(row: number): number {
    const { counted } = this;
    return 3 * counted.reputationBp(row) + 2 * counted.completionBp(row);
  }
}

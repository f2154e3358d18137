// Agents ranked by standing, reputation, balance and tasks, and per category by completed work that standing backs.
// Derived from the core, built at a start. A changed agent is only marked; ranks are updated at the next read or when
// enough agents are marked, so an agent that changes a thousand times between two reads is moved once. What changes while
// they are built stays marked until then.
// Reputation decays with idle time and standing with time, so agents that have some are marked again when the next change
// is due.

import type { AgentFigures, RecordState, State } from '../core/state.ts';
import type { IdOrder } from '../execution/id-order.ts';
import { sortInSteps } from '../store/sort-in-steps.ts';
import { SortedIndex } from '../store/sorted-index.ts';

export const SORTS = ['standing', 'reputation', 'balance', 'tasks'] as const;
export type Sort = (typeof SORTS)[number];

/** Standing is counted in units of so many micro-units (protocol 6.17). */
const STANDING_UNIT = 1000;

const VALUE_OF: Record<Sort, (a: AgentFigures) => number> = {
  // Of equal standings the higher reputation: below 2^14, as a standing in its units of 1,000 is below 2^21.
  standing: (a) => (a.standing / STANDING_UNIT) * 2 ** 14 + a.reputationBp,
  reputation: (a) => a.reputationBp,
  balance: (a) => a.balance,
  tasks: (a) => a.completed,
};
/** A completion counts in a category for each 0.1 token of standing. */
const STANDING_PER_TASK = 100_000;

// Backed completions times their mean score; of equals, those with most completions: below 2^25, as the first is below 2^28.
const inCategory = (a: AgentFigures, r: RecordState): number => {
  const backed = Math.min(r.completed, Math.floor(a.standing / STANDING_PER_TASK));
  return backed * r.avgScoreBp * 2 ** 25 + Math.min(r.completed, 2 ** 25 - 1);
};
/** Number of marked agents at which ranks are updated without a read: a few milliseconds of work. */
const MAX_MARKED = 512;
/** Agents that are read in a step of `build`. */
const AGENTS_OF_STEP = 256;
const DECAY_DAYS = 30;

/** Values by agent: a map if few agents have one, a column if all do. */
interface Values {
  get(agent: number): number | undefined;
  set(agent: number, value: number): unknown;
}

class Column implements Values {
  #values = new Float64Array(1024).fill(Number.NaN);

  get(agent: number): number | undefined {
    const value = this.#values[agent];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }

  set(agent: number, value: number): void {
    if (agent >= this.#values.length) {
      const grown = new Float64Array(Math.max(2 * this.#values.length, agent + 1)).fill(Number.NaN);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[agent] = value;
  }
}

/** Values by agent and a list sorted by descending value, ties by agent_id. */
class Board {
  readonly #index: SortedIndex;

  constructor(
    order: IdOrder,
    readonly values: Values,
  ) {
    this.#index = new SortedIndex((a, b) => {
      if (a === b) return 0;
      return values.get(b)! - values.get(a)! || order.compare(a, b);
    });
  }

  /** `agents`: in order of agent_id, with their values set. The sort is stable, so it need not compare ids. In steps. */
  *fill(agents: Uint32Array<ArrayBuffer>): Generator<void, void> {
    const { values } = this;
    yield* sortInSteps(agents, (a, b) => values.get(b)! - values.get(a)!);
    this.#index.fillSorted(agents);
  }

  get size(): number {
    return this.#index.size;
  }

  set(agent: number, value: number): void {
    const old = this.values.get(agent);
    if (old === value) return;
    if (old !== undefined) this.#index.remove(agent);
    this.values.set(agent, value);
    this.#index.insert(agent);
  }

  page(offset: number, count: number): number[] {
    return this.#index.slice(offset, count);
  }
}

export class Leaderboards {
  readonly #boards: Record<Sort, Board>;
  readonly #categories = new Map<number, Board>();
  /** Category by name, of those that have a board: there may be as many as the core has room for. */
  readonly #byName = new Map<string, number>();
  readonly #marked = new Set<number>();
  /** Hour of consensus time -> agents whose reputation or standing may decay then. */
  readonly #decay = new Map<number, Set<number>>();
  /** Consensus time of the last update. */
  #nowSecs: number;

  #isBuilt = false;

  constructor(
    private readonly state: Pick<State, 'header' | 'figures' | 'records' | 'categoryName'>,
    private readonly order: IdOrder,
    private readonly daySecs: number,
  ) {
    const board = (): Board => new Board(order, new Column());
    this.#boards = { standing: board(), reputation: board(), balance: board(), tasks: board() };
    this.#nowSecs = Math.floor(state.header().timeMs / 1000);
  }

  /** All agents are ranked: until then there are no pages. */
  get isBuilt(): boolean {
    return this.#isBuilt;
  }

  /** Ranks all agents, whose ids are in the order, in steps. */
  *build(): Generator<void, void> {
    const all = yield* this.order.sorted(this.state.header().agents);
    const ranked = new Map<Board, number[]>();
    for (const [i, index] of all.entries()) {
      const agent = this.state.figures(index)!;
      for (const sort of SORTS) this.#boards[sort].values.set(index, VALUE_OF[sort](agent));
      this.#eachRecord(index, agent, (board, value) => {
        board.values.set(index, value);
        const rows = ranked.get(board);
        if (rows) rows.push(index);
        else ranked.set(board, [index]);
      });
      if (i % AGENTS_OF_STEP === AGENTS_OF_STEP - 1) yield;
    }
    for (const sort of SORTS) yield* this.#boards[sort].fill(all.slice());
    for (const [category, rows] of ranked) yield* category.fill(Uint32Array.from(rows));
    this.#isBuilt = true;
  }

  #place(index: number): void {
    const agent = this.state.figures(index);
    if (!agent) return;
    for (const sort of SORTS) this.#boards[sort].set(index, VALUE_OF[sort](agent));
    this.#eachRecord(index, agent, (board, value) => board.set(index, value));
  }

  /** Visits the agent's records by category (most agents have none) and schedules its next decay. */
  #eachRecord(index: number, agent: AgentFigures, put: (board: Board, value: number) => void): void {
    if (agent.completed === 0 && agent.failed === 0 && agent.transferred === 0) return;
    for (const record of this.state.records(index)) {
      put(this.#boardOf(record.category), inCategory(agent, record));
    }
    if (agent.reputationBp > 0) this.#scheduleDecay(index, this.#nextDecay(agent.lastActive));
    if (agent.standing > 0) this.#scheduleDecay(index, agent.standingHalves);
  }

  #boardOf(category: number): Board {
    const known = this.#categories.get(category);
    if (known) return known;
    const board = new Board(this.order, new Map());
    this.#categories.set(category, board);
    this.#byName.set(this.state.categoryName(category), category);
    return board;
  }

  #nextDecay(lastActive: number): number {
    const period = DECAY_DAYS * this.daySecs;
    const idle = Math.max(0, this.#nowSecs - lastActive);
    return lastActive + (Math.floor(idle / period) + 1) * period;
  }

  #scheduleDecay(index: number, at: number): void {
    // One-hour slots keep the schedule small; a rank is late by one hour at most.
    const slot = Math.ceil(at / 3600);
    const due = this.#decay.get(slot);
    if (due) due.add(index);
    else this.#decay.set(slot, new Set([index]));
  }

  mark(agents: readonly number[]): void {
    for (const agent of agents) this.#marked.add(agent);
    if (this.#isBuilt && this.#marked.size >= MAX_MARKED) this.#update();
  }

  #update(): void {
    this.#nowSecs = Math.floor(this.state.header().timeMs / 1000);
    const slot = Math.floor(this.#nowSecs / 3600);
    for (const [at, agents] of this.#decay) {
      if (at > slot) continue;
      for (const agent of agents) this.#marked.add(agent);
      this.#decay.delete(at);
    }
    for (const agent of this.#marked) this.#place(agent);
    this.#marked.clear();
  }

  page(sort: Sort, offset: number, count: number): number[] {
    this.#update();
    return this.#boards[sort].page(offset, count);
  }

  /** A page of a category's ranking, and the number of agents with a record in the category. */
  category(
    name: string,
    offset: number,
    count: number,
  ): { agents: number[]; total: number; category: number } {
    this.#update();
    const category = this.#byName.get(name);
    if (category === undefined) return { agents: [], total: 0, category: -1 };
    const board = this.#categories.get(category)!;
    return { agents: board.page(offset, count), total: board.size, category };
  }
}

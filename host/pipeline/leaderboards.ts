// Agents by rank: reputation, balance, tasks; and per category by completed work times score.
// Derived from the core, rebuilt at start. A changed agent is only marked; its ranks move when somebody reads them or
// enough are marked, so an agent that changes a thousand times between two reads is moved once.
// Reputation decays with idle time alone, so agents with something to lose are looked at again when that is due.

import type { AgentState, State } from '../core/state.ts';
import { SortedIndex } from '../store/sorted-index.ts';
import type { IdOrder } from './id-order.ts';

export const SORTS = ['reputation', 'balance', 'tasks'] as const;
export type Sort = (typeof SORTS)[number];

const VALUE_OF: Record<Sort, (a: AgentState) => number> = {
  reputation: (a) => a.reputationBp,
  balance: (a) => a.balance,
  tasks: (a) => a.completed,
};
/** Marked agents after which ranks are brought up to date without a reader: a few milliseconds of work. */
const MARKED_MOST = 512;
const DECAY_DAYS = 30;

/** Values by agent behind a sorted list: descending by value, ties by agent_id. */
class Board {
  readonly #values = new Map<number, number>();
  readonly #index: SortedIndex;

  constructor(order: IdOrder) {
    this.#index = new SortedIndex((a, b) => {
      if (a === b) return 0;
      return this.#values.get(b)! - this.#values.get(a)! || order.compare(a, b);
    });
  }

  /** Takes all values at once, O(n log n). */
  fill(values: Iterable<[agent: number, value: number]>): void {
    for (const [agent, value] of values) this.#values.set(agent, value);
    this.#index.fill(this.#values.keys());
  }

  get size(): number {
    return this.#index.size;
  }

  set(agent: number, value: number): void {
    const old = this.#values.get(agent);
    if (old === value) return;
    if (old !== undefined) this.#index.remove(agent);
    this.#values.set(agent, value);
    this.#index.insert(agent);
  }

  page(offset: number, count: number): number[] {
    return this.#index.slice(offset, count);
  }
}

export class Leaderboards {
  readonly #boards: Record<Sort, Board>;
  readonly #categories = new Map<number, Board>();
  readonly #marked = new Set<number>();
  /** Consensus second -> agents whose reputation may decay then. */
  readonly #decay = new Map<number, number[]>();

  constructor(
    private readonly state: State,
    private readonly order: IdOrder,
    private readonly daySecs: number,
  ) {
    this.#boards = { reputation: new Board(order), balance: new Board(order), tasks: new Board(order) };
    const values: Record<Sort, [number, number][]> = { reputation: [], balance: [], tasks: [] };
    const { agents } = state.header();
    for (let i = 0; i < agents; i++) {
      const agent = state.agent(i)!;
      for (const sort of SORTS) values[sort].push([i, VALUE_OF[sort](agent)]);
      this.#placeRecords(i, agent);
    }
    for (const sort of SORTS) this.#boards[sort].fill(values[sort]);
  }

  #place(index: number): void {
    const agent = this.state.agent(index);
    if (!agent) return;
    for (const sort of SORTS) this.#boards[sort].set(index, VALUE_OF[sort](agent));
    this.#placeRecords(index, agent);
  }

  /** Rankings by category; most agents have no record at all. */
  #placeRecords(index: number, agent: AgentState): void {
    if (agent.completed === 0 && agent.failed === 0 && agent.transferred === 0) return;
    for (const record of this.state.records(index)) {
      const board = this.#categories.get(record.category) ?? new Board(this.order);
      this.#categories.set(record.category, board);
      board.set(index, record.completed * record.avgScoreBp);
    }
    if (agent.reputationBp > 0) this.#expectDecay(index, agent.lastActive);
  }

  #expectDecay(index: number, lastActive: number): void {
    const period = DECAY_DAYS * this.daySecs;
    const now = Math.floor(this.state.header().timeMs / 1000);
    const idle = Math.max(0, now - lastActive);
    const at = lastActive + (Math.floor(idle / period) + 1) * period;
    // One-hour slots keep the calendar small; a rank is late by at most that.
    const slot = Math.ceil(at / 3600);
    const due = this.#decay.get(slot);
    if (due) due.push(index);
    else this.#decay.set(slot, [index]);
  }

  mark(agents: readonly number[]): void {
    for (const agent of agents) this.#marked.add(agent);
    if (this.#marked.size >= MARKED_MOST) this.#settle();
  }

  #settle(): void {
    const slot = Math.floor(this.state.header().timeMs / 3_600_000);
    for (const [at, agents] of this.#decay) {
      if (at > slot) continue;
      for (const agent of agents) this.#marked.add(agent);
      this.#decay.delete(at);
    }
    for (const agent of this.#marked) this.#place(agent);
    this.#marked.clear();
  }

  page(sort: Sort, offset: number, count: number): number[] {
    this.#settle();
    return this.#boards[sort].page(offset, count);
  }

  /** Ranking of a category, and how many agents have a record in it. */
  category(
    name: string,
    offset: number,
    count: number,
  ): { agents: number[]; total: number; category: number } {
    this.#settle();
    for (const [category, board] of this.#categories) {
      if (this.state.categoryName(category) !== name) continue;
      return { agents: board.page(offset, count), total: board.size, category };
    }
    return { agents: [], total: 0, category: -1 };
  }
}

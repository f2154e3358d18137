// Leaderboards against a plain sort: built at start or updated change by change, they rank the same.

import { expect, it } from 'vitest';
import type { AgentState, HeaderState, RecordState } from '../../../host/core/state.ts';
import { IdOrder } from '../../../host/execution/id-order.ts';
import { Leaderboards, SORTS, type Sort } from '../../../host/views/leaderboards.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { testSeed } from '../../e2e/seed.ts';
import { finished } from './finished.ts';

const SEED = testSeed();
const DAY_SECS = 86_400;
const DAY_MS = 1000 * DAY_SECS;
const CATEGORIES = ['code', 'data', 'content'];

const VALUES: Record<Sort, (a: AgentState) => number[]> = {
  standing: (a) => [a.standing, a.reputationBp],
  reputation: (a) => [a.reputationBp],
  balance: (a) => [a.balance],
  tasks: (a) => [a.completed],
};
const descending = (a: number[], b: number[]): number =>
  a.map((value, i) => b[i]! - value).find((less) => less !== 0) ?? 0;

/** The part of the core that ranks are made of. */
class Table {
  timeMs = 100 * DAY_MS;
  readonly rows: AgentState[] = [];
  readonly held: RecordState[][] = [];

  header(): HeaderState {
    return { timeMs: this.timeMs, agents: this.rows.length } as HeaderState;
  }
  figures(index: number): AgentState | undefined {
    return this.rows[index];
  }
  records(agent: number): RecordState[] {
    return this.held[agent]!;
  }
  categoryName(index: number): string {
    return CATEGORIES[index]!;
  }

  /** Puts an agent in, or another state in its place; few values, so that ties are common. */
  change(index: number, random: SeededRandom): void {
    const completed = random.below(3);
    this.rows[index] = {
      index,
      balance: random.below(5) * 1_000_000,
      reputationBp: random.below(4) * 2500,
      standing: random.pick([0, 0, 100_000, 150_000, 1_250_000_000]),
      standingHalves: this.timeMs / 1000 + 60 * DAY_SECS,
      completed,
      failed: 0,
      transferred: 0,
      lastActive: this.timeMs / 1000,
    } as AgentState;
    this.held[index] = CATEGORIES.slice(0, completed).map(
      (_, category) => ({ category, completed, avgScoreBp: 5000 + 2500 * random.below(2) }) as RecordState,
    );
  }
}

const idOf = (agent: number): string => `crowd/${(agent * 7919) % 1000}`;
const byId = (a: number, b: number): number => (idOf(a) < idOf(b) ? -1 : 1);

function expected(table: Table, sort: Sort): number[] {
  const values = (agent: number): number[] => VALUES[sort](table.rows[agent]!);
  return [...table.rows.keys()].sort((a, b) => descending(values(a), values(b)) || byId(a, b));
}

function expectedIn(table: Table, category: number): number[] {
  const recordOf = (agent: number): RecordState | undefined =>
    table.held[agent]!.find((r) => r.category === category);
  const values = (agent: number): number[] => {
    const { completed, avgScoreBp } = recordOf(agent)!;
    // A completion for each 0.1 token of standing.
    const backed = Math.min(completed, Math.floor(table.rows[agent]!.standing / 100_000));
    return [backed * avgScoreBp, completed];
  };
  const agents = [...table.rows.keys()].filter(recordOf);
  return agents.sort((a, b) => descending(values(a), values(b)) || byId(a, b));
}

function built(table: Table, order: IdOrder): Leaderboards {
  const boards = new Leaderboards(table, order, DAY_SECS);
  finished(boards.build());
  return boards;
}

function expectRanks(boards: Leaderboards, table: Table): void {
  for (const sort of SORTS) expect(boards.page(sort, 0, 1000), sort).toEqual(expected(table, sort));
  expect(boards.page('balance', 100, 50)).toEqual(expected(table, 'balance').slice(100, 150));
}

it(`ranks like a plain sort, at start and after changes (repeat with VWS_SEED=${SEED})`, () => {
  const random = new SeededRandom(SEED);
  const table = new Table();
  const order = new IdOrder(idOf);
  const add = (): number => {
    const agent = table.rows.length;
    order.set(agent, { id: idOf(agent) });
    table.change(agent, random);
    return agent;
  };
  for (let i = 0; i < 600; i++) add();
  const boards = built(table, order);
  expectRanks(boards, table);
  for (const [category, name] of CATEGORIES.slice(0, 2).entries()) {
    const ranked = expectedIn(table, category);
    expect(boards.category(name, 0, 1000)).toEqual({ agents: ranked, total: ranked.length, category });
  }
  for (let i = 0; i < 300; i++) {
    const agent = random.below(4) === 0 ? add() : random.below(table.rows.length);
    // Records only come: an agent with one keeps a rank in its category.
    const held = table.held[agent]!;
    table.change(agent, random);
    if (table.held[agent]!.length < held.length) table.held[agent] = held;
    table.rows[agent]!.completed = table.held[agent]!.length;
    boards.mark([agent]);
  }
  expectRanks(boards, table);
  expectRanks(built(table, order), table);
});

it('re-ranks idle agents when their reputation may have decayed', () => {
  const random = new SeededRandom(SEED);
  const table = new Table();
  const order = new IdOrder(idOf);
  for (const [agent, reputationBp] of [9000, 5000].entries()) {
    order.set(agent, { id: idOf(agent) });
    table.change(agent, random);
    Object.assign(table.rows[agent]!, { reputationBp, completed: 1 });
  }
  const boards = built(table, order);
  expect(boards.page('reputation', 0, 2)).toEqual([0, 1]);
  table.rows[0]!.reputationBp = 4000;
  table.timeMs += 29 * DAY_MS;
  expect(boards.page('reputation', 0, 2)).toEqual([0, 1]);
  table.timeMs += 1 * DAY_MS + 3_600_000;
  expect(boards.page('reputation', 0, 2)).toEqual([1, 0]);
});

it('re-ranks agents when their standing has halved', () => {
  const random = new SeededRandom(SEED);
  const table = new Table();
  const order = new IdOrder(idOf);
  for (const [agent, standing] of [3_000_000, 2_000_000].entries()) {
    order.set(agent, { id: idOf(agent) });
    table.change(agent, random);
    const standingHalves = table.timeMs / 1000 + 5 * DAY_SECS;
    Object.assign(table.rows[agent]!, { standing, standingHalves, reputationBp: 0, completed: 1 });
  }
  const boards = built(table, order);
  expect(boards.page('standing', 0, 2)).toEqual([0, 1]);
  table.rows[0]!.standing = 1_500_000;
  table.timeMs += 4 * DAY_MS;
  expect(boards.page('standing', 0, 2)).toEqual([0, 1]);
  table.timeMs += 1 * DAY_MS + 3_600_000;
  expect(boards.page('standing', 0, 2)).toEqual([1, 0]);
});

it('reports no records in an unknown category', () => {
  const boards = new Leaderboards(new Table(), new IdOrder(idOf), DAY_SECS);
  expect(boards.category('poetry', 0, 10)).toEqual({ agents: [], total: 0, category: -1 });
  expect(boards.page('tasks', 0, 10)).toEqual([]);
});

it('ranks what changed or came while it was built', () => {
  const random = new SeededRandom(SEED);
  const table = new Table();
  const order = new IdOrder(idOf);
  const add = (): void => {
    const agent = table.rows.length;
    order.set(agent, { id: idOf(agent) });
    table.change(agent, random);
    boards.mark([agent]);
  };
  const boards = new Leaderboards(table, order, DAY_SECS);
  for (let i = 0; i < 900; i++) add();
  let steps = 0;
  for (const _ of boards.build()) {
    expect(boards.isBuilt).toBe(false);
    add();
    // More than are placed at once between two reads.
    for (let i = 0; i < 600; i++) {
      const agent = random.below(table.rows.length);
      Object.assign(table.rows[agent]!, { balance: random.below(5) * 1_000_000 });
      boards.mark([agent]);
    }
    steps += 1;
  }
  expect(steps).toBeGreaterThan(2);
  expect(boards.isBuilt).toBe(true);
  expectRanks(boards, table);
});

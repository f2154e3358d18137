import { describe, expect, it } from 'vitest';
import { TASK_STATUSES } from '../../../host/core/task-names.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { TaskIndex } from '../../../host/views/tasks/task-index.ts';
import { type ListTerms, listsOf } from '../../../host/views/tasks/task-lists.ts';
import { testSeed } from '../../e2e/seed.ts';

/** Small generator of a replayable run. */
function chance(seed: number): (below: number) => number {
  let state = (seed >>> 0) + 0x9e3779b9;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const CATEGORIES = ['general', 'code', 'poetry'];
const LANES = [undefined, undefined, 'standard', 'enterprise'];
const AGENTS = 4;

interface Task {
  terms: ListTerms;
  category: string;
}
const idOf = (n: number): Uint8Array => {
  const id = new Uint8Array(16);
  new DataView(id.buffer).setUint32(0, n + 1);
  return id;
};
const numberOf = (id: Uint8Array): number => new DataView(id.buffer, id.byteOffset).getUint32(0) - 1;

const TERMS = ['status', 'category', 'poster', 'claimer', 'lane'] as const;

/** All tasks, filtered one by one. */
const matching = (tasks: readonly Task[], filter: ListTerms): number[] =>
  tasks
    .map((t, n) => ({ t, n }))
    .filter(({ t }) => TERMS.every((k) => filter[k] === undefined || filter[k] === t.terms[k]))
    .map(({ n }) => n)
    .reverse();

/** Random life of tasks, each step one write. */
const PLAIN = { escrow: 1000, isSubtask: false, bond: 0, paid: 0 };

async function grow(steps: number, random: (below: number) => number) {
  const store = new MemoryStore();
  const index = new TaskIndex(store);
  const tasks: Task[] = [];
  for (let i = 0; i < steps; i++) {
    const set = new WriteSet(store);
    if (tasks.length === 0 || random(3) === 0) {
      const category = CATEGORIES[random(CATEGORIES.length)]!;
      const n = index.add(set, idOf(tasks.length), category, 1000, random(4) === 0);
      expect(n).toBe(tasks.length);
      const terms: ListTerms = {
        status: 'open',
        category: index.category(category),
        poster: random(AGENTS),
        claimer: undefined,
        lane: LANES[random(LANES.length)],
      };
      tasks.push({ terms, category });
      index.move(n, undefined, terms);
      index.count(undefined, { status: 'open', ...PLAIN });
    } else {
      const n = random(tasks.length);
      const before = tasks[n]!.terms;
      const claimer = random(2) === 0 ? undefined : AGENTS + random(AGENTS);
      const after = { ...before, status: TASK_STATUSES[random(6)]!, claimer };
      tasks[n]!.terms = after;
      index.move(n, before, after);
      index.count({ status: before.status!, ...PLAIN }, { status: after.status, ...PLAIN });
    }
    index.flush(set);
    await store.write(set.ops());
  }
  return { store, index, tasks };
}

describe('lists of tasks', () => {
  it('answer every combination of filters like a walk over all tasks', async () => {
    const seed = testSeed();
    const { store, index, tasks } = await grow(400, chance(seed));
    const again = new TaskIndex(store);
    for (const status of [undefined, ...TASK_STATUSES]) {
      for (const category of [undefined, 0, 1, 2]) {
        for (const poster of [undefined, 0, 3]) {
          for (const claimer of [undefined, 4, 6]) {
            for (const lane of [undefined, 'standard', 'enterprise']) {
              const filter = { status, category, poster, claimer, lane };
              const all = matching(tasks, filter);
              const about = `VWS_SEED=${seed} ${JSON.stringify(filter)}`;
              for (const source of [index, again]) {
                const page = source.page(filter, 1, 5);
                expect(page.ids.map(numberOf), about).toEqual(all.slice(1, 6));
                expect(page.total, about).toBe(all.length);
              }
            }
          }
        }
      }
    }
  });

  it('an agent in either role, with and without status', async () => {
    const seed = testSeed();
    const { index, tasks } = await grow(300, chance(seed));
    for (let agent = 0; agent < 2 * AGENTS; agent++) {
      for (const status of [undefined, ...TASK_STATUSES]) {
        const own = matching(tasks, { status }).filter((n) => {
          const { poster, claimer } = tasks[n]!.terms;
          return poster === agent || claimer === agent;
        });
        const page = index.pageOfMember(agent, status, 0, 200);
        expect(page.ids.map(numberOf), `VWS_SEED=${seed}`).toEqual(own);
        expect(page.total).toBe(own.length);
      }
    }
  });

  it('sums and categories follow, and a fresh index reads the same', async () => {
    const seed = testSeed();
    const { store, index, tasks } = await grow(300, chance(seed));
    const states = TASK_STATUSES.map((s) => [s, tasks.filter((t) => t.terms.status === s).length]);
    for (const source of [index, new TaskIndex(store)]) {
      expect(source.totals.count, `VWS_SEED=${seed}`).toBe(tasks.length);
      expect(TASK_STATUSES.map((s) => [s, source.totals.by_status[s] ?? 0])).toEqual(states);
      expect(source.totals.escrowed).toBe(1000 * tasks.length);
      const topLevel = Object.values(source.byCategory(0, 1000).counts).reduce((a, b) => a + b, 0);
      expect(source.totals.budget).toBe(1000 * topLevel);
    }
    expect(index.category('never used')).toBeUndefined();
  });

  it('a task is in one list for each combination of its terms', () => {
    const open = { status: 'open', category: 1, poster: 2 };
    expect(listsOf(open).size).toBe(7 + 2);
    expect(listsOf({ ...open, claimer: 3 }).size).toBe(15 + 4);
    expect(listsOf({ ...open, claimer: 3, lane: 'standard' }).size).toBe(31 + 4);
  });
});

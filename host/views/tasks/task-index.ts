// Lists and sums over tasks, for GET /v1/tasks and TaskStats.
// Keeps: both are updated in the batch that changes a document. Lists are in the store (ranked-lists.ts); the sums and
// one counter for each category are in memory.

import { TASK_STATUSES } from '../../core/task-names.ts';
import { hasWholeLog, readHistory } from '../../store/history.ts';
import { rowKey } from '../../store/prefixes.ts';
import { RankedLists } from '../../store/ranked-lists.ts';
import type { CategoryDoc, TaskTotals } from '../../store/task-documents.ts';
import { taskState } from '../../store/task-rows.ts';
import { readJson, type WriteSet } from '../../store/write-set.ts';
import type { Store } from '../../world/store.ts';
import { type Figures, figuresOf } from './figures.ts';
import { hiredList, type ListTerms, listOf, listsOf, memberList } from './task-lists.ts';

const TOTALS_KEY = rowKey.totals('tasks');
const categoryKey = (number: number): Uint8Array => rowKey.totals(`task-category-${number}`);
const noTotals = (): TaskTotals => ({
  count: 0,
  by_status: Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])),
  budget: 0,
  escrowed: 0,
  escrowed_subtasks: 0,
  claim_bonds: 0,
  paid: 0,
  categories: 0,
});
/** Categories read per call at start. */
const LOAD_COUNT = 1000;

export interface TaskPage {
  /** Task ids, 16 bytes each, newest first. */
  ids: Uint8Array[];
  total: number;
}

export class TaskIndex {
  readonly #lists: RankedLists;
  readonly #categories: CategoryDoc[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #totals: TaskTotals;
  readonly #touched = new Set<number>();

  /** `isNew`: without what is stored of it, to be made anew. */
  constructor(
    private readonly store: Store,
    isNew = false,
  ) {
    this.#lists = new RankedLists(store, hasWholeLog(readHistory(store)));
    this.#totals = (isNew ? undefined : readJson<TaskTotals>(store.get(TOTALS_KEY))) ?? noTotals();
    // Sums that an earlier version did not keep.
    if (this.#totals.claim_bonds === undefined) this.#sumBonds();
    for (let from = 0; from < this.#totals.categories; from += LOAD_COUNT) {
      const count = Math.min(LOAD_COUNT, this.#totals.categories - from);
      const rows = store.getMany(Array.from({ length: count }, (_, i) => categoryKey(from + i)));
      for (const row of rows) this.#name(readJson<CategoryDoc>(row)!);
    }
  }

  /** Once, at the first start: one pass over all tasks. */
  #sumBonds(): void {
    const t = this.#totals;
    [t.claim_bonds, t.escrowed_subtasks] = [0, 0];
    for (let from = 0; from < t.count; from += LOAD_COUNT) {
      const numbers = Array.from({ length: Math.min(LOAD_COUNT, t.count - from) }, (_, i) => from + i);
      for (const id of this.#ids(numbers)) {
        const state = taskState(this.store, id);
        const figures = state && figuresOf(state);
        t.claim_bonds += figures?.bond ?? 0;
        if (figures?.isSubtask) t.escrowed_subtasks += figures.escrow;
      }
    }
  }

  #name(doc: CategoryDoc): number {
    const number = this.#categories.push(doc) - 1;
    this.#numbers.set(doc.name, number);
    return number;
  }

  get totals(): Readonly<TaskTotals> {
    return this.#totals;
  }

  /** Top-level tasks by category, in order of first use. */
  byCategory(offset: number, size: number): { counts: Record<string, number>; total: number } {
    const shown = this.#categories.slice(offset, offset + size).filter((c) => c.tasks > 0);
    return {
      counts: Object.fromEntries(shown.map((c) => [c.name, c.tasks])),
      total: this.#categories.length,
    };
  }

  /** Number of a category; undefined when no task ever had it. */
  category(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** Adds a new task; returns its number, which is its position among all tasks. */
  add(set: WriteSet, id: Uint8Array, category: string, budget: number, isSubtask: boolean): number {
    const { count: number } = this.#totals;
    set.put(rowKey.taskId(number), id);
    this.note(category, budget, isSubtask);
    return number;
  }

  /** Counts a task that has its place among all tasks. */
  note(category: string, budget: number, isSubtask: boolean): void {
    this.#totals.count += 1;
    const place = this.#numbers.get(category) ?? this.#name({ name: category, tasks: 0 });
    this.#totals.categories = this.#categories.length;
    this.#touched.add(place);
    if (!isSubtask) {
      this.#categories[place]!.tasks += 1;
      this.#totals.budget += budget;
    }
  }

  /** Moves a task from the lists of `before` to those of `after`. */
  move(number: number, before: ListTerms | undefined, after: ListTerms): void {
    const from = before ? listsOf(before) : new Set<string>();
    const to = listsOf(after);
    for (const list of from) if (!to.has(list)) this.#lists.change(list, number, false);
    for (const list of to) if (!from.has(list)) this.#lists.change(list, number, true);
  }

  count(before: Figures | undefined, after: Figures): void {
    const t = this.#totals;
    if (before) t.by_status[before.status]! -= 1;
    t.by_status[after.status]! += 1;
    t.escrowed += after.escrow - (before?.escrow ?? 0);
    if (after.isSubtask) t.escrowed_subtasks += after.escrow - (before?.escrow ?? 0);
    t.claim_bonds += after.bond - (before?.bond ?? 0);
    t.paid += after.paid - (before?.paid ?? 0);
  }

  /** Writes the lists and sums that changed. */
  flush(set: WriteSet): void {
    this.#lists.flush(set);
    set.putJson(TOTALS_KEY, this.#totals);
    for (const place of this.#touched) set.putJson(categoryKey(place), this.#categories[place]);
    this.#touched.clear();
  }

  /** Ids of tasks, without those that a node with a short history has dropped. */
  #ids(numbers: readonly number[]): Uint8Array[] {
    return this.store.getMany(numbers.map((n) => rowKey.taskId(n))).flatMap((id) => id ?? []);
  }

  /** Tasks that match a filter, newest first. */
  page(filter: ListTerms, offset: number, count: number): TaskPage {
    const list = listOf(filter);
    if (list !== undefined) return this.#page(list, offset, count);
    const total = this.#totals.count;
    const size = Math.max(0, Math.min(count, total - offset));
    return { ids: this.#ids(Array.from({ length: size }, (_, i) => total - 1 - offset - i)), total };
  }

  /** Tasks that an agent posted or claims, newest first. */
  pageOfMember(agent: number, status: string | undefined, offset: number, count: number): TaskPage {
    return this.#page(memberList(agent, status), offset, count);
  }

  /** Open tasks that are reserved for an agent, newest first. */
  pageOfHired(agent: number, offset: number, count: number): TaskPage {
    return this.#page(hiredList(agent), offset, count);
  }

  #page(list: string, offset: number, count: number): TaskPage {
    return { ids: this.#ids(this.#lists.page(list, offset, count)), total: this.#lists.size(list) };
  }
}

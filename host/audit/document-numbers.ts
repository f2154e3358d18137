// The numbers that an auditor gives to new tasks and cases. They are part of the documents; lists and sums are not, and an
// auditor keeps none.
// Keeps: the counts are stored with the documents, in the rows in which nodes have theirs.

import type { CaseTotals } from '../store/case-documents.ts';
import { rowKey } from '../store/prefixes.ts';
import type { TaskTotals } from '../store/task-documents.ts';
import { readJson, type WriteSet } from '../store/write-set.ts';
import type { CaseIndexWriter } from '../views/cases/case-book.ts';
import type { ProjectorContext } from '../views/projection/event-writer.ts';
import type { TaskIndexWriter } from '../views/tasks/task-book.ts';
import type { Store } from '../world/store.ts';

const TASKS = rowKey.totals('tasks');
const CASES = rowKey.totals('cases');
const nothing = (): void => {};

function tasksOf(store: Store): TaskIndexWriter {
  let count = readJson<Pick<TaskTotals, 'count'>>(store.get(TASKS))?.count ?? 0;
  return {
    add(set: WriteSet) {
      set.putJson(TASKS, { count: count + 1 });
      return count++;
    },
    ...{ category: () => undefined, move: nothing, count: nothing, flush: nothing },
  };
}

function casesOf(store: Store): CaseIndexWriter {
  const totals = readJson<CaseTotals>(store.get(CASES)) ?? { challenges: 0, jobs: 0 };
  return {
    add(set: WriteSet, kind) {
      const number = totals[kind]++;
      set.putJson(CASES, totals);
      return number;
    },
    ...{ move: nothing, flush: nothing },
  };
}

/** Stand-ins for the lists and sums of a node. */
export const numbersOf = (store: Store): Pick<ProjectorContext, 'lists' | 'taskIndex' | 'caseIndex'> => ({
  lists: { append: nothing, flush: nothing },
  taskIndex: tasksOf(store),
  caseIndex: casesOf(store),
});

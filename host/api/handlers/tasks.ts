// Reads of tasks: single tasks, lists, results, trajectories, statistics (protocol 3.3 to 3.5, 4.4).

import { TASK_STATUSES } from '../../core/task-names.ts';
import { ServiceError } from '../../errors.ts';
import { taskIdBytes } from '../../execution/translation/tasks.ts';
import { taskState } from '../../store/task-rows.ts';
import type { ListTerms } from '../../views/tasks/task-lists.ts';
import { bodiesOf, commitsOf, taskObject, taskResult, taskRows } from '../../views/tasks/task-view.ts';
import { fromHex } from '../../wire/bytes.ts';
import { normalName } from '../../wire/category.ts';
import { agentKey } from '../../wire/ids.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { agentOf } from './agents.ts';

const EMPTY: Reply = { body: [], total: 0 };

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ServiceError('task_not_found');
  return value;
}

export const task = (c: ReadContext, { path }: ReadArgs): Reply => ({
  body: found(taskObject(c.store, taskIdBytes(path.id!))),
});

export const result = (c: ReadContext, { path }: ReadArgs): Reply => ({
  body: found(taskResult(c.store, taskIdBytes(path.id!))),
});

/** List terms of the given filters; undefined when nothing can match. */
function termsOf(c: ReadContext, query: ReadArgs['query']): ListTerms | undefined {
  const terms: ListTerms = {
    status: query.status as string | undefined,
    lane: query.assurance_lane as string | undefined,
  };
  if (query.category !== undefined) {
    terms.category = c.tasks.category(normalName(String(query.category)));
    if (terms.category === undefined) return undefined;
  }
  for (const role of ['poster', 'claimer'] as const) {
    const name = query[`${role}_id`];
    if (name === undefined) continue;
    terms[role] = c.state.findAgent(agentKey(String(name)));
    if (terms[role] === undefined) return undefined;
  }
  return terms;
}

export function list(c: ReadContext, { query, page }: ReadArgs): Reply {
  const terms = termsOf(c, query);
  if (!terms) return EMPTY;
  const { ids, total } = c.tasks.page(terms, page.offset, page.size);
  return { body: taskRows(c.store, ids), total };
}

export function ofAgent(c: ReadContext, { path, query, page }: ReadArgs): Reply {
  const { index } = agentOf(c, path.agent_id!);
  const status = query.status as string | undefined;
  const { ids, total } =
    query.role === undefined
      ? c.tasks.pageOfMember(index, status, page.offset, page.size)
      : c.tasks.page({ [String(query.role)]: index, status }, page.offset, page.size);
  return { body: taskRows(c.store, ids), total };
}

export function subtasks(c: ReadContext, { path, page }: ReadArgs): Reply {
  const { subtasks: all } = found(taskState(c.store, taskIdBytes(path.id!)));
  const ids = all.slice(page.offset, page.offset + page.size).map((id) => fromHex(id)!);
  return { body: taskRows(c.store, ids), total: all.length };
}

export function trajectories(c: ReadContext, { path, query, page }: ReadArgs): Reply {
  const id = taskIdBytes(path.id!);
  const { commits } = found(taskState(c.store, id));
  const rows = commitsOf(c.store, id, commits).map((commit, position) => ({ commit, position }));
  const branch = query.branch_id;
  const matching = branch === undefined ? rows : rows.filter(({ commit }) => commit.branch_id === branch);
  const shown = matching.slice(page.offset, page.offset + page.size);
  const withBodies = query.include_bodies === 'true';
  const positions = withBodies ? shown.map(({ position }) => position) : [];
  const bodies = bodiesOf(c.store, id, positions);
  const body = shown.map(({ commit }, i) => ({
    ...commit,
    body_available: true,
    ...(withBodies ? { checkpoint_body: bodies[i] } : {}),
  }));
  return { body, total: matching.length };
}

export function stats(c: ReadContext, { page }: ReadArgs): Reply {
  const { count, by_status, budget, escrowed, paid } = c.tasks.totals;
  const { counts, total } = c.tasks.byCategory(page.offset, page.size);
  return {
    body: {
      total_tasks: count,
      ...Object.fromEntries(TASK_STATUSES.map((status) => [`${status}_tasks`, by_status[status]!])),
      total_budget: budget,
      total_escrowed: escrowed,
      total_paid: paid,
      by_category: counts,
    },
    total,
  };
}

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
import { historyHeaders, missing } from './history.ts';

const EMPTY: Reply = { body: [], total: 0 };

function found<T>(c: ReadContext, value: T | undefined): T {
  if (value === undefined) throw missing(c, 'task_not_found');
  return value;
}

export const task = (c: ReadContext, { path }: ReadArgs): Reply => ({
  body: found(c, taskObject(c.store, taskIdBytes(path.id!), c.hidden)),
});

export function result(c: ReadContext, { path }: ReadArgs): Reply {
  const body = found(c, taskResult(c.store, taskIdBytes(path.id!), c.hidden));
  if (body === 'hidden') throw new ServiceError('content_hidden');
  return { body };
}

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
  return { body: taskRows(c.store, ids), wanted: ids.length, total, headers: historyHeaders(c) };
}

// Only open tasks are reserved.
function hiredPage(c: ReadContext, agent: number, status: string | undefined, page: ReadArgs['page']): Reply {
  if (status !== undefined && status !== 'open') return EMPTY;
  const { ids, total } = c.tasks.pageOfHired(agent, page.offset, page.size);
  return { body: taskRows(c.store, ids), wanted: ids.length, total, headers: historyHeaders(c) };
}

export function ofAgent(c: ReadContext, { path, query, page }: ReadArgs): Reply {
  const { index } = agentOf(c, path.agent_id!);
  const status = query.status as string | undefined;
  if (query.role === 'hired') return hiredPage(c, index, status, page);
  const { ids, total } =
    query.role === undefined
      ? c.tasks.pageOfMember(index, status, page.offset, page.size)
      : c.tasks.page({ [String(query.role)]: index, status }, page.offset, page.size);
  return { body: taskRows(c.store, ids), wanted: ids.length, total, headers: historyHeaders(c) };
}

export function subtasks(c: ReadContext, { path, page }: ReadArgs): Reply {
  const { subtasks: all } = found(c, taskState(c.store, taskIdBytes(path.id!)));
  const asked = all.slice(page.offset, page.offset + page.size).map((id) => fromHex(id)!);
  // A subtask may have been dropped before its parent.
  const ids = asked.filter((id) => taskState(c.store, id) !== undefined);
  return { body: taskRows(c.store, ids), wanted: ids.length, total: all.length, headers: historyHeaders(c) };
}

export function trajectories(c: ReadContext, { path, query, page }: ReadArgs): Reply {
  const id = taskIdBytes(path.id!);
  const { commits } = found(c, taskState(c.store, id));
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

// Reads of challenges and replay jobs (protocol 3.9, 4.7, 4.8).

import { challengeIdBytes, jobIdBytes } from '../../execution/translation/cases.ts';
import { taskIdBytes } from '../../execution/translation/tasks.ts';
import { challengeTerms, jobTerms } from '../../views/cases/case-terms.ts';
import { challengeObject, challengeRows, jobObject, jobRows } from '../../views/cases/case-view.ts';
import { agentKey } from '../../wire/ids.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { historyHeaders, missing } from './history.ts';

const EMPTY: Reply = { body: [], total: 0 };

/** The value of a text filter; undefined when absent. */
const textOf = (query: ReadArgs['query'], name: string): string | undefined =>
  query[name] as string | undefined;

export function challenges(c: ReadContext, { query, page }: ReadArgs): Reply {
  const [target, challenger] = [textOf(query, 'target_id'), textOf(query, 'challenger_id')];
  const task = textOf(query, 'task_id');
  const filter = {
    status: textOf(query, 'status'),
    task: task === undefined ? undefined : taskIdBytes(task),
    target: target === undefined ? undefined : c.ids.findValidator(target),
    challenger: challenger === undefined ? undefined : c.state.findAgent(agentKey(challenger)),
  };
  const isUnknown = (name: unknown, row: unknown): boolean => name !== undefined && row === undefined;
  if (isUnknown(target, filter.target) || isUnknown(challenger, filter.challenger)) return EMPTY;
  const { ids, total } = c.cases.page('challenges', challengeTerms(filter), page.offset, page.size);
  return { body: challengeRows(c.store, c.state, ids), total, headers: historyHeaders(c) };
}

export function challenge(c: ReadContext, { path }: ReadArgs): Reply {
  const body = challengeObject(c.store, c.state, challengeIdBytes(path.id!));
  if (!body) throw missing(c, 'challenge_not_found');
  return { body };
}

export function jobs(c: ReadContext, { query, page }: ReadArgs): Reply {
  const [task, name] = [textOf(query, 'task_id'), textOf(query, 'executor_id')];
  const executor = name === undefined ? undefined : c.ids.findValidator(name);
  if (name !== undefined && executor === undefined) return EMPTY;
  const terms = jobTerms({
    status: textOf(query, 'status'),
    task: task === undefined ? undefined : taskIdBytes(task),
    executor,
  });
  const { ids, total } = c.cases.page('jobs', terms, page.offset, page.size);
  return { body: jobRows(c.store, ids), total, headers: historyHeaders(c) };
}

export function job(c: ReadContext, { path }: ReadArgs): Reply {
  const body = jobObject(c.store, jobIdBytes(path.id!));
  if (!body) throw missing(c, 'replay_job_not_found');
  return { body };
}

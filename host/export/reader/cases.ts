// Challenges and replay jobs in an export (protocol 3.9).

import type { ReadArgs, Reply } from '../../api/route.ts';
import { challengeIdBytes, jobIdBytes } from '../../execution/translation/cases.ts';
import { taskIdBytes } from '../../execution/translation/tasks.ts';
import { toHex } from '../../wire/bytes.ts';
import { agentIdOf, validatorIdOf } from './agents.ts';
import { Conditions, document, EMPTY, missing, mustBeWhole, newestOfTable } from './answers.ts';
import type { Snapshot } from './snapshot.ts';

const taskOf = (query: ReadArgs['query']): string | undefined =>
  query.task_id === undefined ? undefined : toHex(taskIdBytes(String(query.task_id)));

export async function challenges(s: Snapshot, { query, page }: ReadArgs): Promise<Reply> {
  mustBeWhole(s);
  const where = new Conditions().add('status = ?', query.status).add('task_id = ?', taskOf(query));
  if (query.target_id !== undefined) {
    const target = await validatorIdOf(s, String(query.target_id));
    if (target === undefined) return EMPTY;
    where.add('target = ?', target);
  }
  if (query.challenger_id !== undefined) {
    const challenger = await agentIdOf(s, String(query.challenger_id));
    if (challenger === undefined) return EMPTY;
    where.add('challenger = ?', challenger);
  }
  return newestOfTable(s, { table: 'challenge', lists: [where], page });
}

export async function challenge(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const id = `chal-${toHex(challengeIdBytes(path.id!))}`;
  const [row] = await s.rows<{ doc: string }>('select doc from challenge where id = $1', [id]);
  if (!row) throw missing(s, 'challenge_not_found');
  return document(row.doc);
}

export async function jobs(s: Snapshot, { query, page }: ReadArgs): Promise<Reply> {
  mustBeWhole(s);
  const where = new Conditions().add('status = ?', query.status).add('task_id = ?', taskOf(query));
  if (query.executor_id !== undefined) {
    const executor = await validatorIdOf(s, String(query.executor_id));
    if (executor === undefined) return EMPTY;
    where.add('executor = ?', executor);
  }
  return newestOfTable(s, { table: 'replay_job', lists: [where], page });
}

export async function job(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const id = toHex(jobIdBytes(path.id!));
  const [row] = await s.rows<{ doc: string }>('select doc from replay_job where id = $1', [id]);
  if (!row) throw missing(s, 'replay_job_not_found');
  return document(row.doc);
}

// Tasks in an export (protocol 3.3, 3.4).

import type { ReadArgs, Reply } from '../../api/route.ts';
import { taskIdBytes } from '../../execution/translation/tasks.ts';
import type { RunCountDoc } from '../../store/task-documents.ts';
import {
  resultObject,
  runsOfTask,
  type TaskBody,
  withContent,
  withRuns,
} from '../../views/tasks/task-view.ts';
import { toHex } from '../../wire/bytes.ts';
import { normalName } from '../../wire/category.ts';
import { agentIdOf, knownAgent } from './agents.ts';
import { Conditions, EMPTY, missing, mustBeWhole, newestOfTable } from './answers.ts';
import type { Snapshot } from './snapshot.ts';

async function find(s: Snapshot, id: string): Promise<{ body: TaskBody; content: string | undefined }> {
  const [row] = await s.rows<{ doc: string; content: string | null }>(
    'select doc, content from task where id = $1',
    [toHex(taskIdBytes(id))],
  );
  if (!row) throw missing(s, 'task_not_found');
  return { body: JSON.parse(row.doc) as TaskBody, content: row.content ?? undefined };
}

export async function task(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const { body, content } = await find(s, path.id!);
  const names = runsOfTask(body);
  const counts =
    names.length === 0
      ? []
      : await s.rows<{ id: string } & RunCountDoc>(
          'select id, runs, passed from run_count where id = any($1)',
          [names],
        );
  const countOf = (name: string): RunCountDoc => {
    const { runs = 0, passed = 0 } = counts.find(({ id }) => id === name) ?? {};
    return { runs, passed };
  };
  return { body: withContent(withRuns(body, countOf), content) };
}

export async function result(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const { body, content } = await find(s, path.id!);
  return { body: resultObject(body, content) };
}

export async function list(s: Snapshot, { query, page }: ReadArgs): Promise<Reply> {
  mustBeWhole(s);
  const { category } = query;
  const where = new Conditions()
    .add('status = ?', query.status)
    .add('category = ?', category === undefined ? undefined : normalName(String(category)))
    .add('lane = ?', query.assurance_lane);
  for (const role of ['poster', 'claimer'] as const) {
    const name = query[`${role}_id`];
    if (name === undefined) continue;
    const agent = await agentIdOf(s, String(name));
    if (agent === undefined) return EMPTY;
    where.add(`${role} = ?`, agent);
  }
  return newestOfTable(s, { table: 'task', lists: [where], page });
}

/** Columns by role. Nobody claims a task of its own, so no task is in both lists of one that is either. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  poster: ['poster'],
  claimer: ['claimer'],
  hired: ['hired'],
  undefined: ['poster', 'claimer'],
};

export async function ofAgent(s: Snapshot, { path, query, page }: ReadArgs): Promise<Reply> {
  mustBeWhole(s);
  const { id } = await knownAgent(s, path.agent_id!);
  const { role, status } = query;
  // Only open tasks are reserved.
  if (role === 'hired' && status !== undefined && status !== 'open') return EMPTY;
  const lists = ROLES[String(role)]!.map((column) =>
    new Conditions().add(`${column} = ?`, id).add('status = ?', role === 'hired' ? undefined : status),
  );
  return newestOfTable(s, { table: 'task', lists, page });
}

export async function subtasks(s: Snapshot, { path, page }: ReadArgs): Promise<Reply> {
  const { body } = await find(s, path.id!);
  const all = body.subtask_ids as string[];
  const asked = all.slice(page.offset, page.offset + page.size);
  const rows = await s.rows<{ id: string; doc: string }>('select id, doc from task where id = any($1)', [
    asked,
  ]);
  const found = new Map(rows.map(({ id, doc }) => [id, doc]));
  const docs = asked.flatMap((id) => found.get(id) ?? []).map((doc) => JSON.parse(doc) as unknown);
  return { body: docs, total: all.length };
}

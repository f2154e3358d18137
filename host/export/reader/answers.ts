// What readers have in common: the refusal of what only a node knows, and of what the database does not reach back to.

import { JSON_TYPE } from '../../api/refusals.ts';
import type { ReadArgs, Reply } from '../../api/route.ts';
import { type ErrorCode, ServiceError } from '../../errors.ts';
import type { Snapshot } from './snapshot.ts';

/** Why a reader has no answer: the texts that clients see. */
export const REASONS = {
  write: 'a reader takes no writes',
  node: 'it is about one node',
  moves: 'its figures move with time, and the core of a node computes them',
  votes: 'votes on it are still open, and the core of a node counts them',
  log: 'the log itself is not exported',
  lists: 'only nodes keep what it is made of',
  stream: 'this reader was started without a stream',
  trusted: 'this export was written from the stream of a node, and nothing in it was recomputed',
  late: 'this export does not begin at genesis',
} as const;
export type Reason = keyof typeof REASONS;

/** 501: a node has the answer. */
export const askNode = (reason: Reason): ServiceError =>
  new ServiceError('ask_a_node', { text: `ask a node: ${REASONS[reason]}`, details: { reason } });

/** Why something is not in the database: there is no such thing, or it may lie before what is kept. */
export function missing({ firstOrder, keptFrom }: Snapshot, code: ErrorCode): ServiceError {
  if (firstOrder === 0 && keptFrom <= 1) return new ServiceError(code);
  const text = 'not in the history that this export has: ask a node with the full history';
  return new ServiceError('history_dropped', { text });
}

/** Errors: `ask_a_node` for an export without the beginning, whose lists would be too short. */
export function mustBeWhole({ firstOrder }: Snapshot): void {
  if (firstOrder > 0) throw askNode('late');
}

/** A document as it was exported, byte for byte. */
export const document = (json: string): Reply => ({ body: json, contentType: JSON_TYPE });

export const EMPTY: Reply = { body: [], total: 0 };

/** Conditions of a query with their values. */
export class Conditions {
  readonly values: (string | number)[] = [];
  readonly #texts: string[] = [];

  /** `sql`: with `?` for the place of the value. An undefined value adds nothing. */
  add(sql: string, value: string | number | undefined): this {
    if (value === undefined) return this;
    this.values.push(value);
    this.#texts.push(sql.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  get sql(): string {
    return this.#texts.length === 0 ? '' : `where ${this.#texts.join(' and ')}`;
  }
}

interface KeyedPage {
  table: 'listing' | 'validator';
  where: Conditions;
  /** First what is sorted by, then how. Documents of the same are sorted by id. */
  sortedBy: readonly [column: string, direction: 'asc' | 'desc'];
  page: ReadArgs['page'];
}

/** A page of documents and how many match: an index is walked up to it, and only its own documents are read. */
export async function documentsOf(
  s: Snapshot,
  { table, where, sortedBy: [column, direction], page: { offset, size } }: KeyedPage,
): Promise<Reply> {
  const [counted] = await s.rows<{ total: number }>(
    `select count(*) as total from ${table} ${where.sql}`,
    where.values,
  );
  const { total } = counted!;
  if (offset >= total) return { body: [], total };
  const sorted = (of: string): string => `order by ${of}${column} ${direction}, ${of}id collate "C"`;
  const rows = await s.rows<{ doc: string }>(
    `select ${table}.doc from ${table} join (
       select id, ${column} from ${table} ${where.sql} ${sorted('')} limit ${size} offset ${offset}
     ) as n on n.id = ${table}.id ${sorted('n.')}`,
    where.values,
  );
  return { body: rows.map(({ doc }) => JSON.parse(doc) as unknown), total };
}

interface NumberedPage {
  table: 'task' | 'challenge' | 'replay_job';
  /** A row is in at most one of them; all have the same values. */
  lists: readonly Conditions[];
  page: ReadArgs['page'];
}

/**
 * A page of documents that are numbered from 0 in the order in which they came, newest first. Without conditions it is found
 * by its numbers, however far back it is; with conditions an index is walked up to it, and only its own rows are read.
 */
export async function newestOfTable(
  s: Snapshot,
  { table, lists, page: { offset, size } }: NumberedPage,
): Promise<Reply> {
  const [{ isEmpty, values }] = lists as [Conditions];
  const counts = lists.map(({ sql }) => `(select count(*) from ${table} ${sql})`);
  const [counted] = await s.rows<{ total: number }>(
    isEmpty
      ? `select coalesce(max(number) + 1, 0) as total from ${table}`
      : `select ${counts.join(' + ')} as total`,
    values,
  );
  const { total } = counted!;
  if (offset >= total) return { body: [], total };
  // Each list up to the end of the page: then the newest of them all are among these.
  const newest = lists.map(
    ({ sql }) => `(select number from ${table} ${sql} order by number desc limit ${offset + size})`,
  );
  const rows = isEmpty
    ? await s.rows<{ doc: string }>(
        `select doc from ${table} where number > $1 and number <= $2 order by number desc`,
        [total - 1 - offset - size, total - 1 - offset],
      )
    : await s.rows<{ doc: string }>(
        `select ${table}.doc from ${table} join (
           select number from (${newest.join(' union all ')}) as a order by number desc limit ${size} offset ${offset}
         ) as n on n.number = ${table}.number order by n.number desc`,
        values,
      );
  return { body: rows.map(({ doc }) => JSON.parse(doc) as unknown), total };
}

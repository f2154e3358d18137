// Partitions of events and postings: one for each so many numbers of seq, made when the first row of it comes and dropped
// when all of it is older than what is to be kept.
// Keeps: names follow from the number, so two exporters make the same ones; nothing is deleted row by row; a reader, however
// long it reads, never holds up what is written: a new partition is attached, and an old one is dropped only when nobody
// reads.

import type { ClientBase, DatabaseError } from 'pg';

const PARTITIONED = ['event', 'posting'] as const;
/** Percent of a page that new rows fill. An event that is settled later then has room beside itself, and no index changes. */
const FILL = { event: 75, posting: 100 } as const;
const LOCK_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Makes the partitions of a range of seq that are not there. `known`: numbers that were made before. */
export async function makePartitions(
  client: ClientBase,
  rows: number,
  from: number,
  to: number,
  known: Set<number>,
): Promise<void> {
  if (rows === 0) return;
  for (let number = Math.floor(from / rows); number <= Math.floor(to / rows); number++) {
    if (known.has(number)) continue;
    for (const table of PARTITIONED) {
      const name = `${table}_${number}`;
      const found = await client.query<{ oid: unknown }>('select to_regclass($1) as oid', [name]);
      if (found.rows[0]?.oid) continue;
      await client.query(
        `create table ${name} (like ${table} including all) with (fillfactor = ${FILL[table]})`,
      );
      const range = `from (${number * rows}) to (${(number + 1) * rows})`;
      await client.query(`alter table ${table} attach partition ${name} for values ${range}`);
    }
    known.add(number);
  }
}

/**
 * Drops what is wholly older than `keep` events before `seq`; the first seq that is left. Call it in a transaction of its
 * own. Errors: one for which `isRead` is true where somebody reads for longer than one can wait.
 */
export async function dropPartitions(
  client: ClientBase,
  rows: number,
  keptFrom: number,
  seq: number,
  keep: number,
): Promise<number> {
  const first = Math.floor(Math.max(0, seq - keep) / rows);
  const before = Math.floor(keptFrom / rows);
  if (first <= before) return keptFrom;
  await client.query(`set local lock_timeout = ${LOCK_MS}`);
  for (let number = before; number < first; number++)
    for (const table of PARTITIONED) await client.query(`drop table if exists ${table}_${number}`);
  return first * rows;
}

/** Whether an old partition was not dropped since somebody reads. */
export const isRead = (error: unknown): boolean =>
  (error as Partial<DatabaseError>).code === LOCK_NOT_AVAILABLE;

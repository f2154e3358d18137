// Checks the engine's write-ahead logs before the engine opens them. Both engines recover up to the first bad record,
// drop the rest and delete the file: a flipped bit would silently lose every acknowledged write after it.
// Keeps: reads only. A torn tail, left by a crash, is accepted. A bad record followed by valid ones is damage, because
// every record is synced before the next one is written. What is torn may hold bytes that a stranger chose, records among
// them: one counts only with a sequence number that can follow, which no stranger knows.
//
//   block of 32 KiB: records, then fewer than 7 bytes of padding
//   record: masked CRC-32C u32 | length u16 | type u8 | [log number u32, types 5 to 8] | payload
//   the CRC covers everything from the type on
//   payload of the pieces of one record: sequence number u64 of the first row | rows u32 | rows

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RESTORE, StoreError } from '../store.ts';
import { crc32c } from './crc32c.ts';

const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const RECYCLABLE_HEADER_BYTES = 11;
const MASK_DELTA = 0xa282ead8;
/** Types that start a record: full and first, plain and recyclable. */
const OPENING_TYPES: ReadonlySet<number> = new Set([1, 2, 5, 6]);
/** Highest record type that carries data or describes the log, except types 130 and 131. */
const MAX_TYPE = 11;

const mask = (crc: number): number => (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;

/** Sequence number and count of rows. */
const BATCH_HEAD_BYTES = 12;
/** What a row takes in a log at least: its kind, and a key of one byte behind its length. */
const MIN_ROW_BYTES = 3;

interface Piece {
  /** Of the payload. */
  from: number;
  end: number;
  type: number;
}

/** What has the form of a record piece at `at` and ends within the block. */
function formAt(log: Buffer, at: number, blockEnd: number): Piece | undefined {
  if (at + HEADER_BYTES > blockEnd) return undefined;
  const type = log[at + 6]!;
  if (type === 0 || (type > MAX_TYPE && type !== 130 && type !== 131)) return undefined;
  const isRecyclable = type >= 5 && type <= 8;
  const from = at + (isRecyclable ? RECYCLABLE_HEADER_BYTES : HEADER_BYTES);
  const end = from + log.readUInt16LE(at + 4);
  return end > blockEnd ? undefined : { from, end, type };
}

const isWhole = (log: Buffer, at: number, { end }: Piece): boolean =>
  mask(crc32c(log, at + 6, end)) === log.readUInt32LE(at);

/** The valid record piece at `at`, if there is one that ends within the block. */
function pieceAt(log: Buffer, at: number, blockEnd: number): Piece | undefined {
  const form = formAt(log, at, blockEnd);
  return form && isWhole(log, at, form) ? form : undefined;
}

/** Sequence numbers of the rows of a record. */
interface Rows {
  first: number;
  /** The first of the record after it. */
  next: number;
}

/** The rows of a record by its first piece; undefined if it is no batch, or not all of its head is there. */
function rowsOf(log: Buffer, { from, end }: Piece, blockEnd: number): Rows | undefined {
  let head = log.subarray(from, end);
  // A first piece that has no room for the head fills its block.
  if (head.length < BATCH_HEAD_BYTES && blockEnd < log.length) {
    const more = pieceAt(log, blockEnd, Math.min(blockEnd + BLOCK_BYTES, log.length));
    if (more && !OPENING_TYPES.has(more.type))
      head = Buffer.concat([head, log.subarray(more.from, more.end)]);
  }
  if (head.length < BATCH_HEAD_BYTES) return undefined;
  const first = Number(head.readBigUInt64LE());
  return { first, next: first + head.readUInt32LE(8) };
}

/** Can such rows be written after `next`, with so many bytes of other records in between. */
const canFollow = (rows: Rows, next: number | undefined, bytesBetween: number): boolean =>
  next === undefined || (rows.first >= next && rows.first - next <= bytesBetween / MIN_ROW_BYTES);

/**
 * Does a record begin here that can follow `next`. Its number is looked at first: of bytes that a stranger chose each could begin a
 * long record, and a megabyte of checksums takes ten seconds.
 */
function isRecordAfter(
  log: Buffer,
  at: number,
  blockEnd: number,
  next: number | undefined,
  bytesBetween: number,
): boolean {
  const form = formAt(log, at, blockEnd);
  if (!form || !OPENING_TYPES.has(form.type)) return false;
  const rows = rowsOf(log, form, blockEnd);
  return rows !== undefined && canFollow(rows, next, bytesBetween) && isWhole(log, at, form);
}

/** Offset of a bad record that is followed by a valid one; undefined for a valid log and for one with a torn tail. */
export function findDamage(log: Buffer): number | undefined {
  let badAt: number | undefined;
  /** Sequence number after the last valid record before the bad one; undefined: there is none. */
  let next: number | undefined;
  for (let start = 0; start < log.length; start += BLOCK_BYTES) {
    const blockEnd = Math.min(start + BLOCK_BYTES, log.length);
    let at = start;
    while (badAt === undefined && at + HEADER_BYTES <= blockEnd) {
      const piece = pieceAt(log, at, blockEnd);
      if (piece && OPENING_TYPES.has(piece.type)) next = rowsOf(log, piece, blockEnd)?.next ?? next;
      if (piece) at = piece.end;
      else badAt = at;
    }
    // The length of a bad record cannot be trusted: the next valid one may begin at any byte.
    for (; badAt !== undefined && at + HEADER_BYTES <= blockEnd; at++)
      if (isRecordAfter(log, at, blockEnd, next, at - badAt)) return badAt;
  }
  return undefined;
}

/** Contents of a log; empty if the process that uses the store has deleted it meanwhile. */
async function readLog(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/**
 * Checks every log in the engine's folder.
 * Errors: StoreError, with file and offset.
 */
export async function checkLogs(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort();
  for (const name of names) {
    const path = join(folder, name);
    const badAt = findDamage(await readLog(path));
    if (badAt === undefined) continue;
    const place = `${path} has a bad record at byte ${badAt} followed by valid ones`;
    throw new StoreError(`the store is damaged: ${place}. ${RESTORE}`);
  }
}

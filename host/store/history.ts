// Where a node's history begins: the first epoch whose vertices it has, and the first event of which documents are complete.
// Both are 'everything' on a node that replayed from genesis; a node that joined from a checkpoint has no vertices from
// before it and the documents of whoever served it; an observer with a short history drops both behind a seal.
// Keeps: rows before the beginning may be missing in any combination, rows from it on are all there. The beginning moves
// in the batch before the first row goes, so what a node states is never more than it has.

import { rowKey } from './prefixes.ts';
import { readJson, type WriteSet } from './write-set.ts';

type Rows = { get(key: Uint8Array): Uint8Array | undefined };

/** The first epoch, its first order number, and the consensus time of the seal before it. */
export interface LogStart {
  epoch: number;
  order: number;
  time_secs: number;
}

/** The first event, its order number at least, and the consensus time of the seal before it. */
export interface DocumentsStart {
  seq: number;
  order: number;
  time_secs: number;
}

export interface History {
  log: LogStart;
  documents: DocumentsStart;
}

const WHOLE: History = {
  log: { epoch: 0, order: 1, time_secs: 0 },
  documents: { seq: 1, order: 1, time_secs: 0 },
};
const LOG_KEY = rowKey.meta('history');
/** Travels with the documents to whoever joins from this node. */
const DOCUMENTS_KEY = rowKey.totals('history');

export const readHistory = (rows: Rows): History => ({
  log: readJson<LogStart>(rows.get(LOG_KEY)) ?? WHOLE.log,
  documents: readJson<DocumentsStart>(rows.get(DOCUMENTS_KEY)) ?? WHOLE.documents,
});

export const putLogStart = (set: WriteSet, start: LogStart): void => set.putJson(LOG_KEY, start);
export const putDocumentsStart = (set: WriteSet, start: DocumentsStart): void =>
  set.putJson(DOCUMENTS_KEY, start);

export const hasWholeLog = ({ log }: History): boolean => log.epoch === 0;
export const hasAllDocuments = ({ documents }: History): boolean => documents.seq === 1;

/** Is the beginning of documents that a peer sent one that a node at this order and event can have. */
export function isPossibleStart({ documents }: History, order: number, seq: number): boolean {
  const { order: from, seq: first, time_secs: time } = documents;
  const isCount = (n: unknown, max: number): boolean => Number.isSafeInteger(n) && Number(n) <= max;
  return (
    isCount(from, order + 1) && isCount(first, seq + 1) && from >= 1 && first >= 1 && isCount(time, 1e10)
  );
}

// What handlers say where the history of this node begins late: the refusal of what may lie before, and the header of lists.
// Keeps: a node that has everything answers as if this file did not exist.

import { type ErrorCode, ServiceError } from '../../errors.ts';
import { type History, hasAllDocuments, hasWholeLog } from '../../store/history.ts';
import type { ReadContext } from '../context.ts';

type Part = 'log' | 'documents';

const isWhole = (history: History, part: Part): boolean =>
  part === 'log' ? hasWholeLog(history) : hasAllDocuments(history);

/** The HistoryFrom object (protocol 3.10). */
export const historyFrom = ({ log, documents }: History) => ({
  epoch: log.epoch,
  order: log.order,
  consensus_time: log.time_secs,
  documents_seq: documents.seq,
  documents_order: documents.order,
  documents_time: documents.time_secs,
});

/** Why something is not here: there is no such thing, or it may lie before the history of this node. */
export function missing(
  c: Pick<ReadContext, 'history'>,
  code: ErrorCode,
  part: Part = 'documents',
): ServiceError {
  const history = c.history();
  if (isWhole(history, part)) return new ServiceError(code);
  const details = { history_from: historyFrom(history) };
  const text = `not in the history that this node keeps, which begins at order ${history[part].order}: ask a node with the full history`;
  return new ServiceError('history_dropped', { text, details });
}

/** Of a list that ends where this history begins. */
export function historyHeaders(
  c: Pick<ReadContext, 'history'>,
  part: Part = 'documents',
): Record<string, string> {
  const history = c.history();
  return isWhole(history, part) ? {} : { 'X-Service-History-From': String(history[part].order) };
}

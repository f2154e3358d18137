// A page of the log as a node sends it.

import { LogFault } from '../wire/log-fault.ts';
import { decodeLogPage, type LogPage } from '../wire/log-page.ts';

/** The page of an epoch that begins at a position. Errors: LogFault where it is another one, or cannot be read. */
export function readPage(bytes: Uint8Array, epoch: number, position: number): LogPage {
  const page = decodeLogPage(bytes);
  const isAsked = page?.epoch === epoch && page.from === position;
  const isWhole = page && page.next === page.from + page.vertices.length;
  if (!page || !isAsked || !isWhole || (page.end === 'more' && page.vertices.length === 0))
    throw new LogFault('answer', `a page of epoch ${epoch} cannot be read`, { epoch });
  return page;
}

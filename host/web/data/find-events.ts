// Events of an author and type within a time, wherever in the node's list they are: for what no list is kept by.
// Keeps: a list is newest first, so its pages are halved until the time is met; reads and rows are bounded.

import type { EventRow } from '../../client/index.ts';

/** Rows that the node gives at once. */
const PAGE = 100;
/** A second of a busy validator has more verdicts than a page. */
const MAX_PAGES = 3;

export interface EventPage {
  rows: EventRow[];
  /** Of the whole list. */
  total: number;
}

/** A page of the list, newest first; pages count from 1. */
export type ReadPage = (page: number, size: number) => Promise<EventPage>;

/** Those with `from <= timestamp <= to`, Unix seconds, newest first; at most three pages of them. */
export async function eventsWithin(read: ReadPage, from: number, to: number): Promise<EventRow[]> {
  const first = await read(1, PAGE);
  const count = Math.ceil(first.total / PAGE);
  const isReached = ({ rows }: EventPage): boolean => (rows.at(-1)?.timestamp ?? 0) <= to;
  // The first page that is not wholly later than the time.
  let [low, page] = [1, first];
  for (let high = count; !isReached(page) && low < high; ) {
    const middle = Math.floor((low + 1 + high) / 2);
    const one = await read(middle, PAGE);
    if (isReached(one)) high = middle - 1;
    else [low, page] = [middle, one];
  }
  if (!isReached(page)) page = await read(++low, PAGE);
  const found: EventRow[] = [];
  for (let i = 0; i < MAX_PAGES && page.rows.length > 0; i++) {
    found.push(...page.rows.filter(({ timestamp }) => timestamp >= from && timestamp <= to));
    if (page.rows.at(-1)!.timestamp < from || low >= count || i + 1 === MAX_PAGES) break;
    page = await read(++low, PAGE);
  }
  return found;
}

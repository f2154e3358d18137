// Builds the rows of reads.

import type { ReadContext } from '../context.ts';
import type { QueryParam, ReadRoute } from '../route.ts';

/** page, per_page, limit. */
export const PAGE: QueryParam = { kind: 'page' };

/** A row of the route table; `reply` names an object of objects.ts. */
export const get = (
  path: string,
  tag: string,
  summary: string,
  reply: string,
  handle: ReadRoute<ReadContext>['handle'],
  more: Partial<ReadRoute<ReadContext>> = {},
): ReadRoute<ReadContext> => ({ method: 'GET', path, tag, summary, reply, handle, ...more });

// Builds the rows of reads.

import type { ReadContext } from '../context.ts';
import { MAX_PAGE } from '../query.ts';
import type { QueryParam, ReadRoute } from '../route.ts';
import type { RouteId } from '../tags.ts';

/** page, per_page, limit. */
export const PAGE: QueryParam = { kind: 'page' };

/** As PAGE, for the members of one object: as many as a page may have unless asked otherwise. */
export const MEMBERS: QueryParam = { kind: 'page', size: MAX_PAGE };

/** A row of the route table; `reply` names an object of objects.ts. */
export const get = (
  path: string,
  id: RouteId,
  summary: string,
  reply: string,
  handle: ReadRoute<ReadContext>['handle'],
  more: Partial<ReadRoute<ReadContext>> = {},
): ReadRoute<ReadContext> => ({ method: 'GET', path, id, summary, reply, handle, ...more });

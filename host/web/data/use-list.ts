// One page of a paginated API list, with the total count.

import type { Query } from '../../client/index.ts';
import { PER_PAGE } from '../parts/pager.tsx';
import { node } from './node.ts';
import { type ReadState, useRead } from './use-read.ts';

interface ListPart<T> {
  rows: T[];
  total: number | undefined;
}

export function useList<T>(path: string, query: Query, everyMs?: number): ReadState<ListPart<T>> {
  const full = { per_page: PER_PAGE, ...query };
  return useRead(
    path + JSON.stringify(full),
    async () => {
      const { body, total } = await node.read<T[]>(path, full);
      return { rows: body, total };
    },
    everyMs,
  );
}

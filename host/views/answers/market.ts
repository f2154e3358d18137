// Answer bodies of writes about capabilities and listings (protocol 4.5, 4.6).

import type { ListingDoc } from '../../store/market-documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { categoryList, listingCategory } from '../../wire/category.ts';
import type { MARKET_OPERATIONS } from '../../wire/operations/market.ts';
import type { Answers } from './types.ts';

export const MARKET_ANSWERS: Answers<keyof typeof MARKET_OPERATIONS> = {
  routerRegister: ({ base, parsed }) => ({
    ...base,
    categories: categoryList(parsed.args.categories),
    status: 'registered',
  }),
  routerRemove: ({ base }) => ({ ...base, status: 'unregistered' }),
  routerAvailable: ({ base, parsed }) => ({ ...base, available: parsed.args.available }),
  serviceList({ base, parsed: { args }, words, c }): ListingDoc {
    // Takes from the stored listing only what no later write changes: another write may have followed in the same batch.
    const stored = readJson<ListingDoc>(c.store.get(rowKey.listing(words[0]!)))!;
    return {
      agent_id: base.agent_id,
      name: args.name,
      description: args.description ?? '',
      category: listingCategory(args.category),
      tags: args.tags ?? [],
      price_tok: args.price_tok ?? 0,
      active: args.active ?? true,
      created_at: stored.created_at,
      updated_at: c.timeSecs,
      ...(args.endpoint === undefined ? {} : { endpoint: args.endpoint }),
    };
  },
  serviceUnlist: ({ base }) => ({ ...base, active: false }),
};

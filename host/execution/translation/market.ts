// Commands of capabilities and listings: the core gets labels and numbers, never texts.

import * as commands from '../../core/market-commands.ts';
import { invalid } from '../../errors.ts';
import { categoryList, labelOf, tagLabels } from '../../wire/category.ts';
import type { MARKET_OPERATIONS } from '../../wire/operations/market.ts';
import { sealedBytes } from '../../wire/sealed-text.ts';
import type { Translators } from './types.ts';

export const MARKET_TRANSLATORS: Translators<keyof typeof MARKET_OPERATIONS> = {
  routerRegister({ args }, { head, ids }) {
    // The order is public and for ever (protocol 10).
    const secret = args.webhook_secret;
    if (secret !== undefined && !ids.testnet && sealedBytes('vws-hook-v1', secret) === undefined)
      throw invalid('on mainnet webhook_secret must be encrypted to the seat that delivers');
    return commands.routerRegister(head, {
      pricePerTask: args.price_per_task ?? 0,
      maxConcurrent: args.max_concurrent ?? 1,
      categoryLabels: categoryList(args.categories).map(labelOf),
      tagLabels: tagLabels(args.tags ?? []),
    });
  },
  routerRemove: (_, { head }) => commands.routerRemove(head),
  routerAvailable: ({ args }, { head }) => commands.routerAvailable(head, args.available),
  serviceList: (_, { head }) => commands.serviceList(head),
  serviceUnlist: (_, { head }) => commands.serviceUnlist(head),
};

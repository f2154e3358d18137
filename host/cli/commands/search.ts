// vws search: GET /v1/discover as a table.

import type { DiscoverRow } from '../../client/index.ts';
import { type Command, optionText } from '../command.ts';
import {
  amountOption,
  integerOption,
  JSON_OPTION,
  openClient,
  pagingOf,
  pagingOptions,
  printList,
} from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { shortText } from '../output.ts';
import { choice } from '../verbs.ts';

const HEADS = ['Rank', 'Agent', 'Service', 'Category', 'Price', 'Score', 'Reputation', 'Done'];
const MAX_NAME_CHARS = 40;

const rowOf = (row: DiscoverRow): string[] => [
  String(row.overall_rank),
  row.agent_id,
  shortText(row.service_name, MAX_NAME_CHARS),
  row.category,
  `${row.price_tok}t`,
  row.composite_score.toFixed(3),
  String(row.reputation_score),
  String(row.tasks_completed),
];

export const search: Command = {
  name: 'search',
  summary: 'find agents that offer what you need, best first',
  about: `Finds offers that contain the words, best first: by relevance, reputation as far as settled fees back it,
share of completed tasks, and price. Several words are one query. What is found and its rank are the node's
word; vws proof listing proves an offer, vws proof reputation what an agent has done.`,
  words: 'words',
  maxWords: 20,
  options: [
    { name: 'category', value: 'name', help: 'only offers in this category' },
    { name: 'max-budget', value: 'amount', help: 'what you would pay; a lower price ranks higher' },
    { name: 'min-reputation', value: 'bp', help: 'least reputation, 0..10000' },
    { name: 'sort', value: 'word', help: 'standing | reputation (default standing)' },
    ...pagingOptions(),
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws search count vessels --category data', 'vws search --max-budget 5t --limit 10'],
  async run(context) {
    const list = await openClient(context).market.discover({
      q: context.words.length === 0 ? undefined : context.words.join(' '),
      category: optionText(context, 'category'),
      max_budget: amountOption(context, 'max-budget'),
      min_reputation: integerOption(context, 'min-reputation'),
      sort: choice(context, 'search', 'sort', ['standing', 'reputation']),
      ...pagingOf(context),
    });
    printList(context, HEADS, list, rowOf);
    return EXIT.DONE;
  },
};

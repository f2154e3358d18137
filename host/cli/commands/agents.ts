// vws agents: GET /v1/agents, its leaderboards and the ranking of a category, as a table.

import type { AgentRow, RankingRow } from '../../client/index.ts';
import { SORTS } from '../../views/leaderboards.ts';
import { formatTokens } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, pagingOf, pagingOptions, printList } from '../connection.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { choice } from '../verbs.ts';

const NAME = 'agents';
const HEADS = ['Agent', 'Reputation', 'Standing', 'Tasks done', 'Balance', 'Stake'];
const RANKING_HEADS = ['Rank', 'Agent', 'Score', 'Mean score', 'Completed', 'Tasks done'];

const rowOf = (row: AgentRow): string[] => [
  row.agent_id,
  `${row.reputation_score / 100}%`,
  formatTokens(row.standing),
  String(row.tasks_completed),
  formatTokens(row.balance),
  formatTokens(row.staked_amount),
];

const rankingOf = (row: RankingRow): string[] => [
  String(row.rank),
  row.agent_id,
  row.overall_score.toFixed(3),
  row.avg_score.toFixed(3),
  `${Number((row.completion_rate * 100).toFixed(2))} %`,
  String(row.tasks_completed),
];

export const agents: Command = {
  name: NAME,
  summary: 'list agents: reputation, standing, balance, stake',
  about: `Lists agents in order of registration, with --sort the first by one of their figures, with --category the
best at work of one category. Standing is what the fees of its work count for, so that a reputation is
worth what it cost. vws search finds those that offer a service, vws info shows one.`,
  options: [
    { name: 'sort', value: 'word', help: `${SORTS.join(' | ')}; most first` },
    { name: 'category', value: 'name', help: 'only those with work in this category, best first' },
    ...pagingOptions(),
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws agents', 'vws agents --sort reputation --limit 10', 'vws agents --category data'],
  async run(context) {
    const client = openClient(context);
    const sort = choice(context, NAME, 'sort', SORTS);
    const category = optionText(context, 'category');
    const paging = pagingOf(context);
    if (category !== undefined) {
      if (sort !== undefined) throw new UsageError('--sort does not go with --category', NAME);
      printList(context, RANKING_HEADS, await client.rankings(category, paging), rankingOf);
    } else if (sort !== undefined) {
      const list = await client.leaderboard({ sort, ...paging });
      printList(context, ['Rank', ...HEADS], list, (row) => [String(row.rank), ...rowOf(row)]);
    } else printList(context, HEADS, await client.agents(paging), rowOf);
    return EXIT.DONE;
  },
};

// vws trend: GET /v1/network/trend, as a table.

import type { TrendSample } from '../../client/index.ts';
import { formatTokens } from '../amount.ts';
import { type Command, isSwitchOn } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { formatTime, printTable } from '../output.ts';
import { choice } from '../verbs.ts';

const NAME = 'trend';
const SPANS = ['hour', 'day', 'week'] as const;
const HEADS = ['Time', 'Not ready', 'Transactions', 'Moved', 'Fees', 'p50', 'p99'];
const MICROS_PER_MS = 1000;

const millis = (micros: number | undefined): string =>
  micros === undefined ? '-' : `${Math.round(micros / MICROS_PER_MS)} ms`;

const rowOf = (sample: TrendSample): string[] => [
  formatTime(sample.time),
  `${sample.seconds - sample.ready_seconds} s`,
  String(sample.transactions),
  formatTokens(sample.volume),
  formatTokens(sample.fees),
  millis(sample.latency_p50),
  millis(sample.latency_p99),
];

export const trend: Command = {
  name: NAME,
  summary: 'show what a node executed lately, and how fast',
  about: `Shows transactions, money moved, fees and the time until writes were executed, oldest first. It is the
node's own account, by its own clock; p50 and p99 are of writes that it took in itself.`,
  options: [
    {
      name: 'span',
      value: 'word',
      help: `${SPANS.join(' | ')}: in steps of 1 min, 15 min, 1 h (default hour)`,
    },
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws trend', 'vws trend --span week --json'],
  async run(context) {
    const answer = await openClient(context).trend({ span: choice(context, NAME, 'span', SPANS) });
    if (isSwitchOn(context, 'json')) printAnswer(context, answer);
    else printTable(context.io, HEADS, answer.samples.map(rowOf));
    return EXIT.DONE;
  },
};

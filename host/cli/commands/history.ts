// vws history: GET /v1/events/recent of one agent, as a table.

import type { EventRow } from '../../client/index.ts';
import { formatTokens } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import {
  AGENT_OPTION,
  agentOf,
  JSON_OPTION,
  openClient,
  pagingOf,
  pagingOptions,
  printList,
} from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { formatTime, shortText } from '../output.ts';

const HEADS = ['Time', 'Event ID', 'Type', 'State', 'Amount', 'With', 'Memo'];
const MAX_MEMO_CHARS = 30;

const rowOf = (event: EventRow): string[] => [
  formatTime(event.timestamp),
  event.event_id,
  event.event_type,
  event.settlement_reason ?? event.settlement_state,
  event.amount === undefined ? '-' : formatTokens(event.amount),
  event.recipient_id ?? '-',
  shortText(event.memo ?? '-', MAX_MEMO_CHARS),
];

export const history: Command = {
  name: 'history',
  summary: 'list what an agent did, newest first',
  about:
    'Lists the events that an agent is the author of, newest first: payments, tasks, stakes and the rest.',
  options: [
    AGENT_OPTION,
    { name: 'type', value: 'type', help: 'only events of this type, such as transfer or task_posted' },
    ...pagingOptions(),
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws history --key alice.key', 'vws history --agent bob --type transfer --limit 10'],
  async run(context) {
    const client = openClient(context);
    const list = await client.recentEvents({
      agent_id: agentOf(context, client),
      event_type: optionText(context, 'type'),
      ...pagingOf(context),
    });
    printList(context, HEADS, list, rowOf);
    return EXIT.DONE;
  },
};

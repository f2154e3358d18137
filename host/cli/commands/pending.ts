// vws pending: GET /v1/pending as a table.

import type { PendingEvent } from '../../client/index.ts';
import { formatTokens } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, pagingOf, pagingOptions, printList } from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { formatTime } from '../output.ts';

const HEADS = ['Event ID', 'Type', 'Agent', 'Recipient', 'Amount', 'Deadline', 'Task'];

const rowOf = (event: PendingEvent): string[] => [
  event.event_id,
  event.event_type,
  event.agent_id,
  event.recipient_id ?? '-',
  formatTokens(event.amount),
  formatTime(event.deadline),
  event.task_id ?? '-',
];

export const pending: Command = {
  name: 'pending',
  summary: 'list events that wait for verdicts',
  about: 'Lists events that wait for verdicts of validators, earliest deadline first.',
  options: [
    { name: 'type', value: 'type', help: 'transfer, generation, task_submitted or task_disputed' },
    { name: 'assigned-to', value: 'validator', help: 'only those that this validator was drawn for' },
    ...pagingOptions(),
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws pending',
    'vws pending --type task_disputed --assigned-to v1',
    'vws pending --limit 200 --json',
  ],
  async run(context) {
    const events = await openClient(context).pending({
      event_type: optionText(context, 'type'),
      assigned_to: optionText(context, 'assigned-to'),
      ...pagingOf(context),
    });
    printList(context, HEADS, events, rowOf);
    return EXIT.DONE;
  },
};

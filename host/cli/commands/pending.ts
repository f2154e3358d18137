// vws pending: GET /v1/pending as a table.

import { parseInteger } from '../../setting-values.ts';
import { formatTokens } from '../amount.ts';
import { type Command, isSwitchOn, optionText } from '../command.ts';
import { JSON_OPTION, openClient } from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { formatTime, printJson, printTable } from '../output.ts';

const HEADS = ['Event ID', 'Type', 'Agent', 'Recipient', 'Amount', 'Deadline'];

export const pending: Command = {
  name: 'pending',
  summary: 'list what waits for a verdict',
  about: 'Lists events that wait for verdicts of validators, earliest deadline first.',
  options: [
    { name: 'type', value: 'type', help: 'transfer, generation, task_submitted or task_disputed' },
    { name: 'limit', value: 'n', help: 'at most this many, 1..200 (default 50)' },
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws pending', 'vws pending --type transfer --limit 200 --json'],
  async run(context) {
    const limit = optionText(context, 'limit');
    const events = await openClient(context).pending({
      event_type: optionText(context, 'type'),
      limit: limit === undefined ? undefined : parseInteger(limit, '--limit', 1, 1_000_000),
    });
    if (isSwitchOn(context, 'json')) printJson(context.io, events);
    else {
      printTable(
        context.io,
        HEADS,
        events.map((event) => [
          event.event_id,
          event.event_type,
          event.agent_id,
          event.recipient_id ?? '-',
          formatTokens(event.amount),
          formatTime(event.deadline),
        ]),
      );
    }
    return EXIT.DONE;
  },
};

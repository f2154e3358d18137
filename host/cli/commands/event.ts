// vws event: GET /v1/events/{id}.

import type { Command } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT, UsageError } from '../exit-code.ts';

export const event: Command = {
  name: 'event',
  summary: 'show one event: what became of a write',
  about: `Shows an event with its settlement state, votes and place in the order. A write is the event of its TxID, so
an id that a failed command named (txid, request) shows whether it was carried out: event_not_found says that
this node has not executed it.`,
  words: 'id',
  options: [JSON_OPTION],
  settings: 'client',
  examples: ['vws event 80a7…336b', 'vws event 80a7…336b --json'],
  async run(context) {
    const [id] = context.words;
    if (id === undefined) throw new UsageError('event needs the id of an event', 'event');
    printAnswer(context, await openClient(context).event(id));
    return EXIT.DONE;
  },
};

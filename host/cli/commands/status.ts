// vws status: GET /v1/status.

import type { Command } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const status: Command = {
  name: 'status',
  summary: 'show the status of a node',
  about: 'Shows the chain, version, peers and progress of the node given by --node.',
  options: [JSON_OPTION],
  settings: 'client',
  examples: ['vws status', 'vws status --node http://node.example.org:8338 --json'],
  async run(context) {
    printAnswer(context, await openClient(context).status());
    return EXIT.DONE;
  },
};

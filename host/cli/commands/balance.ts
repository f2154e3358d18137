// vws balance: GET /v1/agents/{id}/balance.

import type { Command } from '../command.ts';
import { AGENT_OPTION, agentOf, JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const balance: Command = {
  name: 'balance',
  summary: 'show the balance of an agent',
  about: 'Shows the free, staked and reserved amounts of an agent.',
  options: [AGENT_OPTION, JSON_OPTION],
  settings: 'client',
  examples: ['vws balance --key alice.key', 'vws balance --agent bob'],
  async run(context) {
    const client = openClient(context);
    printAnswer(context, await client.balance(agentOf(context, client)));
    return EXIT.DONE;
  },
};

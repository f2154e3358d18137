// vws faucet: POST /v1/faucet.

import type { Command } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const faucet: Command = {
  name: 'faucet',
  summary: 'get tokens of a test network',
  about: 'Asks the faucet of a testnet for tokens. The answer says when the next grant is possible.',
  options: [RESEND_OPTION, JSON_OPTION],
  settings: 'client',
  examples: ['vws faucet --key alice.key'],
  async run(context) {
    printAnswer(context, await openClient(context).faucet());
    return EXIT.DONE;
  },
};

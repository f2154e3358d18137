// vws economics: GET /v1/economics.

import type { Command } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const economics: Command = {
  name: 'economics',
  summary: 'show supply, pools, fees and reserves of the network',
  about: 'Shows where all tokens are: supply, treasury, stakes, escrows, grants, faucet and reserves.',
  options: [JSON_OPTION],
  settings: 'client',
  examples: ['vws economics', 'vws economics --json'],
  async run(context) {
    printAnswer(context, await openClient(context).economics());
    return EXIT.DONE;
  },
};

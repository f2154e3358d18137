// vws economics: GET /v1/economics, or its parts that sum to the supply.

import { type Command, isSwitchOn } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const economics: Command = {
  name: 'economics',
  summary: 'show supply, pools, fees and reserves of the network',
  about: 'Shows where all tokens are: supply, treasury, stakes, escrows, grants, faucet and reserves.',
  options: [{ name: 'supply', help: 'every account in one part; the parts sum to the supply' }, JSON_OPTION],
  settings: 'client',
  examples: ['vws economics', 'vws economics --supply', 'vws economics --json'],
  async run(context) {
    const client = openClient(context);
    printAnswer(context, await (isSwitchOn(context, 'supply') ? client.supply() : client.economics()));
    return EXIT.DONE;
  },
};

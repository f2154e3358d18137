// vws unstake: POST /v1/unstake.

import { parseAmount } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const unstake: Command = {
  name: 'unstake',
  summary: 'return stake to the balance',
  about: `Moves stake back to the free balance at once. Refused while pending transfers or a validator's duties
hold the stake.`,
  options: [
    { name: 'amount', value: 'amount', help: 'micro-units, or tokens as 1.5t', isRequired: true },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws unstake --key alice.key --amount 250t'],
  async run(context) {
    const amount = parseAmount(optionText(context, 'amount') as string, '--amount');
    printAnswer(context, await openClient(context).unstake({ amount }));
    return EXIT.DONE;
  },
};

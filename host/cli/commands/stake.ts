// vws stake: POST /v1/stake.

import { parseAmount } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const stake: Command = {
  name: 'stake',
  summary: 'stake part of the balance',
  about: `Moves free balance to the stake. The stake times the trust multiplier limits the agent's pending
transfers; the stake is lost when a transfer of the agent is rejected.`,
  options: [
    { name: 'amount', value: 'amount', help: 'micro-units, or tokens as 1.5t', isRequired: true },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws stake --key alice.key --amount 250t'],
  async run(context) {
    const amount = parseAmount(optionText(context, 'amount') as string, '--amount');
    printAnswer(context, await openClient(context).stake({ amount }));
    return EXIT.DONE;
  },
};

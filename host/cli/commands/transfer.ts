// vws transfer: POST /v1/transfer.

import { parseAmount } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const transfer: Command = {
  name: 'transfer',
  summary: 'pay another agent',
  about: `Reserves the amount from the free balance at once, until validators approve (the recipient gets it
less a fee of 0.1 %), reject (it returns and the sender's stake is lost) or the deadline passes (it
returns). The amount must fit the trust limit together with other pending transfers.`,
  options: [
    { name: 'to', value: 'id', help: 'recipient: agent id or hex64 key', isRequired: true },
    { name: 'amount', value: 'amount', help: 'micro-units, or tokens as 1.5t', isRequired: true },
    { name: 'memo', value: 'text', help: 'at most 256 bytes, public' },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws transfer --key alice.key --to bob --amount 2.5t --memo "invoice 7"'],
  async run(context) {
    const answer = await openClient(context).transfer({
      to_agent: optionText(context, 'to') as string,
      amount: parseAmount(optionText(context, 'amount') as string, '--amount'),
      memo: optionText(context, 'memo'),
    });
    printAnswer(context, answer);
    return EXIT.DONE;
  },
};

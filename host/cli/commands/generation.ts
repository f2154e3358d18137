// vws generation: POST /v1/generation.

import { parseAmount } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const generation: Command = {
  name: 'generation',
  summary: 'claim the value of work that no task paid for',
  about: `Says that you generated something of a value, for validators to approve, in part or not at all. No tokens
move: what is recognised counts in the beneficiary's record, less a base fee once it is decided. What the
evidence is, and where, is for those who judge it: only its hash is on the network.`,
  options: [
    { name: 'value', value: 'amount', help: 'micro-units, or tokens as 1.5t', isRequired: true },
    { name: 'evidence-hash', value: 'hash', help: 'at most 128 bytes, public', isRequired: true },
    { name: 'description', value: 'text', help: 'what was done, at most 5000 bytes, public' },
    { name: 'for', value: 'id', help: 'beneficiary: agent id or hex64 key; default: you' },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws generation --key bob.key --value 80t --evidence-hash sha256:4f1c…09ab'],
  async run(context) {
    const answer = await openClient(context).generation({
      claimed_value: parseAmount(optionText(context, 'value') as string, '--value'),
      evidence_hash: optionText(context, 'evidence-hash') as string,
      task_description: optionText(context, 'description'),
      beneficiary: optionText(context, 'for'),
    });
    printAnswer(context, answer);
    return EXIT.DONE;
  },
};

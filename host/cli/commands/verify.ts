// vws verify: POST /v1/verify, a validator's verdict.

import { parseAmount } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT, UsageError } from '../exit-code.ts';

export const verify: Command = {
  name: 'verify',
  summary: 'give a verdict as a validator',
  about: `Gives a verdict on a pending event with the key of a validator's operator. Status "settled" or "adjusted"
means that this verdict decided the event; "pending" means that more verdicts are needed (exit code 0 as
well). A verdict cannot be withdrawn.`,
  options: [
    { name: 'event', value: 'id', help: 'id of the event (see vws pending)', isRequired: true },
    { name: 'verdict', value: 'true|false', help: 'true approves, false rejects', isRequired: true },
    { name: 'value', value: 'amount', help: 'recognised part of the claimed value (default: all)' },
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws verify --key operator.key --event 80a7…336b --verdict true',
    'vws verify --key operator.key --event 80a7…336b --verdict true --value 60t',
  ],
  async run(context) {
    const verdict = optionText(context, 'verdict');
    if (verdict !== 'true' && verdict !== 'false') {
      throw new UsageError(`--verdict: "${verdict}" is neither true nor false`, 'verify');
    }
    const value = optionText(context, 'value');
    const answer = await openClient(context).verify({
      event_id: optionText(context, 'event') as string,
      verdict: verdict === 'true',
      verified_value: value === undefined ? undefined : parseAmount(value, '--value'),
    });
    printAnswer(context, answer);
    return EXIT.DONE;
  },
};

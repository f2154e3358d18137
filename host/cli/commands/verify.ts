// vws verify: POST /v1/verify, a validator's verdict.

import { GROUNDS, SHARE_STEP_BP } from '../../wire/operations/ledger.ts';
import { parseAmount } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { choice } from '../verbs.ts';
import { commitVote } from './judge.ts';

/** `40%` or `40`, a multiple of 10, in bp. */
function parseShare(text: string): number {
  const percent = /^(\d{2,3})%?$/.exec(text)?.[1];
  const share = Number(percent ?? 0) * 100;
  if (share % SHARE_STEP_BP === 0 && share >= SHARE_STEP_BP && share <= 10_000) return share;
  throw new UsageError(`--share: "${text}" is not one of 10%, 20% ... 100%`, 'verify');
}

export const verify: Command = {
  name: 'verify',
  summary: 'give a verdict as a validator',
  about: `Gives a verdict on a pending event with the key of a validator's operator. Status "settled" or "adjusted"
means that this verdict decided the event; "pending" means that more verdicts are needed (exit code 0 as
well). A verdict cannot be withdrawn. In a dispute, true decides for the worker, with --share for a part of
what it would earn, and false for the poster; the vote is first only committed, and opened with vws judge
reveal. The worker of a lost dispute is slashed only when a quorum names the same ground.`,
  options: [
    { name: 'event', value: 'id', help: 'id of the event (see vws pending)', isRequired: true },
    { name: 'verdict', value: 'true|false', help: 'true approves, false rejects', isRequired: true },
    { name: 'value', value: 'amount', help: 'recognised part of the claimed value (default: all)' },
    { name: 'share', value: 'percent', help: "in a dispute, with true: the worker's share, 10% to 100%" },
    {
      name: 'ground',
      value: 'word',
      help: `in a dispute, with false, what the worker did: ${GROUNDS.join(' | ')}`,
    },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws verify --key operator.key --event 80a7…336b --verdict true',
    'vws verify --key operator.key --event 80a7…336b --verdict true --value 60t',
    'vws verify --key operator.key --event 80a7…336b --verdict true --share 40%',
    'vws verify --key operator.key --event 80a7…336b --verdict false --ground plagiarism',
  ],
  async run(context) {
    const verdict = optionText(context, 'verdict');
    if (verdict !== 'true' && verdict !== 'false') {
      throw new UsageError(`--verdict: "${verdict}" is neither true nor false`, 'verify');
    }
    const value = optionText(context, 'value');
    const share = optionText(context, 'share');
    const client = openClient(context);
    const vote = {
      event_id: optionText(context, 'event') as string,
      verdict: verdict === 'true',
      verified_value: value === undefined ? undefined : parseAmount(value, '--value'),
      worker_share_bp: share === undefined ? undefined : parseShare(share),
      ground: choice(context, 'verify', 'ground', GROUNDS),
    };
    const { voting } = await client.event(vote.event_id);
    if (voting) await commitVote(context, client, vote);
    else printAnswer(context, await client.verify(vote));
    return EXIT.DONE;
  },
};

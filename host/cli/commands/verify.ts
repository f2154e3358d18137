// vws verify: POST /v1/verify, a validator's verdict.
// Keeps: what the node shows of the event is signed with the verdict and said, so that it counts for nothing else. Of a
// transfer nothing but its id can be signed.

import type { LedgerEvent } from '../../client/index.ts';
import { badAnswer } from '../../client/vws-error.ts';
import { GROUNDS, SHARE_STEP_BP } from '../../wire/operations/ledger.ts';
import { formatTokens, parseAmount } from '../amount.ts';
import { type Command, type CommandContext, optionText } from '../command.ts';
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

const JUDGED: Readonly<Record<string, string>> = { task_submitted: 'delivery', task_disputed: 'dispute' };

/** The task that is signed with the verdict. Errors: UsageError where the node shows another; `bad_answer` where it shows none. */
function judgedTask(context: CommandContext, shown: LedgerEvent): string | undefined {
  const { task_id, event_type } = shown;
  const asked = optionText(context, 'task')?.toLowerCase();
  if (asked !== undefined) {
    if (task_id === undefined || task_id === asked) return asked;
    throw new UsageError(`the node says that the event is of task ${task_id}, not of ${asked}`, 'verify');
  }
  const kind = JUDGED[event_type];
  if (kind === undefined) {
    if (event_type === 'transfer' || event_type === 'generation') return undefined;
    throw new UsageError(`an event of type ${event_type} takes no verdict`, 'verify');
  }
  if (task_id === undefined) throw badAnswer(`the node shows a ${kind} without its task`);
  context.io.err(`verify: on the ${kind} of task ${task_id}, and on no other`);
  return task_id;
}

/** What is recognised at most. Errors: UsageError, `bad_answer`. */
function recognised(context: CommandContext, shown: LedgerEvent, verdict: boolean): number | undefined {
  const value = optionText(context, 'value');
  if (value !== undefined) return parseAmount(value, '--value');
  if (!verdict || shown.event_type !== 'generation') return undefined;
  const { claimed_value: claimed } = shown;
  if (claimed === undefined) throw badAnswer('the node shows a generation without its claimed value');
  context.io.err(`verify: recognises ${formatTokens(claimed)}, and no more`);
  return claimed;
}

export const verify: Command = {
  name: 'verify',
  summary: 'give a verdict as a validator',
  about: `Gives a verdict on a pending event with the key of a validator's operator. Status "settled" or "adjusted"
means that this verdict decided the event; "pending" means that more verdicts are needed (exit code 0 as
well). A verdict cannot be withdrawn. In a dispute, true decides for the worker, with --share for a part of
what it would earn, and false for the poster; the vote is first only committed, and opened with vws judge
reveal. The worker of a lost dispute is slashed only when a quorum names the same ground.
The task of a delivery or a dispute is signed with the verdict, so that it counts for no other: --task, else
the one that the node names, which is said. vws judge shows a task and takes the verdict on it.`,
  options: [
    { name: 'event', value: 'id', help: 'id of the event (see vws pending)', isRequired: true },
    { name: 'task', value: 'id', help: 'of a delivery or a dispute: the task that you judged' },
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
    const share = optionText(context, 'share');
    const client = openClient(context);
    const given = {
      event_id: optionText(context, 'event') as string,
      verdict: verdict === 'true',
      worker_share_bp: share === undefined ? undefined : parseShare(share),
      ground: choice(context, 'verify', 'ground', GROUNDS),
    };
    const shown = await client.event(given.event_id);
    const vote = {
      ...given,
      task_id: judgedTask(context, shown),
      verified_value: recognised(context, shown, given.verdict),
    };
    if (shown.voting) await commitVote(context, client, vote);
    else printAnswer(context, await client.verify(vote));
    return EXIT.DONE;
  },
};

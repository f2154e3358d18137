// vws task post: what the flags say of a task, as the body that posts it (protocol 4.4).

import { readFileSync } from 'node:fs';
import type { BodyOf, VwsClient } from '../client/index.ts';
import { AFTER_RESERVATION, DELIVERIES, LANES, NO_QUORUM, SETTLES } from '../wire/operations/tasks.ts';
import { formatTokens } from './amount.ts';
import { type CommandContext, type CommandOption, isSwitchOn, optionText, optionTexts } from './command.ts';
import { amountOption, integerOption, openClient } from './connection.ts';
import { EXIT, type ExitCode, UsageError } from './exit-code.ts';
import { printTask } from './task-shown.ts';
import { choice, needed } from './verbs.ts';

const NAME = 'task';

/** What subtasks do not have (protocol 4.4). */
const OF_WHOLE_TASKS = ['lane', 'no-downgrade'];

export const POST_OPTIONS: readonly CommandOption[] = [
  { name: 'title', value: 'text', help: 'post: at most 200 bytes' },
  { name: 'budget', value: 'amount', help: 'post: micro-units, or tokens as 2.5t' },
  { name: 'description', value: 'text', help: 'post: what is to be done, at most 5000 bytes' },
  { name: 'category', value: 'name', help: 'post (default general), list' },
  { name: 'criterion', value: 'text', help: 'post: what makes it good', isRepeatable: true },
  { name: 'check', value: 'name', help: 'post: a check that must hold', isRepeatable: true },
  { name: 'tag', value: 'word', help: 'post', isRepeatable: true },
  {
    name: 'contract',
    value: 'json or file',
    help: 'post: the programs that decide on a delivery, such as [{"program":"size","parameters":{}}]',
  },
  { name: 'settle', value: 'word', help: `post, with --contract: ${SETTLES.join(' | ')} (default review)` },
  { name: 'delivery', value: 'word', help: 'post: public | encrypted (default public)' },
  {
    name: 'delivered',
    value: 'word',
    help: 'post: content | external, a hash and a place are enough (default content)',
  },
  {
    name: 'pay-external-on-silence',
    help: 'post, with --delivered external: if you do not answer, the worker is paid',
  },
  { name: 'deliver-within', value: 'secs', help: 'post: time from claim to delivery (default 600)' },
  { name: 'review', value: 'secs', help: 'post: time for your verdict, then silence pays' },
  { name: 'worker-bond', value: 'amount', help: 'post: what a claim reserves of the worker' },
  {
    name: 'no-quorum',
    value: 'word',
    help: `post: who is paid when judges do not agree: ${NO_QUORUM.join(' | ')}`,
  },
  { name: 'routing', value: 'word', help: 'post: advisory | exclusive (default advisory)' },
  { name: 'accept-no-judges', help: 'post: although few judges are announced to decide a dispute' },
  { name: 'reserved-for', value: 'id', help: 'post: the agent to hire' },
  {
    name: 'reserved-secs',
    value: 'secs',
    help: 'post: how long it may think, then --reserved-then (default a day)',
  },
  { name: 'reserved-then', value: 'word', help: 'post: refund | open to all (default refund)' },
  { name: 'lane', value: 'word', help: `post, list: ${LANES.join(' | ')}` },
  { name: 'no-downgrade', help: 'post: refused where the network cannot offer the lane' },
];

export async function post(context: CommandContext): Promise<ExitCode> {
  const client = openClient(context);
  const parent = optionText(context, 'parent');
  const common = commonOf(context);
  await tellPrice(context, client, common.category);
  if (parent === undefined) {
    const lane = choice(context, NAME, 'lane', LANES);
    const allow_downgrade = isSwitchOn(context, 'no-downgrade') ? false : undefined;
    printTask(context, await client.tasks.create({ ...common, assurance_lane: lane, allow_downgrade }));
    return EXIT.DONE;
  }
  const whole = OF_WHOLE_TASKS.find((name) => name in context.flags);
  if (whole !== undefined) throw new UsageError(`--${whole} does not go with --parent`, NAME);
  printTask(context, await client.tasks.subtask(parent, common));
  return EXIT.DONE;
}

/** Says what a new name costs beside the budget (protocol 6.18). */
async function tellPrice(
  { io }: CommandContext,
  client: VwsClient,
  category: string | undefined,
): Promise<void> {
  if (category === undefined) return;
  // What cannot be read now is no reason not to post.
  const state = await client.networkState({ category }).catch(() => undefined);
  const { fee = 0 } = state?.category_name ?? {};
  if (fee > 0) io.err(`category ${category} is new: its name costs ${formatTokens(fee)} beside the budget`);
}

const commonOf = (context: CommandContext): BodyOf<'subtaskCreate'> => ({
  title: needed(context, 'title'),
  description: optionText(context, 'description'),
  category: optionText(context, 'category'),
  budget: amountOption(context, 'budget')!,
  success_criteria: listOf(context, 'criterion'),
  required_checks: listOf(context, 'check') as never,
  tags: listOf(context, 'tag'),
  acceptance: contractOf(context) as never,
  settle: choice(context, NAME, 'settle', SETTLES),
  delivery_method: choice(context, NAME, 'delivery', ['public', 'encrypted']),
  delivered: choice(context, NAME, 'delivered', DELIVERIES),
  pay_external_on_silence: isSwitchOn(context, 'pay-external-on-silence') || undefined,
  max_delivery_time_secs: integerOption(context, 'deliver-within', 1),
  challenge_window_secs: integerOption(context, 'review', 1),
  worker_bond: amountOption(context, 'worker-bond'),
  no_quorum: choice(context, NAME, 'no-quorum', NO_QUORUM),
  routing: choice(context, NAME, 'routing', ['advisory', 'exclusive']),
  accept_no_judges: isSwitchOn(context, 'accept-no-judges') || undefined,
  reserved_for: optionText(context, 'reserved-for'),
  reserved_secs: integerOption(context, 'reserved-secs', 1),
  reserved_then: choice(context, NAME, 'reserved-then', AFTER_RESERVATION),
});

/** What was given, nothing for what was not. */
function listOf(context: CommandContext, option: string): string[] | undefined {
  const values = optionTexts(context, option);
  return values.length === 0 ? undefined : [...values];
}

/** The checks of a contract, which the node looks at; undefined without one. Errors: UsageError. */
function contractOf(context: CommandContext): unknown[] | undefined {
  const text = optionText(context, 'contract');
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(/^\s*[[{]/.test(text) ? text : readFileSync(text, 'utf8'));
  } catch (error) {
    throw new UsageError(`--contract: ${(error as Error).message}`, NAME);
  }
  if (!Array.isArray(value)) throw new UsageError('--contract: not a JSON list of checks', NAME);
  return value;
}

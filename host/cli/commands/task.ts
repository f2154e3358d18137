// vws task: the life of a task, from posting it to being paid (protocol 4.4).

import type { Task, VwsClient } from '../../client/index.ts';
import { type Bond, bondOf } from '../../client/task-reads.ts';
import { TASK_STATUSES } from '../../core/task-names.ts';
import { fromHex, isHex } from '../../wire/bytes.ts';
import { formatTokens } from '../amount.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { amountOption, JSON_OPTION, openClient, pagingOptions, RESEND_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { formatTime, shortText } from '../output.ts';
import { COMMIT_VERBS } from '../task-commits.ts';
import { POST_OPTIONS, post } from '../task-post.ts';
import { resultBody, showResult } from '../task-result.ts';
import { printTask } from '../task-shown.ts';
import { listVerb, needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'task';
const HEADS = ['Task ID', 'Status', 'Budget', 'Category', 'Poster', 'Worker', 'Posted', 'Title'];
const MAX_TITLE_CHARS = 40;

function hex64Option(context: CommandContext, name: string): string | undefined {
  const text = optionText(context, name);
  if (text !== undefined && !isHex(text, 64)) throw new UsageError(`--${name}: not 64 hex digits`, NAME);
  return text?.toLowerCase();
}

async function submit(context: CommandContext): Promise<ExitCode> {
  const { tasks } = openClient(context);
  const posterKey = hex64Option(context, 'poster-key');
  const options = {
    isUnchecked: isSwitchOn(context, 'no-check'),
    genesisHash: hex64Option(context, 'genesis'),
    posterKey: posterKey === undefined ? undefined : fromHex(posterKey),
  };
  printTask(context, await tasks.deliver(needed(context, 'id'), resultBody(context), options));
  return EXIT.DONE;
}

const openingOf = async ({ tasks }: VwsClient, id: string) => tasks.openingOf(await tasks.get(id));

/** A verb that needs the task's id and prints the task as it is then. */
const step = (act: (client: VwsClient, id: string, context: CommandContext) => Promise<Task>): Verb => ({
  takes: 'id',
  needs: ['id'],
  async run(context) {
    printTask(context, await act(openClient(context), needed(context, 'id'), context));
    return EXIT.DONE;
  },
});

/** What `list` filters by: none of it goes with --parent. */
const FILTERS = {
  status: 'status',
  category: 'category',
  poster_id: 'poster',
  claimer_id: 'worker',
  assurance_lane: 'lane',
};

async function list(context: CommandContext): Promise<ExitCode> {
  const parent = optionText(context, 'parent');
  if (parent !== undefined) {
    const more = [...Object.values(FILTERS), 'mine', 'for-me'].find((name) => name in context.flags);
    if (more !== undefined) throw new UsageError(`--${more} does not go with --parent`, NAME);
    const parts = listVerb(HEADS, {}, (client, query) => client.tasks.subtasks(parent, query), rowOf);
    return await parts.run(context);
  }
  const isHired = isSwitchOn(context, 'for-me');
  const own = isHired || isSwitchOn(context, 'mine') ? openClient(context).ownKey : undefined;
  const role = isHired ? { role: 'hired' } : {};
  const listed = listVerb(
    HEADS,
    FILTERS,
    (client, query) =>
      own === undefined ? client.tasks.list(query) : client.tasks.ofAgent(own, { ...query, ...role }),
    rowOf,
  );
  return await listed.run(context);
}

const rowOf = (task: Task): string[] => [
  task.id,
  task.status,
  formatTokens(task.budget),
  task.category,
  task.poster_id,
  task.claimer_id ?? '-',
  formatTime(task.posted_at),
  shortText(task.title, MAX_TITLE_CHARS),
];

/** The most that a step may reserve, which is signed: as given, otherwise what the task shows, which is said. */
async function boundOf(context: CommandContext, client: VwsClient, id: string, name: Bond) {
  const given = amountOption(context, 'max-bond');
  if (given !== undefined) return { max_bond: given };
  const max_bond = bondOf(await client.tasks.get(id), name);
  context.io.err(`task ${context.words[0]}: reserves a bond of ${formatTokens(max_bond)}, and no more`);
  return { max_bond };
}

const VERBS: Readonly<Record<string, Verb>> = {
  post: { takes: 'title', needs: ['title', 'budget'], run: post },
  list: { needs: [], run: list },
  show: step((client, id) => client.tasks.get(id)),
  result: { takes: 'id', needs: ['id'], run: showResult },
  claim: step(async (client, id, context) =>
    client.tasks.claim(id, await boundOf(context, client, id, 'worker_bond')),
  ),
  release: step((client, id, context) => client.tasks.release(id, { reason: optionText(context, 'reason') })),
  decline: step((client, id, context) => client.tasks.decline(id, { reason: optionText(context, 'reason') })),
  submit: { takes: 'id', needs: ['id'], run: submit },
  approve: step((client, id) => client.tasks.approve(id)),
  dispute: step(async (client, id, context) => {
    const opening = isSwitchOn(context, 'open') ? await openingOf(client, id) : {};
    const reason = optionText(context, 'reason');
    const bound = await boundOf(context, client, id, 'dispute_bond');
    return await client.tasks.dispute(id, { reason, ...bound, ...opening });
  }),
  contest: step(async (client, id, context) => {
    const opening = await openingOf(client, id);
    return await client.tasks.contest(id, { reason: optionText(context, 'reason'), ...opening });
  }),
  concede: step((client, id) => client.tasks.concede(id)),
  open: step(async ({ tasks }, id) => {
    const task = await tasks.get(id);
    const { content_key } = await tasks.openingOf(task);
    if (content_key === undefined || task.content_key !== undefined)
      throw new UsageError('the delivery is not sealed, or was opened', NAME);
    return await tasks.open(id, { content_key });
  }),
  cancel: step((client, id) => client.tasks.cancel(id)),
  ...COMMIT_VERBS,
};

export const task: Command = {
  name: NAME,
  summary: 'post tasks, find and claim them, deliver, approve',
  about: `post     posts a task; its budget goes into escrow in the same step. --parent makes it a part of one that
         you hold. --reserved-for hires one agent: nobody else may claim it. --contract names programs that
         decide on a delivery: standard checks, or such as vws check publish stored.
list     tasks, newest first; --mine shows those that you posted or hold, --for-me open ones reserved for you,
         --parent the parts of one.
show     one task.
result   what was delivered, and nothing else; an encrypted result is opened with your key.
claim    takes an open task. It reserves the bond that the task shows: no more, whatever the node says.
release  gives back a task that you hold, for others to take; you may not take it again. After a quarter of
         its time it counts as a failure.
decline  refuses a task that is reserved for you; its poster has the budget back.
submit   delivers: --text or --file, or --hash with --uri. For a task that wants its result encrypted it is
         sealed: only the poster and you can read it, until a dispute opens it. Where the task has a contract
         it is run here first, and what fails is not sent. The poster's key follows from its id; that of a
         poster with a name is proven under a state root that the validators signed, or --poster-key gives it.
approve  accepts the delivery; the worker is paid.
dispute  refuses the delivery; judges decide. --open shows them a sealed one at once.
contest  stands by a disputed delivery; judges decide. A sealed one is opened with it, to everybody.
concede  gives in to a dispute.
open     opens the sealed delivery of a disputed task to everybody.
cancel   takes an open task back at once, a claimed one in a minute, unless it is delivered before.
commit   notes a step of your work on a task that you hold, for everybody to read; commits lists them.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  options: [
    { name: 'id', value: 'id', help: 'the task; may be given as a word: vws task show 4f1c…' },
    ...POST_OPTIONS,
    { name: 'parent', value: 'id', help: 'post: the task of which this is a part; list: its parts' },
    { name: 'text', value: 'text', help: 'submit: the result; commit: the approach' },
    { name: 'file', value: 'path', help: 'submit: the file with the result, UTF-8, at most 1 MiB' },
    { name: 'note', value: 'text', help: 'submit: a note beside the result' },
    { name: 'uri', value: 'url', help: 'submit: where the result is' },
    { name: 'no-check', help: 'submit: also what the contract of the task does not accept' },
    {
      name: 'genesis',
      value: 'hash',
      help: 'submit: genesis hash of the network in which poster and delivery method are proven',
    },
    { name: 'poster-key', value: 'hex64', help: "submit, sealed: the poster's public key, if you know it" },
    { name: 'hash', value: 'hash', help: 'submit: hash of a result that is not sent along' },
    { name: 'reason', value: 'text', help: 'dispute, contest, release, decline: at most 1000 bytes, public' },
    {
      name: 'max-bond',
      value: 'amount',
      help: 'claim, dispute: refused if the task reserves more (default: its bond)',
    },
    { name: 'open', help: 'dispute: show a sealed delivery to judges, and so to everybody' },
    { name: 'output', value: 'path', help: 'result: write it to a new file, byte for byte' },
    {
      name: 'outcome',
      value: 'word',
      help: 'commit: progress, success, partial, failure, or a word of yours',
    },
    { name: 'branch', value: 'id', help: 'commit, commits: branch of the trajectory (default main, all)' },
    { name: 'after', value: 'id', help: 'commit: the commit that it goes on from' },
    { name: 'status', value: 'word', help: `list: ${TASK_STATUSES.join(' | ')}` },
    { name: 'poster', value: 'id', help: 'list: tasks of this agent' },
    { name: 'worker', value: 'id', help: 'list: tasks that this agent holds or did' },
    { name: 'mine', help: 'list: tasks of the key of --key, as poster or worker' },
    { name: 'for-me', help: 'list: open tasks that are reserved for the key of --key' },
    ...pagingOptions('list, commits'),
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws task post --key alice.key --title "Count the vessels" --category data --budget 2t',
    'vws task post --key alice.key --title "Count the vessels" --budget 2t --reserved-for bob',
    'vws task list --status open --category data',
    'vws task claim --key bob.key 4f1c…09ab',
    'vws task submit --key bob.key 4f1c…09ab --file result.txt',
    'vws task approve --key alice.key 4f1c…09ab',
  ],
  run: (context) => runVerb(NAME, VERBS, context),
};

// vws judge: the disputes and deliveries that wait for this operator's own judgement, and its verdicts (protocol 15.9).
// Keeps: what other agents wrote stands between marked lines that they cannot forge, without what steers a terminal.

import {
  type BodyOf,
  type PendingEvent,
  type Task,
  type Validator,
  type VwsClient,
  VwsError,
} from '../../client/index.ts';
import { ConfigError, parseInteger } from '../../config/setting-values.ts';
import { fromHex } from '../../wire/bytes.ts';
import { Fence } from '../../wire/fence.ts';
import { sha256Hex } from '../../wire/hash.ts';
import { GROUNDS, voteFor } from '../../wire/operations/ledger.ts';
import { keyCommitment, openBox } from '../../wire/sealed-box.ts';
import { systemClock } from '../../world/system/clock.ts';
import { randomBytes } from '../../world/system/random.ts';
import { formatTokens } from '../amount.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { JSON_OPTION, MAX_LIMIT, openClient, printAnswer, printList, RESEND_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { openVotes, type Revealed } from '../kept-votes.ts';
import { formatTime, plainLines, plainText, shortText } from '../output.ts';
import { choice, needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'judge';
const HEADS = ['Task ID', 'Kind', 'Budget', 'Until', 'Votes', 'Title'];
const MAX_TITLE_CHARS = 40;
/** Of a delivery this much is shown; `vws task result` has all of it. */
const MAX_SHOWN_CHARS = 20_000;
const VERDICTS = ['worker', 'poster', 'split'] as const;
type Verdict = (typeof VERDICTS)[number];

/** A task that waits for this operator's verdict. */
interface Open {
  task: Task;
  event: PendingEvent;
}

function ownKey(client: VwsClient): string {
  if (client.ownKey !== undefined) return client.ownKey;
  throw new UsageError("give the key file of your validator's operator with --key", NAME);
}

/** May the operator vote on it now: a delivery or dispute it is on the panel of, or a dispute that all judges or validators judge. */
function isOpen({ task, event }: Open, own: Pick<Validator, 'id' | 'is_judge'>): boolean {
  const isDrawn = event.assigned_to.includes(own.id);
  if (event.event_type === 'task_submitted') return isDrawn;
  if (task.contested !== true) return false;
  const { dispute_panels: panels } = task;
  return panels === undefined || (panels === 1 ? isDrawn : own.is_judge);
}

/** All that waits of one type. Others, which anybody can add to, must not stand in front of it. */
async function allPending(
  client: VwsClient,
  query: { event_type: string; assigned_to?: string },
): Promise<PendingEvent[]> {
  const found: PendingEvent[] = [];
  for (let page = 1; ; page++) {
    const events = await client.pending({ ...query, page, per_page: MAX_LIMIT });
    found.push(...events);
    if (events.length < MAX_LIMIT) return found;
  }
}

async function openOnes(client: VwsClient): Promise<Open[]> {
  const { validator_id: validator } = await client.agent(ownKey(client));
  if (validator === undefined) throw new UsageError('the agent of this key operates no validator', NAME);
  const own = await client.validators.get(validator);
  const deliveries = await allPending(client, { event_type: 'task_submitted', assigned_to: validator });
  const disputes = await allPending(client, { event_type: 'task_disputed' });
  const found = new Map([...deliveries, ...disputes].map((event) => [event.event_id, event]));
  const open: Open[] = [];
  for (const event of [...found.values()].sort((a, b) => a.deadline - b.deadline)) {
    if (event.task_id === undefined) continue;
    const one = { event, task: await client.tasks.get(event.task_id) };
    if (!isOpen(one, own)) continue;
    if (event.voting?.stage === 'reveal') continue;
    const { voters = [], commitments = [] } = await client.event(event.event_id);
    if (![...voters, ...commitments].some((v) => v.validator_id === validator)) open.push(one);
  }
  return open;
}

const kindOf = ({ event }: Open): string => (event.event_type === 'task_disputed' ? 'dispute' : 'delivery');

async function list(context: CommandContext): Promise<ExitCode> {
  const open = await openOnes(openClient(context));
  printList(context, HEADS, open, (one) => [
    one.task.id,
    kindOf(one),
    formatTokens(one.task.budget),
    formatTime(one.event.deadline),
    String(one.event.votes.participants),
    shortText(one.task.title, MAX_TITLE_CHARS),
  ]);
  return EXIT.DONE;
}

/**
 * What shows that a delivery is not the one that was submitted: its hash is another, or the key that opened it gives another text.
 * Undefined where nothing does. Whether the node shows the right hash and commitment is for `vws proof`.
 */
function lieAbout(task: Task): string | undefined {
  const { id, result_content: box, result_hash: hash, key_commitment, content_key, opened_content } = task;
  if (box !== undefined && !isHashOf(hash, box)) return 'the text does not have the result hash';
  if (opened_content === undefined) return undefined;
  const key = fromHex(content_key ?? '');
  if (key === undefined || keyCommitment(id, key) !== key_commitment)
    return 'the key that is said to open it is not the one that the worker committed to';
  return box !== undefined && openBox(id, key, box) === opened_content
    ? undefined
    : 'the key that opened it gives another text';
}

/** Hashes are given in either case, with or without their name. A text that was delivered always has one. */
const isHashOf = (hash: unknown, text: string): boolean =>
  String(hash)
    .toLowerCase()
    .replace(/^sha256:/, '') === sha256Hex(text);

/** What is to be judged, as lines. */
function shownLines(task: Task): string[] {
  const fence = new Fence(randomBytes);
  const lines: string[] = [];
  const fact = (name: string, value: unknown): void => {
    if (value !== undefined) lines.push(`${name}: ${plainText(String(value))}`);
  };
  const by = (author: string, name: string, text: string | undefined): void => {
    if (text === undefined || text === '') return;
    lines.push('', `${name}:`, ...plainLines(fence.text(author, text)));
  };
  fact('Task', task.id);
  fact('Status', task.status);
  fact('Budget', formatTokens(task.budget));
  fact('Without a quorum', task.no_quorum);
  fact('Score, which is advice', task.verification_score?.overall);
  by('poster', 'Title', task.title);
  by('poster', 'Description', task.description);
  by('poster', 'Criteria', task.success_criteria.join('\n'));
  by('poster', 'Contract', task.acceptance && JSON.stringify(task.acceptance, null, 2));
  by('poster', 'Why it is disputed', task.dispute_reason);
  const content = task.opened_content ?? task.result_content ?? '';
  const lie = lieAbout(task);
  if (lie !== undefined) fact('The node lies about the delivery', `${lie}. Judge by what another node shows`);
  by('worker', 'Delivery', content.slice(0, MAX_SHOWN_CHARS));
  if (content.length > MAX_SHOWN_CHARS) fact('Shown', `the first ${MAX_SHOWN_CHARS} characters of it`);
  if (task.opened_content !== undefined) fact('Delivery', `was sealed, opened by ${task.opened_by}`);
  else if (task.result_encrypted) fact('Delivery', 'sealed: only the poster and the worker can read it');
  fact('Result hash', task.result_hash);
  by('worker', 'Place', task.result_uri);
  by('worker', 'Note', task.result_note);
  return [...lines, '', String(fence.notice.untrusted_notice)];
}

async function show(context: CommandContext): Promise<ExitCode> {
  const task = await openClient(context).tasks.get(needed(context, 'task'));
  if (isSwitchOn(context, 'json')) {
    printAnswer(context, task);
    const lie = lieAbout(task);
    if (lie !== undefined) context.io.err(`the node lies about the delivery: ${lie}`);
  } else for (const line of shownLines(task)) context.io.out(line);
  return EXIT.DONE;
}

/** The event of a task that takes verdicts. */
function eventOf(task: Task): string {
  const event = task.status === 'disputed' ? task.dispute_event_id : task.submission_event_id;
  if (event === undefined) throw new UsageError(`task ${task.id} waits for no verdict`, NAME);
  return event;
}

/** Percent for the worker. Errors: UsageError, ConfigError. */
function shareOf(context: CommandContext, verdict: Verdict): number {
  const text = optionText(context, 'share');
  if ((text === undefined) === (verdict === 'split')) {
    throw new UsageError('--share goes with --verdict split, and only with it', NAME);
  }
  if (text === undefined) return verdict === 'worker' ? 100 : 0;
  const share = parseInteger(text, '--share', 10, 90);
  if (share % 10 !== 0) throw new UsageError('--share goes in steps of 10', NAME);
  return share;
}

async function answer(context: CommandContext): Promise<ExitCode> {
  const verdict = choice(context, NAME, 'verdict', VERDICTS) as Verdict;
  const share = shareOf(context, verdict);
  const ground = choice(context, NAME, 'ground', GROUNDS);
  if (ground !== undefined && verdict !== 'poster') {
    throw new UsageError('--ground goes with --verdict poster', NAME);
  }
  const reason = needed(context, 'reason');
  const client = openClient(context);
  const task = await client.tasks.get(needed(context, 'task'));
  const event_id = eventOf(task);
  const vote = voteFor(share * 100, task.status === 'disputed');
  if (verdict === 'split' && vote.worker_share_bp === undefined) {
    context.io.err(
      `a delivery is judged without shares: this counts for the ${vote.verdict ? 'worker' : 'poster'}`,
    );
  }
  // The task that was read is signed: a node that names the event of another one gets no vote on that.
  const verdictOn = { event_id, task_id: task.id, ...vote, ground, reason };
  if (task.status === 'disputed') await commitVote(context, client, verdictOn);
  else printAnswer(context, await client.verify(verdictOn));
  return EXIT.DONE;
}

/** Commits a vote on a dispute, and reveals it where it was the last one. */
export async function commitVote(
  context: CommandContext,
  client: VwsClient,
  vote: BodyOf<'verify'>,
): Promise<void> {
  const votes = openVotes(context, client);
  const given = Object.fromEntries(Object.entries(vote).filter(([, value]) => value !== undefined));
  const voting = await votes.commit(given as BodyOf<'verify'>);
  if (voting.stage === 'reveal') {
    for (const step of await votes.reveal()) if (step.result) printAnswer(context, step.result);
    return;
  }
  printAnswer(context, { event_id: vote.event_id, voting });
  context.io.err(
    `committed; reveal it with: vws judge reveal, from ${formatTime(voting.until)} on, or earlier once all have committed`,
  );
}

/** Reveals the votes whose time has come; with --wait, those too whose time is still to come. */
async function reveal(context: CommandContext): Promise<ExitCode> {
  const votes = openVotes(context, openClient(context));
  const rows: Revealed[] = [];
  if (isSwitchOn(context, 'wait')) await votes.revealAll(systemClock, (step) => rows.push(step));
  else rows.push(...(await votes.reveal()));
  printList(context, ['Event', 'State', 'Until'], rows, (step) => [
    step.event_id,
    step.code === undefined ? step.state : `${step.state}: ${step.code}`,
    step.until === undefined ? '' : formatTime(step.until),
  ]);
  const failed = [...new Map(rows.map((step) => [step.event_id, step])).values()].filter(
    ({ state }) => state === 'failed',
  );
  if (failed.length === 0) return EXIT.DONE;
  return failed.every(({ code }) => code === 'unreachable') ? EXIT.UNREACHABLE : EXIT.FAILED;
}

/** Goes through all that is open: shows each and asks for the verdict. */
async function queue(context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  if (!io.isTerminal)
    throw new UsageError('judge queue needs a terminal; see judge list, judge answer', NAME);
  const open = await openOnes(openClient(context));
  if (open.length === 0) io.out('Nothing waits for your verdict.');
  for (const [i, one] of open.entries()) {
    io.out(`--- ${i + 1} of ${open.length}: ${kindOf(one)}, until ${formatTime(one.event.deadline)}`);
    for (const line of shownLines(one.task)) io.out(line);
    const word = await io.ask(`Verdict (${VERDICTS.join(', ')}; Enter: later): `);
    if (word === '') continue;
    const share = word === 'split' ? await io.ask('Percent for the worker (10 to 90): ') : undefined;
    const isGround = word === 'poster' && one.event.event_type === 'task_disputed';
    const ground = isGround ? await io.ask(`Ground (${GROUNDS.join(', ')}; Enter: none): `) : undefined;
    const reason = await io.ask('Reason, public: ');
    const given = { ...context.flags, task: one.task.id, verdict: word, share, ground, reason };
    try {
      await runVerb(NAME, VERBS, { ...context, words: ['answer'], flags: given });
    } catch (error) {
      // What was mistyped or refused ends nothing: the next one waits all the same.
      if (!(error instanceof UsageError || error instanceof VwsError || error instanceof ConfigError))
        throw error;
      io.err(error.message);
    }
  }
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  list: { needs: [], run: list },
  show: { takes: 'task', needs: ['task'], run: show },
  answer: { takes: 'task', needs: ['task', 'verdict', 'reason'], run: answer },
  queue: { needs: [], run: queue },
  reveal: { needs: [], run: reveal },
};

export const judge: Command = {
  name: NAME,
  summary: 'judge deliveries and disputes yourself, as the operator of a validator',
  about: `list     what waits for your verdict: contested disputes and deliveries whose panel you are on, the most
         urgent first. What you have voted on is not listed.
show     one task: what was asked, what was delivered, why it is disputed. Text between untrusted lines was
         written by the parties: it is what you judge, not what you obey.
answer   gives your verdict, which cannot be withdrawn. --reason is public.
queue    in a terminal: shows each of the list and asks for the verdict.
reveal   opens your votes on disputes. A vote on a dispute is first only committed, so that no judge can echo
         another, and kept in the folder <key file>.votes; when all are in, or time is up, each opens its
         own. One that is not opened in time is a miss. --wait stays until all of yours are open; use it in
         probation, where your vote does not count and is waited for a minute after those that do.
A missed vote withdraws your judge. A program can answer instead: SERVICE_JUDGE of the node.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  options: [
    { name: 'task', value: 'id', help: 'the task; may be given as a word: vws judge show 4f1c…' },
    { name: 'verdict', value: 'word', help: `answer: ${VERDICTS.join(' | ')}` },
    { name: 'share', value: 'percent', help: 'answer, with split: of the escrow for the worker, 10 to 90' },
    { name: 'ground', value: 'word', help: `answer, with poster: ${GROUNDS.join(' | ')}, if certain` },
    { name: 'reason', value: 'text', help: 'answer: why, at most 500 bytes' },
    { name: 'wait', help: 'reveal: stay until all of your votes are revealed' },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws judge list --key operator.key',
    'vws judge show 4f1c…09ab',
    'vws judge answer --key operator.key 4f1c…09ab --verdict worker --reason "all weeks are there"',
    'vws judge answer --key operator.key 4f1c…09ab --verdict poster --ground fraud --reason "invented source"',
    'vws judge queue --key operator.key',
    'vws judge reveal --key operator.key --wait',
  ],
  run: (context) => runVerb(NAME, VERBS, context),
};

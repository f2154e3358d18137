// vws challenge: POST /v1/challenges, POST /v1/challenges/{id}/resolve, and the reads of challenges.

import type { Challenge } from '../../client/index.ts';
import { CHALLENGE_OUTCOMES, OFFENSES } from '../../wire/operations/cases.ts';
import { formatTokens, parseAmount } from '../amount.ts';
import { type Command, type CommandContext, optionText } from '../command.ts';
import { JSON_OPTION, openClient, pagingOptions, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { formatTime } from '../output.ts';
import { choice, listVerb, needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'challenge';
const HEADS = ['Challenge ID', 'Status', 'Target', 'Offense', 'Challenger', 'Task', 'Bond', 'Deadline'];

async function open(context: CommandContext): Promise<ExitCode> {
  const bond = optionText(context, 'bond');
  const answer = await openClient(context).cases.open({
    task_id: needed(context, 'task'),
    target_id: needed(context, 'target'),
    offense: choice(context, NAME, 'offense', OFFENSES),
    bond: bond === undefined ? undefined : parseAmount(bond, '--bond'),
    reason: optionText(context, 'reason'),
    evidence_uri: optionText(context, 'evidence-uri'),
    evidence_hash: optionText(context, 'evidence-hash'),
  });
  printAnswer(context, answer);
  return EXIT.DONE;
}

async function vote(context: CommandContext): Promise<ExitCode> {
  const outcome = choice(context, NAME, 'outcome', CHALLENGE_OUTCOMES)!;
  const note = optionText(context, 'note');
  printAnswer(context, await openClient(context).cases.vote(needed(context, 'id'), { outcome, note }));
  return EXIT.DONE;
}

const rowOf = (c: Challenge): string[] => [
  c.id,
  c.status,
  c.target_id,
  c.offense,
  c.challenger_id,
  c.task_id,
  formatTokens(c.bond),
  formatTime(c.deadline),
];

const FILTERS = { status: 'status', task_id: 'task', target_id: 'target' };

async function show(context: CommandContext): Promise<ExitCode> {
  printAnswer(context, await openClient(context).cases.challenge(needed(context, 'id')));
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  open: { needs: ['task', 'target'], run: open },
  vote: { takes: 'id', needs: ['id', 'outcome'], run: vote },
  list: listVerb(HEADS, FILTERS, (client, query) => client.cases.challenges(query), rowOf),
  show: { takes: 'id', needs: ['id'], run: show },
};

export const challenge: Command = {
  name: NAME,
  summary: "challenge a validator's verdict, vote on challenges, list them",
  about: `open    challenges a validator's conduct in an assured task, within 7 days of its completion. The bond
        (1 % of the budget, at least 1 token) is held until active validators decide: succeeded
        returns it and pays half of what the target loses, failed forfeits it, partial returns it.
vote    votes as an active validator that is not involved. A vote cannot be withdrawn.
list    challenges, newest first; --status, --task and --target filter the list.
show    one challenge with the weights of its votes.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  options: [
    { name: 'task', value: 'id', help: 'open, list: the task' },
    { name: 'target', value: 'id', help: 'open, list: validator id, or agent id of its operator' },
    { name: 'offense', value: 'word', help: `open: ${OFFENSES.join(' | ')} (default ${OFFENSES[0]})` },
    { name: 'bond', value: 'amount', help: 'open: micro-units, or tokens as 2.5t (default: the minimum)' },
    { name: 'reason', value: 'text', help: 'open: at most 2000 bytes, public' },
    { name: 'evidence-uri', value: 'url', help: 'open: where the evidence is' },
    { name: 'evidence-hash', value: 'hash', help: 'open: hash of the evidence' },
    { name: 'id', value: 'id', help: 'vote, show: the challenge; may be given as a word' },
    { name: 'outcome', value: 'word', help: `vote: ${CHALLENGE_OUTCOMES.join(' | ')}` },
    { name: 'note', value: 'text', help: 'vote: at most 1000 bytes, public' },
    { name: 'status', value: 'word', help: 'list: open | succeeded | failed | partial' },
    ...pagingOptions('list'),
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws challenge open --key alice.key --task 4f1c…09ab --target v3 --reason "the sum is wrong"',
    'vws challenge vote --key operator.key --id chal-52d0…77e1 --outcome succeeded',
    'vws challenge list --status open',
  ],
  run: (context) => runVerb(NAME, VERBS, context),
};

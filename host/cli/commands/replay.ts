// vws replay: POST /v1/replay/submit, POST /v1/replay/outcome, and the reads of replay jobs.

import { readFileSync } from 'node:fs';
import type { ReplayJob } from '../../client/index.ts';
import { REPLAY_OUTCOMES } from '../../wire/operations/cases.ts';
import type { Args } from '../../wire/operations.ts';
import { formatTokens } from '../amount.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { JSON_OPTION, openClient, pagingOptions, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { formatTime, printJson, printTable } from '../output.ts';
import { choice, listVerb, needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'replay';
const HEADS = ['Job ID', 'Status', 'Executor', 'Attempt', 'Category', 'Task', 'Reward', 'Deadline'];
const STATUSES = ['completed', 'failed'] as const;

const rowOf = (j: ReplayJob): string[] => [
  j.id,
  j.outcome ?? j.status,
  j.executor_id ?? '-',
  String(j.attempt),
  j.category,
  j.task_id,
  formatTokens(j.reward),
  formatTime(j.submission_deadline),
];

const FILTERS = { status: 'status', task_id: 'task', executor_id: 'executor' };

/** A job as lines; its checks as a table. */
async function show(context: CommandContext): Promise<ExitCode> {
  const { checks, comparisons, ...job } = await openClient(context).cases.job(needed(context, 'job'));
  if (isSwitchOn(context, 'json')) {
    printJson(context.io, { ...job, checks, ...(comparisons ? { comparisons } : {}) });
    return EXIT.DONE;
  }
  printAnswer(context, job);
  const compared = new Map((comparisons ?? []).map((c) => [c.check_type, c]));
  const rows = checks.map(({ check_type, pass, value_bp }) => {
    const found = compared.get(check_type);
    const delta = found ? `${found.delta_bp}${found.anomaly ? ' anomaly' : ''}` : '-';
    return [check_type, pass ? 'pass' : 'fail', String(value_bp ?? '-'), delta];
  });
  printTable(context.io, ['Check', 'Baseline', 'Value bp', 'Delta bp'], rows);
  return EXIT.DONE;
}

type CheckResults = Args<'replaySubmit'>['check_results'];

/** Reads results from a file: a JSON array. Errors: UsageError. */
function readResults(path: string): CheckResults {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `--results: ${path} is not a readable JSON file (${(error as Error).message})`,
      NAME,
    );
  }
  if (!Array.isArray(value)) throw new UsageError(`--results: ${path} does not contain an array`, NAME);
  // The node checks the members and names the first wrong one.
  return value as CheckResults;
}

async function submit(context: CommandContext): Promise<ExitCode> {
  const { job, ...answer } = await openClient(context).cases.submitReplay({
    job_id: needed(context, 'job'),
    check_results: readResults(needed(context, 'results')),
  });
  if (isSwitchOn(context, 'json')) printJson(context.io, { ...answer, job });
  else {
    const { comparisons, ...figures } = answer;
    printAnswer(context, { job_id: job.id, status: job.status, ...figures });
    const differing = comparisons.filter((c) => c.delta_bp > 0 || c.anomaly);
    const cells = differing.map((c) => [c.check_type, String(c.delta_bp), c.anomaly ? 'yes' : 'no']);
    if (cells.length > 0) printTable(context.io, ['Check', 'Delta bp', 'Anomaly'], cells);
  }
  return EXIT.DONE;
}

async function outcome(context: CommandContext): Promise<ExitCode> {
  const status = choice(context, NAME, 'status', STATUSES);
  if (status === undefined) throw new UsageError('replay outcome needs --status completed or failed', NAME);
  const { job, event_id } = await openClient(context).cases.reportReplay({
    job_id: needed(context, 'job'),
    status,
    outcome: choice(context, NAME, 'outcome', REPLAY_OUTCOMES),
    notes: optionText(context, 'notes'),
  });
  if (isSwitchOn(context, 'json')) printJson(context.io, { event_id, job });
  else {
    const { id, status: now, attempt, executor_id, outcome: result, action } = job;
    printAnswer(context, {
      event_id,
      job_id: id,
      status: now,
      outcome: result,
      action,
      attempt,
      executor_id,
    });
  }
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  jobs: listVerb(HEADS, FILTERS, (client, query) => client.cases.jobs(query), rowOf),
  show: { takes: 'job', needs: ['job'], run: show },
  submit: { takes: 'job', needs: ['job', 'results'], run: submit },
  outcome: { takes: 'job', needs: ['job', 'status'], run: outcome },
};

export const replay: Command = {
  name: NAME,
  summary: 'list replay jobs, which execute completed tasks again, and report their results',
  about: `jobs     replay jobs, newest first; --status, --task and --executor filter the list.
show     one job with its checks.
submit   the executor's report, check by check: --results names a file with a JSON array of
         {check_type, pass, artifact_hash, value_bp, exit_code, notes}.
outcome  the report as a whole (categories outside the code and data groups), or --status failed:
         it cannot be executed, and the next executor is drawn.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  options: [
    { name: 'job', value: 'id', help: 'show, submit, outcome: the job' },
    { name: 'results', value: 'path', help: 'submit: file with the check results' },
    {
      name: 'status',
      value: 'word',
      help: 'jobs: pending | completed | failed; outcome: completed | failed',
    },
    { name: 'outcome', value: 'word', help: `outcome: ${REPLAY_OUTCOMES.join(' | ')}` },
    { name: 'notes', value: 'text', help: 'outcome: at most 2000 bytes, public' },
    { name: 'task', value: 'id', help: 'jobs: of this task' },
    { name: 'executor', value: 'id', help: 'jobs: of this validator' },
    ...pagingOptions('jobs'),
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws replay jobs --status pending --executor v2',
    'vws replay submit --key operator.key --job 9c1e…7f20 --results results.json',
    'vws replay outcome --key operator.key --job 9c1e…7f20 --status failed --notes "content is encrypted"',
  ],
  run: (context) => runVerb(NAME, VERBS, context),
};

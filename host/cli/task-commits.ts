// vws task commit, commits: how a worker went about a task, step by step (protocol 4.4).

import { type CommandContext, optionText } from './command.ts';
import { openClient, printAnswer } from './connection.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { formatTime, shortText } from './output.ts';
import { listVerb, needed, type Verb } from './verbs.ts';

const HEADS = ['Commit', 'Branch', 'Outcome', 'Time', 'Approach'];
const MAX_TEXT_CHARS = 60;

async function addCommit(context: CommandContext): Promise<ExitCode> {
  const committed = await openClient(context).tasks.commit(needed(context, 'id'), {
    outcome: needed(context, 'outcome'),
    approach_description: optionText(context, 'text'),
    branch_id: optionText(context, 'branch'),
    parent_commit_id: optionText(context, 'after'),
  });
  printAnswer(context, committed);
  return EXIT.DONE;
}

const listCommits = (context: CommandContext): Promise<ExitCode> =>
  listVerb(
    HEADS,
    { branch_id: 'branch' },
    (client, query) => client.tasks.trajectories(needed(context, 'id'), { ...query, include_bodies: 'true' }),
    (commit) => [
      commit.event_id,
      commit.branch_id,
      commit.outcome,
      formatTime(commit.timestamp),
      shortText(commit.checkpoint_body?.approach_description ?? '-', MAX_TEXT_CHARS),
    ],
  ).run(context);

export const COMMIT_VERBS: Readonly<Record<string, Verb>> = {
  commit: { takes: 'id', needs: ['id', 'outcome'], run: addCommit },
  commits: { takes: 'id', needs: ['id'], run: listCommits },
};

// The judge that SERVICE_JUDGE names (protocol 15.9): a command of the operator's, or a URL.
// Keeps: it gets the question and nothing else; its answer is limited in time and size; whatever goes wrong is an
// abstention. A URL is the operator's own word, so it may lead to a private address; a delivery leaves the machine's
// private networks under TLS only, and no redirect is followed.

import type { CommandAnswer } from '../../world/command.ts';
import { type GuardedAnswer, guardedPost } from '../../world/guarded-post.ts';
import type { World } from '../../world/world.ts';
import { type Abstention, type Judge, type Judgement, readJudgement } from './judgement.ts';

const MAX_ANSWER_BYTES = 65_536;
/** The caller's signal ends a question; this only bounds a request whose caller is gone. */
const MAX_POST_MS = 86_400_000;

export type JudgeWorld = Pick<World, 'clock' | 'names' | 'post' | 'runCommand'>;

function fromCommand(answer: CommandAnswer, question: string): Judgement | Abstention {
  const { end, code, output, errors } = answer;
  if (end === 'ended') return { abstains: 'late' };
  if (end === 'too_long') return { abstains: 'too_long' };
  if (end === 'not_started') return { abstains: 'failed', detail: 'the command cannot be started' };
  if (code !== 0) return { abstains: 'failed', detail: `exit ${code ?? 'by a signal'}: ${errors.trim()}` };
  return readJudgement(output, question);
}

function fromPost(answer: GuardedAnswer, question: string, isLate: boolean): Judgement | Abstention {
  if (isLate) return { abstains: 'late' };
  if (answer === 'failed') return { abstains: 'unreachable' };
  if (answer === 'blocked') {
    return { abstains: 'unreachable', detail: 'http goes to private addresses only; use https' };
  }
  const { status, body, end } = answer;
  if (status !== 200) return { abstains: 'failed', detail: `status ${status}` };
  if (end !== 'whole') return { abstains: end === 'too_long' ? 'too_long' : 'failed', detail: 'cut off' };
  return readJudgement(body, question);
}

/** `where`: a URL, or a command line as for a shell. */
export function outsideJudge(where: string, world: JudgeWorld): Judge {
  const { clock, names, post, runCommand } = world;
  if (!/^https?:\/\//i.test(where)) {
    return async (question, signal) => {
      const input = JSON.stringify(question);
      const answer = await runCommand({ line: where, input, maxAnswerBytes: MAX_ANSWER_BYTES }, signal);
      return fromCommand(answer, question.question);
    };
  }
  const options = {
    ...{ clock, post },
    policy: { tlsOnly: false, allowPrivate: true },
    mayReach: (isPublic: boolean, isTls: boolean) => isTls || !isPublic,
    // A judge beside the node may have its name in the hosts file.
    resolve: (name: string) => names.lookup(name),
    limitMs: MAX_POST_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  };
  const headers = { 'Content-Type': 'application/json' };
  return async (question, signal) => {
    const message = { url: where, headers, body: JSON.stringify(question) };
    const answer = await guardedPost(message, options, signal);
    return fromPost(answer, question.question, signal.aborted);
  };
}

// A task as people read it on the command line.

import type { Task } from '../client/index.ts';
import { type CommandContext, isSwitchOn } from './command.ts';
import { printAnswer } from './connection.ts';
import { printObject } from './output.ts';

/** With --json as the node answered. */
export function printTask(context: CommandContext, task: Task): void {
  if (isSwitchOn(context, 'json')) printAnswer(context, task);
  else printObject(context.io, Object.fromEntries(Object.entries(task).flatMap(shownMember(task))));
}

/** The score in one line: it decides nothing (protocol 6.14), and its report has thirty members and a verdict. */
const shownMember =
  ({ verification, verification_score: score }: Task) =>
  (member: [string, unknown]): [string, unknown][] => {
    const [name] = member;
    if (name === 'verification_score') return [];
    if (name !== 'verification' || !verification || !score) return [member];
    const { threshold, reason_codes: reasons } = verification;
    const is = score.overall < threshold ? 'below' : 'at least';
    const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    return [['score, which is advice', `${score.overall}, ${is} ${threshold}${why}`]];
  };

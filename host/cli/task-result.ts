// Results of tasks on the command line: what is delivered, and what is shown of it.

import { readFileSync } from 'node:fs';
import type { BodyOf, TaskResult } from '../client/index.ts';
import { parsePath } from '../config/setting-values.ts';
import { systemFiles } from '../world/system/files.ts';
import { type CommandContext, isSwitchOn, optionText } from './command.ts';
import { openClient, printAnswer } from './connection.ts';
import { CommandRefusal, EXIT, type ExitCode, UsageError } from './exit-code.ts';
import { reasonOf } from './fault-text.ts';
import { plainLines } from './output.ts';
import { needed } from './verbs.ts';

/** The body of a submission. Errors: UsageError without a result. */
export function resultBody(context: CommandContext): BodyOf<'taskSubmit'> {
  const content = contentOf(context);
  const hash = optionText(context, 'hash');
  if (content === undefined && hash === undefined) {
    throw new UsageError('task submit needs --text, --file, or --hash', 'task');
  }
  return {
    result_content: content,
    result_hash: hash,
    result_note: optionText(context, 'note'),
    result_uri: optionText(context, 'uri'),
  };
}

function contentOf(context: CommandContext): string | undefined {
  const text = optionText(context, 'text');
  const file = optionText(context, 'file');
  if (file === undefined) return text;
  if (text !== undefined) throw new UsageError('give --text or --file, not both', 'task');
  const path = parsePath(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (cause) {
    const reason = cause instanceof TypeError && !('syscall' in cause) ? 'it is not UTF-8' : reasonOf(cause);
    throw new UsageError(`--file: ${path} cannot be sent: ${reason}`, 'task');
  }
}

/**
 * Prints the result, or writes it to a file; with --json the answer of the node. Errors: CommandRefusal where there is none; UsageError
 * for a sealed one without a key.
 */
export async function showResult(context: CommandContext): Promise<ExitCode> {
  const { tasks, ownKey } = openClient(context);
  const result = await tasks.result(needed(context, 'id'));
  if (isSwitchOn(context, 'json')) {
    printAnswer(context, result);
    return EXIT.DONE;
  }
  if (result.result_content === '') throw new CommandRefusal('no_content', whyEmpty(result));
  if (result.result_encrypted && result.content_key === undefined && ownKey === undefined) {
    throw new UsageError(
      'the result is sealed: give the key file of its poster or worker with --key',
      'task',
    );
  }
  const text = await tasks.textOf(result);
  const output = optionText(context, 'output');
  if (output !== undefined) systemFiles.writeNew(parsePath(output), text, 0o600);
  else for (const line of plainLines(text)) context.io.out(line);
  return EXIT.DONE;
}

function whyEmpty({ status, result_hash: hash, result_uri: uri }: TaskResult): string {
  if (hash === undefined) return `nothing was delivered: the task is ${status}`;
  const place = uri === undefined ? '' : `, and the content is said to be at ${uri}`;
  return `a hash alone was delivered, ${hash}${place}`;
}

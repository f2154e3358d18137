// Results of tasks on the command line: what is delivered, and what is shown of it.
// Keeps: a result for a task that wants it encrypted leaves this machine sealed; what opens it leaves only with an answer to a
// dispute, or where that is asked for.

import { readFileSync } from 'node:fs';
import {
  type BodyOf,
  contentKey,
  openResult,
  sealResult,
  type Task,
  type VwsClient,
  VwsError,
} from '../client/index.ts';
import { parsePath } from '../config/setting-values.ts';
import { systemFiles } from '../world/system/files.ts';
import { type CommandContext, isSwitchOn, optionText } from './command.ts';
import { openClient, ownKeyPair, printAnswer } from './connection.ts';
import { EXIT, type ExitCode, UsageError } from './exit-code.ts';
import { reasonOf } from './fault-text.ts';
import { plainLines } from './output.ts';
import { needed } from './verbs.ts';

/** The body of a submission. Errors: UsageError without a result. */
export async function resultBody(
  context: CommandContext,
  client: VwsClient,
  task: Task,
): Promise<BodyOf<'taskSubmit'>> {
  const content = contentOf(context);
  const hash = optionText(context, 'hash');
  if (content === undefined && hash === undefined) {
    throw new UsageError('task submit needs --text, --file, or --hash', 'task');
  }
  const rest = {
    result_hash: hash,
    result_note: optionText(context, 'note'),
    result_uri: optionText(context, 'uri'),
  };
  if (task.delivery_method !== 'encrypted' || content === undefined)
    return { ...rest, result_content: content };
  const { public_key } = await client.agent(task.poster_id);
  const poster = Buffer.from(public_key ?? '', 'base64');
  return { ...rest, ...sealResult(await ownKeyPair(context), poster, task.id, content) };
}

/** What opens the delivery of a task that is sealed and closed: its content key, found with this key; else nothing. */
export async function openingBody(context: CommandContext, task: Task): Promise<{ content_key?: string }> {
  const { id, key_commitment, content_key, result_content } = task;
  if (key_commitment === undefined || content_key !== undefined) return {};
  return { content_key: contentKey(await ownKeyPair(context), id, result_content ?? '') };
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

/** Prints the result, or writes it to a file; with --json the answer of the node. */
export async function showResult(context: CommandContext): Promise<ExitCode> {
  const result = await openClient(context).tasks.result(needed(context, 'id'));
  if (isSwitchOn(context, 'json')) {
    printAnswer(context, result);
    return EXIT.DONE;
  }
  const { task_id, result_content, result_encrypted, opened_content } = result;
  const isClosed = result_encrypted && opened_content === undefined;
  const text = isClosed
    ? await decrypted(context, task_id, result_content)
    : (opened_content ?? result_content);
  const output = optionText(context, 'output');
  if (output !== undefined) systemFiles.writeNew(parsePath(output), text, 0o600);
  else for (const line of plainLines(text)) context.io.out(line);
  return EXIT.DONE;
}

async function decrypted(context: CommandContext, taskId: string, text: string): Promise<string> {
  try {
    return new TextDecoder().decode(openResult(await ownKeyPair(context), taskId, text));
  } catch (cause) {
    if (!(cause instanceof VwsError)) throw cause;
    const message = 'the result is encrypted, and not to this key, or was altered';
    throw new VwsError({ status: 0, code: 'bad_answer', message });
  }
}

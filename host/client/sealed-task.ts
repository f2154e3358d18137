// Deliveries of tasks that want them sealed (protocol 15.10): what a worker sends, how poster and worker read it, and what opens
// it in a dispute.
// Keeps: a text for such a task leaves this machine sealed; its content key leaves it only as what an opening is. What the node
// shows as opened is believed only if the key opens the box to it.

import { fromHex } from '../wire/bytes.ts';
import { keyCommitment, openBox } from '../wire/sealed-box.ts';
import { fromBase64, type OpeningKey } from '../wire/sealed-text.ts';
import type { BodyOf } from './bodies.ts';
import { type Calls, segment } from './calls.ts';
import type * as o from './objects.ts';
import { contentKey, openResult, sealResult } from './sealed.ts';
import { badCall, VwsError } from './vws-error.ts';

export type Sealing = Pick<Calls, 'get' | 'openingKey'>;

/** What opens a delivery: empty where nothing is to be opened. */
export interface Opening {
  content_key?: string;
}

/**
 * The body that delivers for a task: its result is sealed where the task wants that, and otherwise sent as it is. Errors: `bad_call`
 * without a key, or for a poster to whom nothing can be encrypted.
 */
export async function submissionOf(
  sealing: Sealing,
  task: Pick<o.Task, 'id' | 'poster_id' | 'delivery_method'>,
  body: BodyOf<'taskSubmit'>,
): Promise<BodyOf<'taskSubmit'>> {
  const { result_content: text } = body;
  if (task.delivery_method !== 'encrypted' || body.result_encrypted || typeof text !== 'string') return body;
  const own = await sealing.openingKey();
  return { ...body, ...sealResult(own, await posterKey(sealing, task.poster_id), task.id, text) };
}

/** The key to which a poster's deliveries are sealed. */
async function posterKey(sealing: Sealing, posterId: string): Promise<Uint8Array> {
  const { public_key } = await sealing.get<o.Agent>(`/v1/agents/${segment(posterId)}`);
  return fromBase64(public_key ?? '') ?? new Uint8Array();
}

const badAnswer = (message: string): VwsError => new VwsError({ status: 0, code: 'bad_answer', message });

const fits = (taskId: string, key: string, commitment: string | undefined): boolean => {
  const bytes = fromHex(key);
  return bytes !== undefined && keyCommitment(taskId, bytes) === commitment;
};

/**
 * What was delivered sealed, as its poster or worker reads it, and everybody after it was opened. Errors: `bad_answer` for what is sealed
 * to others, was altered, or is shown otherwise than its key opens it; `bad_call` without a key where one is needed.
 */
export async function textOf(sealing: Pick<Sealing, 'openingKey'>, result: o.TaskResult): Promise<string> {
  const { task_id: id, result_content: content, content_key, opened_content } = result;
  if (content_key !== undefined) return openedText(result, content_key, opened_content);
  return await closedText(await sealing.openingKey(), id, content);
}

function openedText(
  { task_id: id, key_commitment, result_content }: o.TaskResult,
  key: string,
  shown: string | undefined,
): string {
  const text = fits(id, key, key_commitment) ? openBox(id, fromHex(key)!, result_content) : undefined;
  if (text === undefined) throw badAnswer('the key by which the delivery was opened does not open it');
  if (shown !== undefined && shown !== text)
    throw badAnswer('the node shows another text than the key opens');
  return text;
}

function closedText(own: OpeningKey, id: string, content: string): string {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(openResult(own, id, content));
  } catch (cause) {
    if (!(cause instanceof VwsError)) throw cause;
    throw badAnswer('the result is encrypted, and not to this key, or was altered');
  }
}

/**
 * What opens the delivery of a task that is sealed and closed: its content key, found with this key; otherwise nothing. Errors:
 * `bad_call` where the box is not for this key, or holds another key than the one that was committed to, which opens nothing.
 */
export async function openingOf(
  sealing: Pick<Sealing, 'openingKey'>,
  task: Pick<o.Task, 'id' | 'key_commitment' | 'content_key' | 'result_content'>,
): Promise<Opening> {
  const { id, key_commitment, content_key, result_content = '' } = task;
  if (key_commitment === undefined || content_key !== undefined) return {};
  const key = contentKey(await sealing.openingKey(), id, result_content);
  if (!fits(id, key, key_commitment))
    throw badCall('the worker committed to another key than the one in the box: it opens nothing');
  return { content_key: key };
}

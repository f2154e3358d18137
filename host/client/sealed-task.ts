// Deliveries of tasks that want them sealed (protocol 15.10): what a worker sends, how poster and worker read it, and what opens
// it in a dispute.
// Keeps: a text for such a task leaves this machine sealed, to a key that does not rest on the node's word, nor, where the network is pinned, that
// it is such a task; its content key leaves it only as what an opening is. What the node
// shows as opened is believed only if the key opens the box to it.

import { fromHex, isHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';
import { keyCommitment, openBox } from '../wire/sealed-box.ts';
import type { OpeningKey } from '../wire/sealed-text.ts';
import type { BodyOf } from './bodies.ts';
import type { Calls } from './calls.ts';
import type { ProofTrust } from './checked-proofs.ts';
import type * as o from './objects.ts';
import { contentKey, openResult, sealResult } from './sealed.ts';
import { badAnswer, badCall, VwsError } from './vws-error.ts';

export type Sealing = Pick<Calls, 'openingKey' | 'verifyProof'>;

/** What opens a delivery: empty where nothing is to be opened. */
export interface Opening {
  content_key?: string;
}

/** By what the key of a poster is believed, to which a result is sealed. */
export interface SealTrust extends ProofTrust {
  /** The poster's Ed25519 key, 32 bytes, from elsewhere than the node. */
  posterKey?: Uint8Array | undefined;
}

/** What a task says of how it wants its result, and of whom it is for. */
type Wanted = Pick<o.Task, 'id' | 'poster_id' | 'delivery_method'>;

/**
 * The body that delivers for a task: its result is sealed where the task wants that, and otherwise sent as it is. Errors: `bad_call`
 * without a key, for a poster to whom nothing can be encrypted, or where the caller knows the poster's key and the node says that
 * nothing is to be sealed; `poster_unproven`.
 */
export async function submissionOf(
  sealing: Sealing,
  task: Wanted,
  body: BodyOf<'taskSubmit'>,
  trust: SealTrust,
): Promise<BodyOf<'taskSubmit'>> {
  const { result_content: text } = body;
  if (body.result_encrypted || typeof text !== 'string') return body;
  const { posterKey: given, genesisHash } = trust;
  const isSealed = task.delivery_method === 'encrypted';
  if (genesisHash !== undefined && !(given && isSealed)) await demandShown(sealing, task, genesisHash);
  else if (given && !isSealed)
    throw badCall(
      `nothing was sent: the node says that task ${task.id} wants its result public, so it would not be sealed to the poster's key`,
    );
  if (!isSealed) return body;
  const own = await sealing.openingKey();
  const readBy = given ?? (await posterKey(sealing, task.poster_id, genesisHash));
  return { ...body, ...sealResult(own, readBy, task.id, text) };
}

/**
 * The key to which a poster's deliveries are sealed. An id of 64 hex digits is the key (1.3), so no node is asked for it; the key
 * behind a name is proven under a root that the validators signed.
 */
const posterKey = async (
  sealing: Sealing,
  poster: string,
  genesisHash: string | undefined,
): Promise<Uint8Array> => fromHex64(poster) ?? (await keyBehind(sealing, poster, genesisHash));

const fromHex64 = (id: string): Uint8Array | undefined => (isHex(id, 64) ? fromHex(id) : undefined);

const unproven = (message: string, cause?: unknown): VwsError =>
  new VwsError({ status: 0, code: 'poster_unproven', message, cause });

async function proven(sealing: Sealing, kind: 'agent' | 'task', id: string, genesisHash: string | undefined) {
  try {
    return await sealing.verifyProof(kind, id, { genesisHash });
  } catch (cause) {
    if (cause instanceof LogFault)
      throw unproven(
        `nothing was sealed: the node's proof of ${kind} ${id} is a lie: ${cause.message}`,
        cause,
      );
    if (!(cause instanceof VwsError) || cause.status === 0) throw cause;
    throw unproven(`nothing was sealed: the node gives no proof of ${kind} ${id}: ${cause.message}`, cause);
  }
}

async function keyBehind(
  sealing: Sealing,
  name: string,
  genesisHash: string | undefined,
): Promise<Uint8Array> {
  const { rows } = await proven(sealing, 'agent', name, genesisHash);
  const key = rows?.account && fromHex64(rows.account.public_key ?? '');
  if (!key)
    throw unproven(
      `nothing was sealed: no signed checkpoint shows a key of the poster ${name} yet. Deliver again after the next one, or give the ` +
        'key if you know it',
    );
  return key;
}

/** Where the network is pinned, who the poster is, and that a result is public, are no word of the node's. */
async function demandShown(sealing: Sealing, shown: Wanted, genesisHash: string): Promise<void> {
  // Loaded by `verifyProof` too.
  const { partsOf } = await import('../proofs/proofs.ts');
  const { id } = shown;
  const parts = partsOf('task', await proven(sealing, 'task', id, genesisHash)) as
    | { text: { delivery_method: string }; state: { core: { poster_id: string } } }
    | undefined;
  if (!parts)
    throw unproven(
      `nothing was sealed: no signed checkpoint has task ${id} yet. Deliver again after the next one`,
    );
  const { poster_id } = parts.state.core;
  if (poster_id !== shown.poster_id)
    throw unproven(
      `nothing was sealed: the node names ${shown.poster_id} as the poster, who is ${poster_id}`,
    );
  const { delivery_method } = parts.text;
  if (delivery_method !== shown.delivery_method)
    throw unproven(
      `nothing was sent: the node says that the result is ${shown.delivery_method}, and the task wants it ${delivery_method}`,
    );
}

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
 * What opens the delivery of a task that is sealed: its content key, found with this key; otherwise nothing. It is the same after it was
 * opened, so that a call that is repeated makes the same request. Errors: `bad_call` where the box is not for this key, or holds another
 * key than the one that was committed to, which opens nothing.
 */
export async function openingOf(
  sealing: Pick<Sealing, 'openingKey'>,
  task: Pick<o.Task, 'id' | 'key_commitment' | 'result_content'>,
): Promise<Opening> {
  const { id, key_commitment, result_content = '' } = task;
  if (key_commitment === undefined) return {};
  const key = contentKey(await sealing.openingKey(), id, result_content);
  if (!fits(id, key, key_commitment))
    throw badCall('the worker committed to another key than the one in the box: it opens nothing');
  return { content_key: key };
}

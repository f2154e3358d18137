// What an agent sends encrypted: a result that only poster and worker of a task can read until a dispute opens it
// (wire/sealed-box.ts), and the secret of a webhook, which only the seat that will sign with it can read (wire/sealed-text.ts).
// It does not authenticate the author; the signature on the write that carries the text does.

import { toHex, utf8 } from '../wire/bytes.ts';
import {
  contentKeyOf,
  isSealedBox,
  keyCommitment,
  openBox,
  ownContentKey,
  sealBox,
} from '../wire/sealed-box.ts';
import {
  isSealed,
  MAX_HOOK_SECRET_BYTES,
  type OpeningKey,
  open,
  openingKey,
  seal,
  sealedBytes,
} from '../wire/sealed-text.ts';
import { badCall } from './vws-error.ts';

/** Whoever seals or opens: an Ed25519 seed of 32 bytes, or a key that computes X25519 by itself. */
export type Reader = Uint8Array | OpeningKey;

/** Members of a submission that delivers sealed. */
export interface SealedResult {
  result_content: string;
  result_encrypted: true;
  key_commitment: string;
}

const readerOf = (reader: Reader): OpeningKey => (reader instanceof Uint8Array ? openingKey(reader) : reader);

/**
 * Seals a result for the poster of a task and its worker (protocol 15.10); returns members for a submission. The content key
 * follows from the worker's key, the task and the text, so nothing has to be kept. `posterKey`: the poster's 32-byte Ed25519
 * public key. Errors: `bad_call` for a key that cannot be encrypted to.
 */
export function sealResult(
  worker: Reader,
  posterKey: Uint8Array,
  taskId: string,
  text: string,
): SealedResult {
  const own = readerOf(worker);
  const key = ownContentKey(taskId, own, text);
  const box = sealBox(taskId, key, { poster: posterKey, worker: own.publicKey }, text);
  if (box === undefined) throw badCall('the poster has no key to encrypt a result to');
  return { result_content: box, result_encrypted: true, key_commitment: keyCommitment(taskId, key) };
}

/**
 * The content key of a sealed result in hex, which opens it in a dispute. `reader`: its poster or its worker.
 * Errors: `bad_call` if it is not sealed to this key and task, or has no content key.
 */
export function contentKey(reader: Reader, taskId: string, box: string): string {
  const key = contentKeyOf(taskId, readerOf(reader), box);
  if (!key) throw badCall('the result has no content key for this key and task');
  return toHex(key);
}

/**
 * Decrypts a sealed result, or one of the older form vws-sealed-v1. `reader`: its poster or, of the newer form, its worker.
 * Errors: `bad_call` if the text has another form, was altered, or is encrypted to another key or task.
 */
export function openResult(reader: Reader, taskId: string, text: string): Uint8Array {
  const key = contentKeyOf(taskId, readerOf(reader), text);
  const opened = key && openBox(taskId, key, text);
  if (opened !== undefined) return utf8(opened);
  if (isSealedBox(text)) throw badCall('the result was altered, or is encrypted to another key or task');
  const bytes = sealedBytes('vws-sealed-v1', text);
  if (!bytes) throw badCall('this is not an encrypted result');
  try {
    return open('vws-sealed-v1', readerOf(reader), taskId, bytes);
  } catch (cause) {
    throw badCall('the result was altered, or is encrypted to another key or task', cause);
  }
}

/** True for what `sealWebhookSecret` returns. */
export const isSealedSecret = (secret: string): boolean => isSealed('vws-hook-v1', secret);

/**
 * Encrypts the secret of a webhook to the seat that will deliver; returns the `webhook_secret` of a capability.
 * `seatKey`: consensus key of the seat whose node takes the registration; `agentId`: the registering agent's agent_id;
 * `secret`: 1 to 39 bytes; `randomBytes`: from a CSPRNG. Errors: `bad_call` for another length, or for a key
 * that cannot be encrypted to.
 */
export function sealWebhookSecret(
  seatKey: Uint8Array,
  agentId: string,
  secret: Uint8Array | string,
  randomBytes: (n: number) => Uint8Array,
): string {
  const plain = typeof secret === 'string' ? utf8(secret) : secret;
  if (plain.length < 1 || plain.length > MAX_HOOK_SECRET_BYTES) {
    throw badCall(`an encrypted webhook secret has 1 to ${MAX_HOOK_SECRET_BYTES} bytes, not ${plain.length}`);
  }
  const text = seal('vws-hook-v1', seatKey, agentId, plain, randomBytes);
  if (text === undefined) throw badCall('the seat has no key to encrypt a secret to');
  return text;
}

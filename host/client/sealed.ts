// What an agent sends encrypted (wire/sealed-text.ts): a result that only the poster of a task can read (protocol 4.4),
// and the secret of a webhook, which only the seat that will sign with it can read.
// Encrypting needs only the recipient's public key, so it also works with keys in hardware. It does not authenticate
// the author; the signature on the write that carries the text does.

import { utf8 } from '../wire/bytes.ts';
import { MAX_HOOK_SECRET_BYTES, open, openingKey, seal, sealedBytes } from '../wire/sealed-text.ts';
import { badCall } from './vws-error.ts';

/**
 * Encrypts a result to the poster; returns the `result_content` of a submission with `result_encrypted`.
 * `posterKey`: the poster's 32-byte Ed25519 public key; `randomBytes`: from a CSPRNG. A text of n bytes takes about
 * 4/3 n + 78 characters. Errors: `bad_call` for a key that cannot be encrypted to.
 */
export function sealResult(
  posterKey: Uint8Array,
  taskId: string,
  content: Uint8Array | string,
  randomBytes: (n: number) => Uint8Array,
): string {
  const text = seal('vws-sealed-v1', posterKey, taskId, content, randomBytes);
  if (text === undefined) throw badCall('the poster has no key to encrypt a result to');
  return text;
}

/**
 * Decrypts what `sealResult` made. `seed`: the poster's 32-byte seed.
 * Errors: `bad_call` if the text has another form, was altered, or is encrypted to another key or task.
 */
export function openResult(seed: Uint8Array, taskId: string, text: string): Uint8Array {
  const bytes = sealedBytes('vws-sealed-v1', text);
  if (!bytes) throw badCall('this is not an encrypted result');
  try {
    return open('vws-sealed-v1', openingKey(seed), taskId, bytes);
  } catch (cause) {
    throw badCall('the result was altered, or is encrypted to another key or task', cause);
  }
}

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

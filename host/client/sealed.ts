// What an agent sends sealed (wire/sealed-text.ts): a result that only the poster of a task can read (SPEC, delivery methods),
// and the secret of a webhook, which only the seat that will sign with it can.
// Sealing needs the other's public key and nothing from the agent, so it also serves keys kept in hardware. It does not say
// who wrote a text; the signature on the write that carries it does.

import { utf8 } from '../wire/bytes.ts';
import { open, openingKey, seal, sealedBytes } from '../wire/sealed-text.ts';
import { badCall } from './vws-error.ts';

/** What fits: the field takes 128 bytes, of which 12 are the prefix and 116 the base64 of 32 + 39 + 16 bytes. */
const SECRET_MOST = 39;

/**
 * Seals a result to the poster: what it returns is the `result_content` of a submission with `result_encrypted`.
 * `posterKey`: the poster's 32-byte Ed25519 public key; `randomBytes`: from a CSPRNG. A text of n bytes takes about
 * 4/3 n + 78 characters. Errors: `bad_call` for a key that can hold no secret.
 */
export function sealResult(
  posterKey: Uint8Array,
  taskId: string,
  content: Uint8Array | string,
  randomBytes: (n: number) => Uint8Array,
): string {
  const text = seal('vws-sealed-v1', posterKey, taskId, content, randomBytes);
  if (text === undefined) throw badCall('the poster has no key that a result can be sealed to');
  return text;
}

/**
 * Opens what `sealResult` made. `seed`: the poster's 32-byte seed.
 * Errors: `bad_call` when the text has another form, was altered, or is sealed to another key or task.
 */
export function openResult(seed: Uint8Array, taskId: string, text: string): Uint8Array {
  const bytes = sealedBytes('vws-sealed-v1', text);
  if (!bytes) throw badCall('this is no sealed result');
  try {
    return open('vws-sealed-v1', openingKey(seed), taskId, bytes);
  } catch (cause) {
    throw badCall('the result was altered, or is sealed to another key or task', cause);
  }
}

/**
 * Seals the secret of a webhook to the seat that will deliver: what it returns is the `webhook_secret` of a capability.
 * `seatKey`: consensus key of the seat whose node takes the registration; `agentId`: the registering agent's agent_id;
 * `secret`: 1 to 39 bytes; `randomBytes`: from a CSPRNG. Errors: `bad_call` for another length, or for a key that can
 * hold no secret.
 */
export function sealWebhookSecret(
  seatKey: Uint8Array,
  agentId: string,
  secret: Uint8Array | string,
  randomBytes: (n: number) => Uint8Array,
): string {
  const plain = typeof secret === 'string' ? utf8(secret) : secret;
  if (plain.length < 1 || plain.length > SECRET_MOST) {
    throw badCall(`a webhook secret that is sealed has 1 to ${SECRET_MOST} bytes, not ${plain.length}`);
  }
  const text = seal('vws-hook-v1', seatKey, agentId, plain, randomBytes);
  if (text === undefined) throw badCall('the seat has no key that a secret can be sealed to');
  return text;
}

// Encrypted delivery: a result that only the poster of a task can read (SPEC, delivery methods).
// Sealing needs the poster's Ed25519 public key and nothing from the worker, so it also serves keys kept in hardware.
// Keeps: every text has a fresh key pair, so key and nonce are never used twice; a text is bound to its task, one copied
// to another task does not open. It does not say who wrote it; the worker's signature on the submission does.
//
// X25519 over the Montgomery form of the Ed25519 key (RFC 7748), HKDF-SHA-256 (RFC 5869), ChaCha20-Poly1305 (RFC 8439):
//   key[32] ‖ nonce[12] = HKDF(secret: X25519(own, other), salt: ephemeral key[32] ‖ recipient's Ed25519 key[32],
//                              info: "VWS-SEALED-V1:" ‖ task id)
//   text = "vws-sealed-v1:" ‖ base64(ephemeral key[32] ‖ ciphertext ‖ tag[16])

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, utf8 } from '../wire/bytes.ts';
import { isAcceptableKey } from '../wire/public-key.ts';
import { VwsError } from './vws-error.ts';

const PREFIX = 'vws-sealed-v1:';
const KEY_BYTES = 32;
const TAG_BYTES = 16;

const bad = (message: string): VwsError => new VwsError({ status: 0, code: 'bad_call', message });

function cipher(secret: Uint8Array, ephemeral: Uint8Array, recipient: Uint8Array, taskId: string) {
  const info = utf8(`VWS-SEALED-V1:${taskId}`);
  const material = hkdf(sha256, secret, concat(ephemeral, recipient), info, KEY_BYTES + 12);
  return chacha20poly1305(material.subarray(0, KEY_BYTES), material.subarray(KEY_BYTES));
}

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
  if (posterKey.length !== KEY_BYTES || !isAcceptableKey(posterKey)) {
    throw bad('the poster has no key that a result can be sealed to');
  }
  const own = randomBytes(KEY_BYTES);
  const ephemeral = x25519.getPublicKey(own);
  const secret = x25519.getSharedSecret(own, ed25519.utils.toMontgomery(posterKey));
  const plain = typeof content === 'string' ? utf8(content) : content;
  const sealed = cipher(secret, ephemeral, posterKey, taskId).encrypt(plain);
  return PREFIX + toBase64(concat(ephemeral, sealed));
}

/**
 * Opens what `sealResult` made. `seed`: the poster's 32-byte seed.
 * Errors: `bad_call` when the text has another form, was altered, or is sealed to another key or task.
 */
export function openResult(seed: Uint8Array, taskId: string, text: string): Uint8Array {
  const bytes = text.startsWith(PREFIX) ? fromBase64(text.slice(PREFIX.length)) : undefined;
  if (!bytes || bytes.length < KEY_BYTES + TAG_BYTES) throw bad('this is no sealed result');
  const ephemeral = bytes.subarray(0, KEY_BYTES);
  try {
    const secret = x25519.getSharedSecret(ed25519.utils.toMontgomerySecret(seed), ephemeral);
    return cipher(secret, ephemeral, ed25519.getPublicKey(seed), taskId).decrypt(bytes.subarray(KEY_BYTES));
  } catch (cause) {
    const message = 'the result was altered, or is sealed to another key or task';
    throw new VwsError({ status: 0, code: 'bad_call', message, cause });
  }
}

// In steps, since a call takes only so many arguments.
const CHUNK = 8192;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}

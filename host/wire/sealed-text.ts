// Texts that only the holder of one Ed25519 key can read, made with that key's public half and nothing of the sender's.
// Keeps: every text has a fresh key pair, so key and nonce are never used twice; a text is bound to its kind and to what it
// is about, so one copied elsewhere does not open. It does not say who wrote it.
//
// X25519 over the Montgomery form of the Ed25519 key (RFC 7748), HKDF-SHA-256 (RFC 5869), ChaCha20-Poly1305 (RFC 8439):
//   key[32] ‖ nonce[12] = HKDF(secret: X25519(own, other), salt: ephemeral key[32] ‖ recipient's Ed25519 key[32],
//                              info: kind in capitals ‖ ":" ‖ id of what it is about)
//   text = kind ‖ ":" ‖ base64(ephemeral key[32] ‖ ciphertext ‖ tag[16])

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, utf8 } from './bytes.ts';
import { isAcceptableKey } from './public-key.ts';

/** A result for the poster of a task, about the task's id; the secret of a webhook for a seat, about the agent's id. */
export type SealedKind = 'vws-sealed-v1' | 'vws-hook-v1';

/** A key that texts are sealed to, as its holder has it. */
export interface OpeningKey {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** X25519 of its Montgomery form with another key. Throws when the other is of small order. */
  sharedSecret(other: Uint8Array): Uint8Array;
}

const KEY_BYTES = 32;
const TAG_BYTES = 16;

/** `seed`: 32 bytes (RFC 8032 private key). */
export function openingKey(seed: Uint8Array): OpeningKey {
  return { publicKey: ed25519.getPublicKey(seed), sharedSecret: (other) => sharedSecret(seed, other) };
}

/** X25519 of the Montgomery form of an Ed25519 seed's key with another key. Throws when the other is of small order. */
export function sharedSecret(seed: Uint8Array, other: Uint8Array): Uint8Array {
  return x25519.getSharedSecret(ed25519.utils.toMontgomerySecret(seed), other);
}

function cipher(kind: SealedKind, secret: Uint8Array, ephemeral: Uint8Array, to: Uint8Array, about: string) {
  const info = utf8(`${kind.toUpperCase()}:${about}`);
  const material = hkdf(sha256, secret, concat(ephemeral, to), info, KEY_BYTES + 12);
  return chacha20poly1305(material.subarray(0, KEY_BYTES), material.subarray(KEY_BYTES));
}

/**
 * Seals to a 32-byte Ed25519 public key; undefined for one that can hold no secret. `randomBytes`: from a CSPRNG.
 * n bytes take about 4/3 n + 64 characters and the kind.
 */
export function seal(
  kind: SealedKind,
  to: Uint8Array,
  about: string,
  content: Uint8Array | string,
  randomBytes: (n: number) => Uint8Array,
): string | undefined {
  if (!isAcceptableKey(to)) return undefined;
  const own = randomBytes(KEY_BYTES);
  const ephemeral = x25519.getPublicKey(own);
  const secret = x25519.getSharedSecret(own, ed25519.utils.toMontgomery(to));
  const plain = typeof content === 'string' ? utf8(content) : content;
  const sealed = cipher(kind, secret, ephemeral, to, about).encrypt(plain);
  return `${kind}:${toBase64(concat(ephemeral, sealed))}`;
}

/** Does a text say that it is sealed. */
export const isSealed = (kind: SealedKind, text: string): boolean => text.startsWith(`${kind}:`);

/** What `open` takes, out of a text; undefined when it has another form. */
export function sealedBytes(kind: SealedKind, text: string): Uint8Array | undefined {
  const bytes = isSealed(kind, text) ? fromBase64(text.slice(kind.length + 1)) : undefined;
  return bytes && bytes.length >= KEY_BYTES + TAG_BYTES ? bytes : undefined;
}

/** Throws when the bytes were altered, or are sealed to another key or about something else. */
export function open(kind: SealedKind, key: OpeningKey, about: string, bytes: Uint8Array): Uint8Array {
  const ephemeral = bytes.subarray(0, KEY_BYTES);
  const secret = key.sharedSecret(ephemeral);
  return cipher(kind, secret, ephemeral, key.publicKey, about).decrypt(bytes.subarray(KEY_BYTES));
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

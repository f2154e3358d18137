// Texts encrypted to an Ed25519 public key, so that only its holder can read them; the sender needs no key.
// Keeps: every text has a fresh key pair, so key and nonce are never used twice. A text is bound to its kind and to the
// id of its subject, so a copy used elsewhere does not decrypt. It does not prove who wrote it.
//
// X25519 over the Montgomery form of the Ed25519 key (RFC 7748), HKDF-SHA-256 (RFC 5869), ChaCha20-Poly1305 (RFC 8439):
//   key[32] ‖ nonce[12] = HKDF(secret: X25519(own, other), salt: ephemeral key[32] ‖ recipient's Ed25519 key[32],
//                              info: kind in capitals ‖ ":" ‖ id of its subject)
//   text = kind ‖ ":" ‖ base64(ephemeral key[32] ‖ ciphertext ‖ tag[16])

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, utf8 } from './bytes.ts';
import { isAcceptableKey } from './public-key.ts';

/** A result for a task's poster, bound to the task's id; a webhook secret for a seat, bound to the agent's id. */
type SealedKind = 'vws-sealed-v1' | 'vws-hook-v1';

/** The private side of a key that texts are encrypted to. */
export interface OpeningKey {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** X25519 of this key's Montgomery form and another key. Throws when the other is of small order. */
  sharedSecret(other: Uint8Array): Uint8Array;
}

/** The field of a webhook secret takes 128 bytes: 12 of prefix and 116 of base64 for 32 + 39 + 16 bytes. */
export const MAX_HOOK_SECRET_BYTES = 39;

const KEY_BYTES = 32;
const TAG_BYTES = 16;

/** `seed`: 32 bytes (RFC 8032 private key). */
export function openingKey(seed: Uint8Array): OpeningKey {
  return { publicKey: ed25519.getPublicKey(seed), sharedSecret: (other) => sharedSecret(seed, other) };
}

/** X25519 of the Montgomery form of an Ed25519 seed and another key. Throws when the other is of small order. */
export function sharedSecret(seed: Uint8Array, other: Uint8Array): Uint8Array {
  return x25519.getSharedSecret(ed25519.utils.toMontgomerySecret(seed), other);
}

function cipher(kind: SealedKind, secret: Uint8Array, ephemeral: Uint8Array, to: Uint8Array, about: string) {
  const info = utf8(`${kind.toUpperCase()}:${about}`);
  const material = hkdf(sha256, secret, concat(ephemeral, to), info, KEY_BYTES + 12);
  return chacha20poly1305(material.subarray(0, KEY_BYTES), material.subarray(KEY_BYTES));
}

/**
 * Encrypts to a 32-byte Ed25519 public key; undefined for an unacceptable key. `randomBytes`: from a CSPRNG.
 * The result of n bytes has about 4/3 n + 64 characters plus the kind.
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

/** True when a text claims to be encrypted. */
export const isSealed = (kind: SealedKind, text: string): boolean => text.startsWith(`${kind}:`);

/** The bytes for `open` from a text; undefined when the form is wrong. */
export function sealedBytes(kind: SealedKind, text: string): Uint8Array | undefined {
  const bytes = isSealed(kind, text) ? fromBase64(text.slice(kind.length + 1)) : undefined;
  return bytes && bytes.length >= KEY_BYTES + TAG_BYTES ? bytes : undefined;
}

/** Decrypts. Throws when the bytes were altered, or belong to another key or subject. */
export function open(kind: SealedKind, key: OpeningKey, about: string, bytes: Uint8Array): Uint8Array {
  const ephemeral = bytes.subarray(0, KEY_BYTES);
  const secret = key.sharedSecret(ephemeral);
  return cipher(kind, secret, ephemeral, key.publicKey, about).decrypt(bytes.subarray(KEY_BYTES));
}

// In chunks, since the number of arguments of a call is limited.
const CHUNK = 8192;

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}

// Sealed deliveries (protocol 15.10): a text that two parties can read, and that anybody can make anew who is given its key.
// Keeps: everything random in a box follows from its content key, so the key and the text give the box, byte for byte. A box
// is bound to its task: a copy in another one does not open. A content key is used once.
//
// X25519 over the Montgomery form of Ed25519 keys (RFC 7748), HKDF-SHA-256 without salt unless named (RFC 5869),
// ChaCha20-Poly1305 (RFC 8439); `about` is "VWS-SEALED-V2:" ‖ the task's id in hex:
//   content key[32]      = any; of a worker that keeps nothing: HKDF(secret: X25519(own, own), info: about ‖ ":key:" ‖ SHA-256 of
//                          the text in hex)
//   commitment           = SHA-256("VWS-CONTENT-KEY-V2" ‖ task id[16] ‖ content key[32])
//   ephemeral secret[32] = HKDF(secret: content key, info: about ‖ ":ephemeral")
//   wrap(reader)[48]     = ChaCha20-Poly1305 of the content key, with key[32] ‖ nonce[12] = HKDF(secret: X25519(ephemeral secret,
//                          reader), salt: ephemeral key[32] ‖ reader's Ed25519 key[32], info: about ‖ ":wrap")
//   content[n + 16]      = ChaCha20-Poly1305 of the text, with key[32] ‖ nonce[12] = HKDF(secret: content key, info: about ‖ ":content")
//   box                  = "vws-sealed-v2:" ‖ base64(ephemeral key[32] ‖ wrap(poster) ‖ wrap(worker) ‖ content)

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { concat, equalBytes, fromHex, toHex, utf8 } from './bytes.ts';
import { sha256, sha256Hex } from './hash.ts';
import { isAcceptableKey } from './public-key.ts';
import { fromBase64, type OpeningKey, toBase64 } from './sealed-text.ts';

const PREFIX = 'vws-sealed-v2:';
const COMMITMENT_TAG = utf8('VWS-CONTENT-KEY-V2');
export const CONTENT_KEY_BYTES = 32;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const WRAP_BYTES = CONTENT_KEY_BYTES + TAG_BYTES;
const CONTENT_AT = KEY_BYTES + 2 * WRAP_BYTES;

/** Who can read a box: their 32-byte Ed25519 public keys. */
export interface Readers {
  poster: Uint8Array;
  worker: Uint8Array;
}

const about = (taskId: string, part: string): Uint8Array =>
  utf8(`VWS-SEALED-V2:${taskId.toLowerCase()}:${part}`);

function cipher(secret: Uint8Array, salt: Uint8Array | undefined, info: Uint8Array) {
  const material = hkdf(sha256Of, secret, salt, info, KEY_BYTES + NONCE_BYTES);
  return chacha20poly1305(material.subarray(0, KEY_BYTES), material.subarray(KEY_BYTES));
}

const contentCipher = (taskId: string, key: Uint8Array) => cipher(key, undefined, about(taskId, 'content'));

const wrapCipher = (taskId: string, secret: Uint8Array, ephemeral: Uint8Array, reader: Uint8Array) =>
  cipher(secret, concat(ephemeral, reader), about(taskId, 'wrap'));

/** What a submission commits to, in hex. `taskId`: 32 hex digits. */
export const keyCommitment = (taskId: string, key: Uint8Array): string =>
  toHex(sha256(COMMITMENT_TAG, fromHex(taskId)!, key));

/** The bytes of a box; undefined when the text has another form. */
function boxBytes(text: string): Uint8Array | undefined {
  const bytes = text.startsWith(PREFIX) ? fromBase64(text.slice(PREFIX.length)) : undefined;
  if (!bytes || bytes.length < CONTENT_AT + TAG_BYTES) return undefined;
  // One box has one text.
  return toBase64(bytes) === text.slice(PREFIX.length) ? bytes : undefined;
}

/** True for a text that has the form of a box; whether it opens is seen by its key only. */
export const isSealedBox = (text: string): boolean => boxBytes(text) !== undefined;

/**
 * The box of a text under a content key; undefined for a reader's key that cannot be encrypted to. `key`: 32 bytes from a
 * CSPRNG, never used for another text. A text of n bytes takes about 4/3 n + 208 characters.
 */
export function sealBox(taskId: string, key: Uint8Array, readers: Readers, text: string): string | undefined {
  if (!isAcceptableKey(readers.poster) || !isAcceptableKey(readers.worker)) return undefined;
  const own = hkdf(sha256Of, key, undefined, about(taskId, 'ephemeral'), KEY_BYTES);
  const ephemeral = x25519.getPublicKey(own);
  const wrap = (reader: Uint8Array): Uint8Array => {
    const secret = x25519.getSharedSecret(own, ed25519.utils.toMontgomery(reader));
    return wrapCipher(taskId, secret, ephemeral, reader).encrypt(key);
  };
  const content = contentCipher(taskId, key).encrypt(utf8(text));
  return PREFIX + toBase64(concat(ephemeral, wrap(readers.poster), wrap(readers.worker), content));
}

/**
 * The content key of a worker that keeps nothing: the same for the same task and text, so a delivery that is sent again is
 * the same, and another one for every other text.
 */
export function ownContentKey(taskId: string, own: OpeningKey, text: string): Uint8Array {
  const secret = own.sharedSecret(ed25519.utils.toMontgomery(own.publicKey));
  return hkdf(sha256Of, secret, undefined, about(taskId, `key:${sha256Hex(utf8(text))}`), CONTENT_KEY_BYTES);
}

/** The text of a box under its content key; undefined if it does not open by it, or holds no UTF-8. */
export function openBox(taskId: string, key: Uint8Array, box: string): string | undefined {
  const bytes = boxBytes(box);
  if (!bytes) return undefined;
  try {
    const plain = contentCipher(taskId, key).decrypt(bytes.subarray(CONTENT_AT));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    return undefined;
  }
}

/** The text of a box, if it is the one that the key makes for these readers; otherwise undefined. */
export function remakeBox(
  taskId: string,
  key: Uint8Array,
  readers: Readers,
  box: string,
): string | undefined {
  const text = openBox(taskId, key, box);
  return text !== undefined && sealBox(taskId, key, readers, text) === box ? text : undefined;
}

/** The content key of a box, as one of its readers finds it; undefined for anybody else, and for a box of another form. */
export function contentKeyOf(taskId: string, reader: OpeningKey, box: string): Uint8Array | undefined {
  const bytes = boxBytes(box);
  if (!bytes) return undefined;
  const ephemeral = bytes.subarray(0, KEY_BYTES);
  for (let at = KEY_BYTES; at < CONTENT_AT; at += WRAP_BYTES) {
    try {
      const secret = reader.sharedSecret(ephemeral);
      const key = wrapCipher(taskId, secret, ephemeral, reader.publicKey).decrypt(
        bytes.subarray(at, at + WRAP_BYTES),
      );
      const own = hkdf(sha256Of, key, undefined, about(taskId, 'ephemeral'), KEY_BYTES);
      if (equalBytes(x25519.getPublicKey(own), ephemeral)) return key;
    } catch {
      // The other reader's.
    }
  }
  return undefined;
}

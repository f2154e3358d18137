// A seed under a passphrase, as key files hold it: scrypt and AES-256-GCM (protocol 12.4).
// Keeps: the public key is bound as additional data and compared with the decrypted seed, so an altered file never yields
// another identity.

import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';
import { fromHex, isLowerHex, toHex } from '../wire/bytes.ts';
import { randomBytes } from '../world/system/random.ts';
import { KeyFileError } from './key-file.ts';
import { type KeyPair, keyPairFromSeed } from './key-pair.ts';

const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 256 * 32_768 * 8 } as const;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_BYTES = 32 + TAG_BYTES;

const CONSTANTS = {
  version: 1,
  kdf: 'scrypt',
  n: SCRYPT.N,
  r: SCRYPT.r,
  p: SCRYPT.p,
  cipher: CIPHER,
} as const;

function stretch(passphrase: string, salt: Uint8Array): Uint8Array {
  return scryptSync(Buffer.from(passphrase, 'utf8'), salt, KEY_BYTES, SCRYPT);
}

function encrypt(seed: Uint8Array, publicKey: Uint8Array, key: Uint8Array, nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(publicKey);
  return Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
}

/** The text of the file for a seed, whose key pair `pair` is. */
export function sealSeed(seed: Uint8Array, pair: KeyPair, passphrase: string): string {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const ciphertext = encrypt(seed, pair.publicKey, stretch(passphrase, salt), nonce);
  const { version, kdf, n, r, p, cipher } = CONSTANTS;
  const file = {
    version,
    public_key: pair.publicKeyHex,
    kdf,
    n,
    r,
    p,
    salt: toHex(salt),
    cipher,
    nonce: toHex(nonce),
    ciphertext: toHex(ciphertext),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** A hex member of `bytes` bytes. */
export function hexMember(
  file: Record<string, unknown>,
  name: string,
  bytes: number,
  path: string,
): Uint8Array {
  const value = file[name];
  if (typeof value !== 'string' || !isLowerHex(value, 2 * bytes)) {
    throw new KeyFileError(`key file ${path}: ${name} must be ${2 * bytes} lower-case hex characters`);
  }
  return fromHex(value)!;
}

/**
 * The key pair in a file that was read. Errors: KeyFileError for a malformed or altered file and for a wrong passphrase;
 * the last two are indistinguishable.
 */
export function openSealedSeed(file: Record<string, unknown>, passphrase: string, path: string): KeyPair {
  for (const [name, value] of Object.entries(CONSTANTS)) {
    if (file[name] !== value) throw new KeyFileError(`key file ${path}: ${name} must be ${value}`);
  }
  const publicKey = hexMember(file, 'public_key', KEY_BYTES, path);
  const salt = hexMember(file, 'salt', SALT_BYTES, path);
  const nonce = hexMember(file, 'nonce', NONCE_BYTES, path);
  const sealed = hexMember(file, 'ciphertext', SEALED_BYTES, path);
  let pair: KeyPair;
  try {
    const decipher = createDecipheriv(CIPHER, stretch(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(publicKey).setAuthTag(sealed.subarray(-TAG_BYTES));
    const seed = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    pair = keyPairFromSeed(seed);
    seed.fill(0);
  } catch (cause) {
    throw new KeyFileError(`key file ${path}: wrong passphrase or altered file`, { cause });
  }
  if (pair.publicKeyHex !== toHex(publicKey)) {
    throw new KeyFileError(`key file ${path}: the seed belongs to another public key`);
  }
  return pair;
}

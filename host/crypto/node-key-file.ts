// The node's key file, `<data>/node_keys/identity.json` (protocol 12.4): the seed under scrypt and
// AES-256-GCM.
// Keeps: the public key is bound as additional data and compared with the decrypted seed, so an
// altered file never yields another identity; an existing file is never overwritten.

import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';
import { join } from 'node:path';
import { fromHex, isLowerHex, toHex } from '../wire/bytes.ts';
import { systemFiles } from '../world/system/files.ts';
import { randomBytes } from '../world/system/random.ts';
import { KeyFileError, makePrivateDirectory, readJsonFile, writeNewFile } from './key-file.ts';
import type { KeyPair } from './key-pair.ts';
import { generateSeed, keyPairFromSeed } from './key-pair.ts';
import { markUnused } from './unused-key.ts';

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

export interface PassphraseRule {
  /** Only `--no-auth` allows an empty passphrase. */
  allowEmpty?: boolean;
}

export function nodeKeyPath(dataDirectory: string): string {
  return join(dataDirectory, 'node_keys', 'identity.json');
}

export function hasNodeKeyFile(dataDirectory: string): boolean {
  return systemFiles.exists(nodeKeyPath(dataDirectory));
}

function checkPassphrase(passphrase: string, rule: PassphraseRule): void {
  if (passphrase === '' && !rule.allowEmpty) throw new KeyFileError('the passphrase must not be empty');
}

function stretch(passphrase: string, salt: Uint8Array): Uint8Array {
  return scryptSync(Buffer.from(passphrase, 'utf8'), salt, KEY_BYTES, SCRYPT);
}

function seal(seed: Uint8Array, publicKey: Uint8Array, key: Uint8Array, nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(publicKey);
  return Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Makes a key and its file (0600; missing directories 0700). `seed`: 32 bytes, default random.
 * Errors: KeyFileError when the file exists or the passphrase is empty.
 */
export function createNodeKeyFile(
  dataDirectory: string,
  passphrase: string,
  rule: PassphraseRule = {},
  seed = generateSeed(),
): KeyPair {
  checkPassphrase(passphrase, rule);
  const path = nodeKeyPath(dataDirectory);
  if (systemFiles.exists(path)) throw new KeyFileError(`${path} exists and is not overwritten`);
  makePrivateDirectory(dataDirectory);
  makePrivateDirectory(join(dataDirectory, 'node_keys'));
  const pair = keyPairFromSeed(seed);
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const ciphertext = seal(seed, pair.publicKey, stretch(passphrase, salt), nonce);
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
  // Before the key file: a key without this mark counts as used.
  markUnused(systemFiles, dataDirectory, pair.publicKeyHex);
  writeNewFile(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
  return pair;
}

/** A hex member of `bytes` bytes. */
function hexMember(file: Record<string, unknown>, name: string, bytes: number, path: string): Uint8Array {
  const value = file[name];
  if (typeof value !== 'string' || !isLowerHex(value, 2 * bytes)) {
    throw new KeyFileError(`key file ${path}: ${name} must be ${2 * bytes} lower-case hex characters`);
  }
  return fromHex(value)!;
}

/**
 * The node's key pair. Errors: KeyFileError for a missing, malformed or altered file and for a wrong
 * passphrase; the last two are indistinguishable.
 */
export function readNodeKeyFile(
  dataDirectory: string,
  passphrase: string,
  rule: PassphraseRule = {},
): KeyPair {
  checkPassphrase(passphrase, rule);
  const path = nodeKeyPath(dataDirectory);
  const file = readJsonFile(path);
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

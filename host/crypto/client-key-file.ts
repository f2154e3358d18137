// Key files of agents and of the command line (protocol 12.5): the seed, mode 0600, beside the public key in `<path>.pub`.
// The seed is plain, or under a passphrase in the form of the node's key file.
// Keeps: neither file is ever overwritten; a seed and a public key that do not match are refused; a passphrase is asked for
// only when something is signed.

import { fromHex, isLowerHex, toHex } from '../wire/bytes.ts';
import { systemFiles } from '../world/system/files.ts';
import { KeyFileError, readJsonFile, writeNewFile } from './key-file.ts';
import type { KeyPair } from './key-pair.ts';
import { generateSeed, keyPairFromSeed, SEED_BYTES } from './key-pair.ts';
import { hexMember, openSealedSeed, sealSeed } from './sealed-seed.ts';

/**
 * Writes `<path>` and `<path>.pub`. `seed`: 32 bytes, default random. Without a passphrase it is stored in plain. Errors:
 * KeyFileError when one exists.
 */
export function createClientKeyFile(path: string, seed = generateSeed(), passphrase?: string): KeyPair {
  const publicPath = `${path}.pub`;
  for (const name of [path, publicPath]) {
    if (systemFiles.exists(name)) throw new KeyFileError(`${name} exists and is not overwritten`);
  }
  const pair = keyPairFromSeed(seed);
  const plain = { seed: toHex(seed), public_key: pair.publicKeyHex };
  const text = passphrase === undefined ? `${JSON.stringify(plain)}\n` : sealSeed(seed, pair, passphrase);
  writeNewFile(path, text, 0o600);
  writeNewFile(publicPath, `${pair.publicKeyHex}\n`, 0o644);
  return pair;
}

/**
 * Makes the files where there are none. Undefined: they are there, or another process has just made them. Errors:
 * KeyFileError where the public key is there and the key is not: another key would be another agent.
 */
export function ensureClientKeyFile(path: string): KeyPair | undefined {
  if (systemFiles.exists(path)) return undefined;
  try {
    return createClientKeyFile(path);
  } catch (error) {
    if (systemFiles.exists(path)) return undefined;
    if (!systemFiles.exists(`${path}.pub`)) throw error;
    throw new KeyFileError(
      `key file ${path} is missing, but ${path}.pub is there: put it back from its copy, or give another path for a new agent`,
    );
  }
}

/** The key pair in a plain client key file. Errors: KeyFileError when missing, malformed, encrypted or inconsistent. */
export function readClientKeyFile(path: string): KeyPair {
  const file = readJsonFile(path);
  if (isEncrypted(file)) throw new KeyFileError(`key file ${path} is encrypted: a passphrase is needed`);
  return plainPair(file, path);
}

/** Signs with a key that may have to be opened first. */
export interface ClientKey {
  readonly publicKey: Uint8Array;
  readonly publicKeyHex: string;
  /** 64 bytes. Errors: KeyFileError. */
  sign(message: Uint8Array): Promise<Uint8Array>;
  /** The whole key pair. Errors: KeyFileError. */
  open(): Promise<KeyPair>;
}

/**
 * The signer of a client key file. `passphrase`: asked for when an encrypted one first signs; undefined: there is none.
 * Errors: KeyFileError, also from `sign`.
 */
export function clientSigner(path: string, passphrase: () => Promise<string | undefined>): ClientKey {
  const file = readJsonFile(path);
  if (!isEncrypted(file)) {
    const pair = plainPair(file, path);
    const { publicKey, publicKeyHex } = pair;
    return { publicKey, publicKeyHex, sign: async (message) => pair.sign(message), open: async () => pair };
  }
  const publicKey = hexMember(file, 'public_key', SEED_BYTES, path);
  let opening: Promise<KeyPair> | undefined;
  const open = (): Promise<KeyPair> => {
    opening ??= passphrase().then((text) => {
      if (text !== undefined) return openSealedSeed(file, text, path);
      throw new KeyFileError(`key file ${path} is encrypted: give --key-passphrase-file`);
    });
    return opening;
  };
  return {
    publicKey,
    publicKeyHex: toHex(publicKey),
    sign: async (message) => (await open()).sign(message),
    open,
  };
}

const isEncrypted = (file: Record<string, unknown>): boolean => 'ciphertext' in file;

function plainPair({ seed, public_key: publicKey }: Record<string, unknown>, path: string): KeyPair {
  if (typeof seed !== 'string' || !isLowerHex(seed, 2 * SEED_BYTES)) {
    throw new KeyFileError(`key file ${path}: seed must be ${2 * SEED_BYTES} lower-case hex characters`);
  }
  const pair = keyPairFromSeed(fromHex(seed)!);
  if (pair.publicKeyHex !== publicKey) {
    throw new KeyFileError(`key file ${path}: public_key does not belong to the seed`);
  }
  return pair;
}

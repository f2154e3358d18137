// Key files of agents and of the command line (protocol 12.5): the plain seed, mode 0600, beside the public key in
// `<path>.pub`. Keeps: neither file is ever overwritten; a seed and a public key that do not match are refused.

import { fromHex, isLowerHex, toHex } from '../wire/bytes.ts';
import { systemFiles } from '../world/system/files.ts';
import { KeyFileError, readJsonFile, writeNewFile } from './key-file.ts';
import type { KeyPair } from './key-pair.ts';
import { generateSeed, keyPairFromSeed, SEED_BYTES } from './key-pair.ts';

/**
 * Writes `<path>` and `<path>.pub`. `seed`: 32 bytes, default random. Errors: KeyFileError when one
 * exists.
 */
export function createClientKeyFile(path: string, seed = generateSeed()): KeyPair {
  const publicPath = `${path}.pub`;
  for (const name of [path, publicPath]) {
    if (systemFiles.exists(name)) throw new KeyFileError(`${name} exists and is not overwritten`);
  }
  const pair = keyPairFromSeed(seed);
  const file = { seed: toHex(seed), public_key: pair.publicKeyHex };
  writeNewFile(path, `${JSON.stringify(file)}\n`, 0o600);
  writeNewFile(publicPath, `${pair.publicKeyHex}\n`, 0o644);
  return pair;
}

/** The key pair in a client key file. Errors: KeyFileError when missing, malformed or inconsistent. */
export function readClientKeyFile(path: string): KeyPair {
  const { seed, public_key: publicKey } = readJsonFile(path);
  if (typeof seed !== 'string' || !isLowerHex(seed, 2 * SEED_BYTES)) {
    throw new KeyFileError(`key file ${path}: seed must be ${2 * SEED_BYTES} lower-case hex characters`);
  }
  const pair = keyPairFromSeed(fromHex(seed)!);
  if (pair.publicKeyHex !== publicKey) {
    throw new KeyFileError(`key file ${path}: public_key does not belong to the seed`);
  }
  return pair;
}

// The node's key file, `<data>/node_keys/identity.json` (protocol 12.4): the seed under a passphrase.
// Keeps: an existing file is never overwritten.

import { join } from 'node:path';
import { systemFiles } from '../world/system/files.ts';
import { KeyFileError, makePrivateDirectory, readJsonFile, writeNewFile } from './key-file.ts';
import type { KeyPair } from './key-pair.ts';
import { generateSeed, keyPairFromSeed } from './key-pair.ts';
import { openSealedSeed, sealSeed } from './sealed-seed.ts';
import { markUnused } from './unused-key.ts';

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

/** Names a key that is in a token (token-key.ts). */
export function tokenKeyPath(dataDirectory: string): string {
  return join(dataDirectory, 'node_keys', 'token.json');
}

export function hasTokenKeyFile(dataDirectory: string): boolean {
  return systemFiles.exists(tokenKeyPath(dataDirectory));
}

function checkPassphrase(passphrase: string, rule: PassphraseRule): void {
  if (passphrase === '' && !rule.allowEmpty) throw new KeyFileError('the passphrase must not be empty');
}

/**
 * Makes a key and its file (0600; missing directories 0700). `seed`: 32 bytes, default random.
 * Errors: KeyFileError when the directory has a key or the passphrase is empty.
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
  if (hasTokenKeyFile(dataDirectory))
    throw new KeyFileError(
      `the key of this directory is in a token (${tokenKeyPath(dataDirectory)}): vws signer opens it, and SERVICE_SIGNER names that to the node`,
    );
  makePrivateDirectory(dataDirectory);
  makePrivateDirectory(join(dataDirectory, 'node_keys'));
  const pair = keyPairFromSeed(seed);
  const text = sealSeed(seed, pair, passphrase);
  // Before the key file: a key without this mark counts as used.
  markUnused(systemFiles, dataDirectory, pair.publicKeyHex);
  writeNewFile(path, text, 0o600);
  return pair;
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
  return openSealedSeed(readJsonFile(path), passphrase, path);
}

// A node's key in a token (PKCS#11): `<data>/node_keys/token.json` says which key of which token it is (protocol 12.4).
// Keeps: no secret is in the file, and none is ever in this process; a token that holds another key than the file names, or
// that signs otherwise than RFC 8032 says, is refused at the start.

import { join } from 'node:path';
import { toHex } from '../wire/bytes.ts';
import { vertexId, vertexSigningBytes } from '../wire/vertex.ts';
import { systemFiles } from '../world/system/files.ts';
import { isSignedBy } from '../world/system/one-signature.ts';
import { Token } from '../world/system/pkcs11.ts';
import { randomBytes } from '../world/system/random.ts';
import { TokenError } from '../world/token.ts';
import { KeyFileError, makePrivateDirectory, readJsonFile, writeNewFile } from './key-file.ts';
import type { SigningKey } from './key-pair.ts';
import { hasNodeKeyFile, hasTokenKeyFile, nodeKeyPath, tokenKeyPath } from './node-key-file.ts';
import { markUnused } from './unused-key.ts';

const FORMAT = 1;
const ID_BYTES = 16;
/** What the key is called in the token, for people who look into it. */
const LABEL = 'vws';

/** Where a key is. */
export interface TokenPlace {
  /** Path of the PKCS#11 module. */
  module: string;
  /** Label of the token. */
  token: string;
}

interface TokenFile extends TokenPlace {
  key_id: string;
  public_key: string;
}

export interface TokenKey extends SigningKey {
  close(): void;
}

/** Errors: KeyFileError for what is no file of this kind. */
export function readTokenKeyFile(dataDirectory: string): TokenFile {
  const path = tokenKeyPath(dataDirectory);
  const { format, module, token, key_id, public_key } = readJsonFile(path);
  const isHex = (value: unknown, bytes: number): value is string =>
    typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]+$/.test(value);
  if (
    format !== FORMAT ||
    typeof module !== 'string' ||
    typeof token !== 'string' ||
    !isHex(key_id, ID_BYTES) ||
    !isHex(public_key, 32)
  )
    throw new KeyFileError(`${path} is altered: put a copy of the file back`);
  return { module, token, key_id, public_key };
}

function opened({ module, token }: TokenPlace, pin: string): Token {
  try {
    return Token.open(module, token, Buffer.from(pin));
  } catch (error) {
    throw asKeyFault(error);
  }
}

const asKeyFault = (error: unknown): unknown =>
  error instanceof TokenError ? new KeyFileError(error.message, { cause: error }) : error;

/**
 * Makes a key in a token, and the file that names it. Returns the public key, 32 bytes.
 * Errors: KeyFileError when the directory names a key already, and for the token and its PIN.
 */
export function createTokenKey(dataDirectory: string, place: TokenPlace, pin: string): Uint8Array {
  const path = tokenKeyPath(dataDirectory);
  if (hasNodeKeyFile(dataDirectory))
    throw new KeyFileError(`${nodeKeyPath(dataDirectory)} exists: this directory has a key`);
  if (hasTokenKeyFile(dataDirectory)) throw new KeyFileError(`${path} exists and is not overwritten`);
  const token = opened(place, pin);
  try {
    makePrivateDirectory(dataDirectory);
    makePrivateDirectory(join(dataDirectory, 'node_keys'));
    const id = randomBytes(ID_BYTES);
    const publicKey = token.makeKey(id, LABEL);
    const publicKeyHex = toHex(publicKey);
    // Before the file: a key without this mark counts as used.
    markUnused(systemFiles, dataDirectory, publicKeyHex);
    const members = { format: FORMAT, ...place, key_id: toHex(id), public_key: publicKeyHex };
    writeNewFile(path, `${JSON.stringify(members, null, 2)}\n`, 0o600);
    return publicKey;
  } catch (error) {
    throw asKeyFault(error);
  } finally {
    token.close();
  }
}

/**
 * The key that the file names. Errors: KeyFileError for file, token and PIN, now; TokenError, of a signature later.
 */
export function openTokenKey(dataDirectory: string, pin: string): TokenKey {
  const file = readTokenKeyFile(dataDirectory);
  const id = Uint8Array.from(Buffer.from(file.key_id, 'hex'));
  const token = opened(file, pin);
  const sign = (message: Uint8Array): Uint8Array => token.sign(id, message);
  try {
    const publicKey = token.publicKey(id);
    if (toHex(publicKey) !== file.public_key)
      throw new KeyFileError(
        `token ${file.token} holds another key than ${tokenKeyPath(dataDirectory)} names`,
      );
    if (!isGood(publicKey, sign))
      throw new KeyFileError(`token ${file.token} makes signatures that are not good`);
    return {
      publicKey,
      publicKeyHex: file.public_key,
      sign,
      signVertex: (header) => sign(vertexSigningBytes(vertexId(header))),
      close: () => token.close(),
    };
  } catch (error) {
    token.close();
    throw asKeyFault(error);
  }
}

/** Whether a signature verifies, and comes out the same twice. */
function isGood(key: Uint8Array, sign: (message: Uint8Array) => Uint8Array): boolean {
  const message = randomBytes(64);
  const signature = sign(message);
  return isSignedBy(key, message, signature) && Buffer.compare(signature, sign(message)) === 0;
}

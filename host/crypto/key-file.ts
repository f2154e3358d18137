// What key files have in common: their error, and writing a file that is complete or absent and
// replaces nothing.

import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { toHex } from '../wire/bytes.ts';
import { randomBytes } from '../world/random.ts';

/** A key file or its passphrase is at fault: exit code 3 (DECISIONS 12.1). */
export class KeyFileError extends Error {
  override name = 'KeyFileError';
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Gives `from` the name `to` unless that exists; file systems without hard links get an exclusive
 * copy.
 */
function nameExclusively(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'].includes(codeOf(error) ?? '')) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/**
 * Writes `text` to a new file: to a temporary name first, synced, then named, so that a crash leaves
 * the whole file or none. Errors: KeyFileError when `path` exists; whatever the file system says.
 */
export function writeNewFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.${toHex(randomBytes(6))}.tmp`;
  const file = openSync(temporary, 'wx', mode);
  try {
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    nameExclusively(temporary, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new KeyFileError(`${path} exists and is not overwritten`);
    throw error;
  } finally {
    unlinkSync(temporary);
  }
  const directory = openSync(dirname(path), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/** Makes a directory and its missing parents with mode 0700; leaves existing ones as they are. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** The JSON object in a key file. Errors: KeyFileError when unreadable or no JSON object. */
export function readJsonFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const why = codeOf(cause) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(cause)})`;
    throw new KeyFileError(`key file ${path} ${why}`, { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined; // the parser's message could quote the seed
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new KeyFileError(`key file ${path} is not a JSON object`);
  }
  return value as Record<string, unknown>;
}

// Common to all key files: their error, and writing a new file completely or not at all.

import { systemFiles } from '../world/system/files.ts';

/** A key file or its passphrase is at fault: exit code 3 (protocol 12.1). */
export class KeyFileError extends Error {
  override name = 'KeyFileError';
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Writes `text` to a new file, so that a crash leaves the whole file or none. Errors: KeyFileError when `path` exists or has
 * no folder; errors of the file system.
 */
export function writeNewFile(path: string, text: string, mode: number): void {
  try {
    systemFiles.writeNew(path, text, mode);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new KeyFileError(`${path} exists and is not overwritten`);
    // The system's own words name a file beside it that nobody asked for.
    if (codeOf(error) === 'ENOENT') throw new KeyFileError(`${path}: its folder does not exist`);
    throw error;
  }
}

/** Makes a directory and its missing parents with mode 0700; does not change existing ones. */
export function makePrivateDirectory(path: string): void {
  systemFiles.makeDirectory(path);
}

/** The JSON object in a key file. Errors: KeyFileError when it is unreadable or not a JSON object. */
export function readJsonFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = systemFiles.readText(path);
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

// A mark in a node's data directory: its key was made here and has never signed a vertex. It distinguishes a store that is
// new together with its key from one that was lost (consensus 5.12).
// Keeps: it contains the public key, and lies outside the folder of the keys, which people copy; once removed it stays
// removed, also after a power cut.

import { join } from 'node:path';
import type { Files } from '../world/files.ts';

const markPath = (dataDirectory: string): string => join(dataDirectory, 'key_unused');

/** Marks a key that was just made as unused. */
export function markUnused(
  files: Pick<Files, 'writeText'>,
  dataDirectory: string,
  publicKeyHex: string,
): void {
  files.writeText(markPath(dataDirectory), `${publicKeyHex}\n`);
}

export function isMarkedUnused(files: Files, dataDirectory: string, publicKeyHex: string): boolean {
  const path = markPath(dataDirectory);
  return files.exists(path) && files.readText(path).trim() === publicKeyHex;
}

/** Removes the mark; to be called before the key signs anything. */
export function clearUnused(files: Files, dataDirectory: string): void {
  const path = markPath(dataDirectory);
  if (files.exists(path)) files.remove(path);
}

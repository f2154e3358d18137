// A mark beside the data of a node: its key was made here and has never signed a vertex. It tells a store that is new
// together with its key from one that was lost (consensus 5.12).
// Keeps: it names the key it speaks of, and lies outside the folder of the keys, which is what people copy away; once
// taken it is gone for good, also after a power cut.

import { join } from 'node:path';
import type { Files } from '../world/files.ts';

const markPath = (dataDirectory: string): string => join(dataDirectory, 'key_unused');

/** Says of a key that was just made that nothing is signed with it. */
export function markUnused(files: Files, dataDirectory: string, publicKeyHex: string): void {
  files.writeText(markPath(dataDirectory), `${publicKeyHex}\n`);
}

export function isMarkedUnused(files: Files, dataDirectory: string, publicKeyHex: string): boolean {
  const path = markPath(dataDirectory);
  return files.exists(path) && files.readText(path).trim() === publicKeyHex;
}

/** From now on the key counts as used; before it signs anything. */
export function clearUnused(files: Files, dataDirectory: string): void {
  const path = markPath(dataDirectory);
  if (files.exists(path)) files.remove(path);
}

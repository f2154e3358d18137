// A mark beside the data of a node: its key was made here and has never signed a vertex. It tells a store that is new
// together with its key from one that was lost (CONSENSUS 5.12).
// Keeps: it names the key it speaks of, and lies outside the folder of the keys, which is what people copy away; once
// taken it is gone for good, also after a power cut.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const markPath = (dataDirectory: string): string => join(dataDirectory, 'key_unused');

/** Says of a key that was just made that nothing is signed with it. */
export function markUnused(dataDirectory: string, publicKeyHex: string): void {
  writeFileSync(markPath(dataDirectory), `${publicKeyHex}\n`, { mode: 0o600 });
}

export function isMarkedUnused(dataDirectory: string, publicKeyHex: string): boolean {
  const path = markPath(dataDirectory);
  return existsSync(path) && readFileSync(path, 'utf8').trim() === publicKeyHex;
}

/** From now on the key counts as used; before it signs anything. */
export function clearUnused(dataDirectory: string): void {
  if (!existsSync(markPath(dataDirectory))) return;
  unlinkSync(markPath(dataDirectory));
  const directory = openSync(dataDirectory, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

// A note in the data directory of the format of its store, for who must not open the engine: vws doctor.
// Keeps: the store itself has the format that counts; a note that is missing or behind misleads nobody who starts a node.

import { join } from 'node:path';
import type { Files } from '../world/files.ts';

const notePath = (dataDir: string): string => join(dataDir, 'store_format');

/** The store has this format now. */
export async function noteFormat(files: Files, dataDir: string, format: number): Promise<void> {
  if (readFormat(files, dataDir) !== format) await files.replace(notePath(dataDir), `${format}\n`);
}

/** Undefined without a note. */
export function readFormat(files: Files, dataDir: string): number | undefined {
  const path = notePath(dataDir);
  const text = files.exists(path) ? files.readText(path).trim() : '';
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

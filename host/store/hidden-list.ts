// The list of contents that one node does not show: a file of its data directory, written by vws content and read by the
// node (protocol 12.12).
// Keeps: what this code does not write it does not read; hiding changes no row, no state, and nothing of the log.

import { join } from 'node:path';
import type { Files } from '../world/files.ts';

export const hiddenPath = (dataDir: string): string => join(dataDir, 'hidden_content.json');

const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

/** Hashes of hidden contents; none without a file. Errors: a file of another form. */
export function readHidden(files: Pick<Files, 'exists' | 'readText'>, path: string): string[] {
  if (!files.exists(path)) return [];
  const { hidden } = JSON.parse(files.readText(path)) as { hidden?: unknown };
  if (!Array.isArray(hidden) || !hidden.every(isHash))
    throw new Error(`${path} is no list of hidden contents`);
  return hidden;
}

export const hiddenText = (hashes: Iterable<string>): string =>
  `${JSON.stringify({ hidden: [...new Set(hashes)].sort() })}\n`;

// One place of one file, changed on purpose.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Change {
  /** In the folder of the project. */
  file: string;
  from: string;
  to: string;
}

/** The text of the file, changed. Errors: the place is not there exactly once, so no change goes stale unseen. */
export function changedText(folder: string, { file, from, to }: Change): string {
  const text = readFileSync(join(folder, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain "${from}" exactly once`);
  return text.replace(from, () => to);
}

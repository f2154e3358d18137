// A directory with those above it, for the user of the process alone.
// Not by Node's `recursive`: where a file system lets nobody make directories, as below /proc, it tries for ever.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MODE = 0o700;

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** Makes what is missing; one that is there is left as it is. Errors: those of the system, ENOTDIR for a file of that name. */
export function makeDirectory(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    const above = dirname(path);
    if (codeOf(error) !== 'ENOENT' || above === path) throw error;
    makeDirectory(above);
    makeOne(path);
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: MODE });
  } catch (error) {
    // A root that nobody may write to answers otherwise than EEXIST.
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) return;
    // EEXIST would read as if a file were to be made.
    throw there && codeOf(error) === 'EEXIST' ? Object.assign(error as Error, { code: 'ENOTDIR' }) : error;
  }
}

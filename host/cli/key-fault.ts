// Key files and the file system: errors as what they are to the user, a key file problem, and rights that let others in.

import { statSync } from 'node:fs';
import { KeyFileError } from '../crypto/key-file.ts';
import { faultText } from './fault-text.ts';
import type { Io } from './io.ts';

/** Runs `work`; a file-system error (no such directory, no permission) becomes a KeyFileError. */
export function withKeyFaults<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isFileFault = error instanceof Error && 'syscall' in error;
    throw isFileFault ? new KeyFileError(faultText(error), { cause: error }) : error;
  }
}

/** Of group and others. */
const OTHERS = 0o077;

/** May other users read a key file, as one that was copied or unpacked. A missing file is reported by its reader. */
export function isOpenToOthers(path: string): boolean {
  // Windows has no such rights, and shows any file as open.
  if (process.platform === 'win32') return false;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) !== 0;
}

/** Says so of the key file of a client. */
export function warnOfOpenKey(path: string, io: Pick<Io, 'err'>): void {
  if (isOpenToOthers(path)) io.err(`warning: other users may open the key file ${path}: chmod 600 ${path}`);
}

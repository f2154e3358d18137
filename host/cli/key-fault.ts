// File-system faults around key files, told as what they are to the user: a key file problem.

import { KeyFileError } from '../crypto/key-file.ts';

/** Runs `work`; a refusal of the file system (no such directory, no permission) becomes a KeyFileError. */
export function withKeyFaults<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isFileFault = error instanceof Error && 'syscall' in error;
    throw isFileFault ? new KeyFileError(error.message, { cause: error }) : error;
  }
}

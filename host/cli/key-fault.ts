// Reports file-system errors around key files as what they are to the user: a key file problem.

import { KeyFileError } from '../crypto/key-file.ts';

/** Runs `work`; a file-system error (no such directory, no permission) becomes a KeyFileError. */
export function withKeyFaults<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isFileFault = error instanceof Error && 'syscall' in error;
    throw isFileFault ? new KeyFileError(error.message, { cause: error }) : error;
  }
}

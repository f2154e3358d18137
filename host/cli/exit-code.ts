// Exit codes of the command line, and which error leads to which (protocol 12.1).
// Keeps: one table; a command never calls process.exit and never chooses its own number.

import { VwsError } from '../client/index.ts';
import { ConfigError } from '../config/config.ts';
import { KeyFileError } from '../crypto/key-file.ts';
import { ManifestError } from '../wire/manifest.ts';
import { ParamError } from '../wire/params.ts';

export const EXIT = {
  /** Done; for verify also: the verdict counts, the event is still pending. */
  DONE: 0,
  /** The server answered 4xx or 5xx, the node could not start or failed, or an internal error. */
  FAILED: 1,
  /** Usage or configuration. */
  USAGE: 2,
  /** Key file or passphrase. */
  KEY: 3,
  /** Manifest unreadable or invalid, or this node is not in it. */
  MANIFEST: 4,
  /** No node answers at the address. */
  UNREACHABLE: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The line that `vws help` prints for each code. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.DONE, 'done (verify: also when the event stays pending)'],
  [EXIT.FAILED, 'the server refused, the node failed, or an internal error'],
  [EXIT.USAGE, 'usage or configuration error'],
  [EXIT.KEY, 'key file or passphrase problem'],
  [EXIT.MANIFEST, 'manifest unreadable or invalid, or validator not in manifest'],
  [EXIT.UNREACHABLE, 'node not reachable'],
];

/** A command line that cannot be executed as typed. `command` selects the help in the hint. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly command?: string,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}

export interface Failure {
  exit: ExitCode;
  /** Shown in brackets after the text: the server's code, or one of the words below. */
  code: string;
  text: string;
}

/** The exit code and text for an error. Unknown errors are internal ones and keep their message. */
export function failureOf(error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof VwsError) {
    const isNoAnswer = error.code === 'unreachable';
    return { exit: isNoAnswer ? EXIT.UNREACHABLE : EXIT.FAILED, code: error.code, text };
  }
  if (error instanceof UsageError) return { exit: EXIT.USAGE, code: 'usage', text };
  if (error instanceof ConfigError) return { exit: EXIT.USAGE, code: 'config', text };
  if (error instanceof ParamError) return { exit: EXIT.USAGE, code: 'params', text };
  if (error instanceof KeyFileError) return { exit: EXIT.KEY, code: 'key_file', text };
  if (error instanceof ManifestError) return { exit: EXIT.MANIFEST, code: 'manifest', text };
  return { exit: EXIT.FAILED, code: 'failed', text };
}

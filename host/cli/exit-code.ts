// Exit codes of the command line, and which error leads to which (protocol 12.1).
// Keeps: one table; a command never calls process.exit and never chooses its own number.

import { VwsError } from '../client/index.ts';
import { ConfigError } from '../config/config.ts';
import { didYouMean } from '../config/nearest-name.ts';
import { KeyFileError } from '../crypto/key-file.ts';
import { ProgramFault } from '../programs/fault.ts';
import { ManifestError } from '../wire/manifest.ts';
import { ParamError } from '../wire/params.ts';
import type { CommandGroup } from './command.ts';
import { faultText } from './fault-text.ts';
import { hintOf } from './hints.ts';

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
  /** audit: what `vws/verify` calls by the same names (protocol 12.1); `checked` is DONE. */
  PROVEN: 6,
  AS_THE_NODE_SAYS: 7,
  NOT_COMPARABLE: 8,
  FINDING: 9,
  LIE: 10,
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
  [EXIT.PROVEN, 'audit: signed by a quorum, not computed from the first vertex on'],
  [EXIT.AS_THE_NODE_SAYS, 'audit, proof: an answer is as the node says, and nothing else confirms it'],
  [EXIT.NOT_COMPARABLE, 'audit, proof: an answer could not be compared'],
  [EXIT.FINDING, 'audit, snapshot verify: no lie, but old, incomplete or badly anchored'],
  [EXIT.LIE, 'audit: the node contradicts itself, the signatures or the rules'],
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

interface RefusalParts {
  hint?: string;
  /** Of the write that was sent before. */
  txid?: string;
}

/** A command that refuses by itself, before or instead of the node. */
export class CommandRefusal extends Error {
  constructor(
    readonly code: 'outcome_open' | 'executed_before' | 'nothing_open' | 'already_committed' | 'no_content',
    message: string,
    readonly parts: RefusalParts = {},
  ) {
    super(message);
    this.name = 'CommandRefusal';
  }
}

/** The error for a command that does not exist. */
export function unknownCommand(name: string, groups: readonly CommandGroup[]): UsageError {
  const known = groups.flatMap((group) => group.commands.map((command) => command.name));
  return new UsageError(`unknown command "${name}"${didYouMean(name, known)}`);
}

export interface Failure {
  exit: ExitCode;
  /** Shown in brackets after the text: the server's code, or one of the words below. */
  code: string;
  text: string;
  /** As the server sent them. */
  details?: Record<string, unknown> | undefined;
  /** Of a signed write. */
  txid?: string | undefined;
  /** Whether the write may still run. */
  isOpen?: boolean;
  /** Seconds until the same command can pass, where the server said so. */
  retryAfterSecs?: number | undefined;
  /** What usually mends it. */
  hint?: string | undefined;
}

/** The exit code and text for an error. Unknown errors are internal ones and keep their message. */
export function failureOf(error: unknown): Failure {
  const text = faultText(error);
  if (error instanceof VwsError) {
    const isNoAnswer = error.code === 'unreachable';
    return {
      exit: isNoAnswer ? EXIT.UNREACHABLE : EXIT.FAILED,
      code: error.code,
      text,
      details: error.details,
      txid: error.txid,
      isOpen: error.request !== undefined,
      retryAfterSecs: error.retryAfterSecs,
      hint: hintOf(error),
    };
  }
  if (error instanceof CommandRefusal) {
    const { parts } = error;
    return { exit: EXIT.FAILED, code: error.code, text, isOpen: parts.txid !== undefined, ...parts };
  }
  if (error instanceof UsageError) return { exit: EXIT.USAGE, code: 'usage', text };
  if (error instanceof ConfigError) return { exit: EXIT.USAGE, code: 'config', text };
  if (error instanceof ParamError) return { exit: EXIT.USAGE, code: 'params', text };
  if (error instanceof KeyFileError) return { exit: EXIT.KEY, code: 'key_file', text };
  if (error instanceof ProgramFault) return { exit: EXIT.FAILED, code: 'program', text };
  if (error instanceof ManifestError) return { exit: EXIT.MANIFEST, code: 'manifest', text };
  return { exit: EXIT.FAILED, code: 'failed', text, hint: hintOf(error) };
}

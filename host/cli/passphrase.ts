// The sources of passphrases: for the node key file, variable, terminal, in this order; for the key of an agent file or
// terminal.
// Keeps: one line break at the end of a passphrase file is not part of the passphrase, everything else is; without any
// source there is no passphrase, never an empty one by accident.

import { readFileSync } from 'node:fs';
import { loadPassphraseSettings } from '../config/config.ts';
import { KeyFileError } from '../crypto/key-file.ts';
import type { CommandContext } from './command.ts';
import { reasonOf } from './fault-text.ts';

/** The content of a passphrase file without one final LF or CRLF. Errors: KeyFileError. */
export function readPassphraseFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new KeyFileError(`passphrase file ${path} cannot be read: ${reasonOf(cause)}`);
  }
}

/**
 * The passphrase, or undefined without a source. `isNew`: the terminal prompts twice.
 * Errors: KeyFileError (unreadable file, nothing entered, the two entries differ).
 */
export async function findPassphrase(
  context: CommandContext,
  { isNew }: { isNew: boolean },
): Promise<string | undefined> {
  const { file, passphrase } = loadPassphraseSettings(context);
  if (file !== undefined) return readPassphraseFile(file);
  if (passphrase !== undefined) return passphrase;
  return await askFor(context, 'the node key', isNew);
}

/** As findPassphrase, for the key file of an agent. `file`: from its setting. */
export async function keyPassphrase(
  context: CommandContext,
  file: string | undefined,
  { isNew }: { isNew: boolean },
): Promise<string | undefined> {
  return file === undefined ? await askFor(context, 'the key file', isNew) : readPassphraseFile(file);
}

async function askFor(context: CommandContext, what: string, isNew: boolean): Promise<string | undefined> {
  if (!context.io.isTerminal) return undefined;
  const first = await ask(context, `${isNew ? 'New passphrase' : 'Passphrase'} of ${what}: `);
  if (isNew && (await ask(context, 'Repeat the passphrase: ')) !== first) {
    throw new KeyFileError('the two passphrases differ');
  }
  return first;
}

async function ask(context: CommandContext, question: string): Promise<string> {
  try {
    return await context.io.askSecret(question);
  } catch (cause) {
    throw new KeyFileError(reasonOf(cause));
  }
}

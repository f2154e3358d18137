// Parses the words of a command line into the flags of a command.
// Keeps: strict; an unknown flag, a missing value, an unexpected word or a missing required flag is a UsageError before
// the command runs.

import { parseArgs } from 'node:util';
import type { Flags } from '../config/config.ts';
import { type Setting, settingsOf } from '../config/settings.ts';
import type { Command } from './command.ts';
import { UsageError } from './exit-code.ts';
import { parseFault } from './parse-fault.ts';

interface ParsedCommandLine {
  flags: Flags;
  words: readonly string[];
  isHelpRequested: boolean;
}

type ParseOption = { type: 'string' | 'boolean'; multiple?: boolean; short?: string };

/** The flags of `command` in `args` (the words after its name). Errors: UsageError. */
export function parseCommandLine(command: Command, args: readonly string[]): ParsedCommandLine {
  const parsed = parseStrictly(command, args);
  const isHelpRequested = parsed.flags.help === true;
  if (!isHelpRequested) checkRequired(command, parsed.flags);
  return { ...parsed, isHelpRequested };
}

/** Rows of the settings table that a command takes as flags. */
function settingFlags(command: Command): readonly Setting[] {
  return command.settings ? settingsOf(command.settings).filter((row) => row.flag !== undefined) : [];
}

function parseStrictly(command: Command, args: readonly string[]): { flags: Flags; words: string[] } {
  const options: Record<string, ParseOption> = { help: { type: 'boolean', short: 'h' } };
  for (const option of command.options) {
    options[option.name] = {
      type: option.value === undefined ? 'boolean' : 'string',
      multiple: option.isRepeatable === true,
    };
  }
  for (const row of settingFlags(command)) {
    const isList = row.kind === 'addresses' || row.kind === 'list';
    options[row.flag as string] = { type: row.kind === 'switch' ? 'boolean' : 'string', multiple: isList };
  }
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      strict: true,
      allowPositionals: command.words !== undefined,
    });
    if (positionals.length > 1) throw new UsageError(`unexpected word "${positionals[1]}"`, command.name);
    return { flags: values as Flags, words: positionals };
  } catch (error) {
    const fault = parseFault(error);
    if (fault === undefined) throw error;
    throw new UsageError(fault, command.name);
  }
}

function checkRequired(command: Command, flags: Flags): void {
  for (const option of command.options) {
    const value = flags[option.name];
    if (option.isRequired && (value === undefined || value === '')) {
      throw new UsageError(`${command.name} needs --${option.name} <${option.value}>`, command.name);
    }
  }
}

// Parses the words of a command line into the flags of a command.
// Keeps: strict; an unknown flag, a missing value, an unexpected word or a missing required flag is a UsageError before
// the command runs.

import { parseArgs } from 'node:util';
import type { Flags } from '../config/config.ts';
import { didYouMean } from '../config/nearest-name.ts';
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
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      strict: true,
      tokens: true,
      allowPositionals: true,
    });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = names.find((name, i) => !options[name]?.multiple && names.indexOf(name) < i);
    if (twice !== undefined) throw new UsageError(`--${twice} is given twice`, command.name);
    const extra = positionals[command.words === undefined ? 0 : (command.maxWords ?? 1)];
    if (extra !== undefined)
      throw new UsageError(`unexpected word "${extra}"${insteadOf(command)}`, command.name);
    return { flags: values as Flags, words: positionals };
  } catch (error) {
    const fault = parseFault(error);
    if (fault === undefined) throw error;
    const [, flag] = /^unknown option '--([^']+)'$/.exec(fault) ?? [];
    const meant = flag === undefined ? '' : didYouMean(flag, Object.keys(options), (name) => `--${name}`);
    throw new UsageError(`${fault}${meant}`, command.name);
  }
}

/** What a command without words takes: whoever typed one meant the value of a flag. */
function insteadOf({ name, words, options }: Command): string {
  if (words !== undefined) return '';
  const flag = options.find(({ value }) => value !== undefined);
  const such = flag === undefined ? '' : `, such as --${flag.name} <${flag.value}>`;
  return `: ${name} takes flags only${such}`;
}

function checkRequired(command: Command, flags: Flags): void {
  for (const option of command.options) {
    const value = flags[option.name];
    if (option.isRequired && (value === undefined || value === '')) {
      throw new UsageError(`${command.name} needs --${option.name} <${option.value}>`, command.name);
    }
  }
}

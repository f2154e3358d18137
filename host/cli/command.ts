// What a command is: its name, its help, its flags, and what it does.
// Keeps: every flag a command takes is declared here or in the settings table, so that parsing and
// `--help` come from one place.

import type { Environment, Flags } from '../config/config.ts';
import type { SettingUse } from '../config/settings.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import type { StartNode } from './node-process.ts';

export interface CommandOption {
  /** Without dashes. */
  name: string;
  /** Placeholder of its value in help; absent: the flag is a switch. */
  value?: string;
  help: string;
  isRequired?: boolean;
  /** May be given several times. */
  isRepeatable?: boolean;
}

export interface CommandContext {
  io: Io;
  env: Environment;
  flags: Flags;
  /** Words that are no flags; empty unless the command declares `words`. */
  words: readonly string[];
  /** The composition root, handed in so that only `start` and `try` load it. */
  startNode: StartNode;
}

export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Paragraphs for the command's own help. */
  about: string;
  options: readonly CommandOption[];
  /** Rows of the settings table this command takes. */
  settings?: SettingUse;
  /** Placeholder of the one optional word it takes. */
  words?: string;
  examples: readonly string[];
  run(context: CommandContext): Promise<ExitCode>;
}

/** The text of an option that may be absent. */
export function optionText(context: CommandContext, name: string): string | undefined {
  const value = context.flags[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** All texts of a repeatable option. */
export function optionTexts(context: CommandContext, name: string): readonly string[] {
  const value = context.flags[name];
  if (typeof value === 'string') return [value];
  return typeof value === 'object' ? value : [];
}

export const isSwitchOn = (context: CommandContext, name: string): boolean => context.flags[name] === true;

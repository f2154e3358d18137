// A command of the CLI: its name, its help, its flags, and its action.
// Keeps: every flag of a command is declared here or in the settings table, which parsing and `--help` share.

import type { Environment, Flags } from '../config/config.ts';
import type { FileSettings } from '../config/config-file.ts';
import type { SettingName, SettingUse } from '../config/settings.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import type { StartNode } from './running-node.ts';

export interface CommandOption {
  /** Without dashes. */
  name: string;
  /** Placeholder of its value in help; absent for a switch. */
  value?: string;
  help: string;
  isRequired?: boolean;
  /** May be repeated. */
  isRepeatable?: boolean;
}

export interface CommandContext {
  io: Io;
  env: Environment;
  flags: Flags;
  /** The configuration file, for commands of a node that were given one. */
  file?: FileSettings | undefined;
  /** Words that are not flags; empty unless the command declares `words`. */
  words: readonly string[];
  /** The composition root, injected so that only `start` and `try` load it. */
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
  /** Its own defaults of settings; absent: those of the table. */
  defaults?: Readonly<Partial<Record<SettingName, string>>>;
  /** Placeholder of the optional words it takes. */
  words?: string;
  /** How many; absent: one. */
  maxWords?: number;
  examples: readonly string[];
  run(context: CommandContext): Promise<ExitCode>;
}

/** Commands under one heading of `vws help`. */
export interface CommandGroup {
  title: string;
  commands: readonly Command[];
}

export const commandNamed = (groups: readonly CommandGroup[], name: string): Command | undefined =>
  groups.flatMap((group) => group.commands).find((command) => command.name === name);

/** The value of an option that may be absent. */
export function optionText(context: CommandContext, name: string): string | undefined {
  const value = context.flags[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** All values of a repeatable option. */
export function optionTexts(context: CommandContext, name: string): readonly string[] {
  const value = context.flags[name];
  if (typeof value === 'string') return [value];
  return typeof value === 'object' ? value : [];
}

export const isSwitchOn = (context: CommandContext, name: string): boolean => context.flags[name] === true;

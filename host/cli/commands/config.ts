// vws config: the settings that a node would start with, and where each comes from.
// Keeps: what it refuses `start` refuses, with the same words; secrets are never printed.

import {
  explainConfig,
  loadConfig,
  type Origin,
  type ShownSetting,
  unknownVariables,
} from '../../config/config.ts';
import type { Command, CommandContext } from '../command.ts';
import { isSwitchOn } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { checkNetwork } from '../genesis-source.ts';
import { printJson, printTable } from '../output.ts';
import { runVerb, type Verb } from '../verbs.ts';

const originText = ({ from, by }: Origin): string => (from === 'default' ? 'default' : (by as string));

const asJson = ({ name, value, origin }: ShownSetting) => ({
  name,
  value: value ?? null,
  origin: origin.from,
  ...(origin.by === undefined ? {} : { source: origin.by }),
});

async function show(context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  const shown = explainConfig(context);
  checkNetwork(loadConfig(context));
  if (isSwitchOn(context, 'json')) {
    printJson(io, shown.map(asJson));
    return EXIT.DONE;
  }
  const rows = shown.map(({ name, value, origin }) => [name, value ?? '-', originText(origin)]);
  printTable(io, ['Setting', 'Value', 'From'], rows);
  for (const { name, nearest } of unknownVariables(context.env)) {
    io.err(`${name} is ignored: no setting has that name${nearest ? `; did you mean ${nearest}?` : ''}`);
  }
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = { show: { needs: [], run: show } };

export const config: Command = {
  name: 'config',
  summary: 'show the settings of a node and where each comes from',
  about: `Prints every setting that vws start would use with these flags, variables and this configuration file:
its name in the file, its value, and the flag, variable or file that gave it. Secrets are hidden. Settings
that start would refuse are refused here (exit 2), and so are parameters and a manifest that is there (exit
4): it also checks a file. Starts nothing.`,
  options: [JSON_OPTION],
  settings: 'start',
  words: 'show',
  examples: ['vws config show', 'vws config show --config /etc/vws/vws.toml --json'],
  run: (context) => runVerb('config', VERBS, context),
};

// vws help: what there is, and how each command works.

import type { Command } from '../command.ts';
import { findCommand } from '../command-table.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { commandHelp, generalHelp } from '../help-text.ts';

export const help: Command = {
  name: 'help',
  summary: 'explain vws, or one command',
  about: 'Explains vws, or one command in full.',
  options: [],
  words: 'command',
  examples: ['vws help', 'vws help start'],
  async run({ io, words }) {
    const [name] = words;
    if (name === undefined) {
      io.out(generalHelp());
      return EXIT.DONE;
    }
    const command = findCommand(name);
    if (!command) throw new UsageError(`unknown command "${name}"`);
    io.out(commandHelp(command));
    return EXIT.DONE;
  },
};

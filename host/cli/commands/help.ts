// vws help: the list of commands, and the help of each.

import { type Command, type CommandGroup, commandNamed } from '../command.ts';
import { EXIT, unknownCommand } from '../exit-code.ts';
import { commandHelp, generalHelp } from '../help-text.ts';

/** The help command of the commands that `groups` returns. */
export const helpOn = (groups: () => Promise<readonly CommandGroup[]>): Command => ({
  name: 'help',
  summary: 'explain vws, or one command',
  about: 'Explains vws, or one command in full.',
  options: [],
  words: 'command',
  examples: ['vws help', 'vws help start'],
  async run({ io, words }) {
    const [name] = words;
    if (name === undefined) {
      io.out(generalHelp(await groups()));
      return EXIT.DONE;
    }
    const all = await groups();
    const command = commandNamed(all, name);
    if (!command) throw unknownCommand(name, all);
    io.out(commandHelp(command));
    return EXIT.DONE;
  },
});

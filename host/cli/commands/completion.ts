// vws completion: a script for a shell that completes commands, verbs and flags.

import type { Command, CommandGroup } from '../command.ts';
import { COMPLETION_SCRIPTS } from '../completion.ts';
import { EXIT, UsageError } from '../exit-code.ts';

const NAME = 'completion';
const SHELLS = Object.keys(COMPLETION_SCRIPTS);

/** The command that completes the commands that `groups` returns. */
export const completionOf = (groups: () => Promise<readonly CommandGroup[]>): Command => ({
  name: NAME,
  summary: 'print a script that completes commands in bash, zsh or fish',
  about: `Prints a script for your shell, made from the same table as this help. For good:
  bash  vws completion bash > ~/.local/share/bash-completion/completions/vws
  zsh   vws completion zsh > a folder of your $fpath, as _vws
  fish  vws completion fish > ~/.config/fish/completions/vws.fish`,
  options: [],
  words: SHELLS.join('|'),
  examples: ['source <(vws completion bash)', 'vws completion fish > ~/.config/fish/completions/vws.fish'],
  async run({ io, words }) {
    const [shell = ''] = words;
    const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined;
    if (!script) throw new UsageError(`${NAME} takes one of ${SHELLS.join(', ')}`, NAME);
    io.out(script(await groups()));
    return EXIT.DONE;
  },
});

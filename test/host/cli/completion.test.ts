// Completion scripts: bash runs its own; the others are read.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { loadCommands } from '../../../host/cli/command-table.ts';
import { vws } from './harness.ts';

const names = (await loadCommands()).flatMap((group) => group.commands.map((command) => command.name));
const scriptOf = async (shell: string): Promise<string> => (await vws(['completion', shell])).out;
const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'exit 0']);
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(!has('bash'))('in bash', () => {
  /** What is offered for the last of `words`. */
  const offered = async (...words: string[]): Promise<string[]> => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const script = `${await scriptOf('bash')}
COMP_WORDS=(vws ${list}); COMP_CWORD=${words.length}
_vws vws "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-euc', script], { encoding: 'utf8' }).trim().split('\n');
  };

  it('offers commands, verbs, flags and files', async () => {
    expect(await offered('')).toEqual(names);
    expect(await offered('tr')).toEqual(['try', 'transfer', 'trend']);
    expect(await offered('task', 'cl')).toEqual(['claim']);
    expect(await offered('help', 'unst')).toEqual(['unstake']);
    expect(await offered('transfer', '--a')).toEqual(['--amount', '--api-key']);
    expect(await offered('task', 'claim', '--k')).toEqual(['--key', '--key-passphrase-file']);
    expect(await offered('transfer', '--key', 'package.j')).toEqual(['package.json']);
  });
});

it.each(['bash', 'zsh', 'fish'])('%s: names every command, and the shell accepts it', async (shell) => {
  const script = await scriptOf(shell);
  for (const name of names) expect(script).toMatch(new RegExp(`\\b${name}\\b`));
  if (has(shell)) execFileSync(shell, ['-n'], { input: script });
});

it('another shell is a usage error', async () => {
  expect((await vws(['completion'])).code).toBe(2);
  expect((await vws(['completion', 'toString'])).code).toBe(2);
});

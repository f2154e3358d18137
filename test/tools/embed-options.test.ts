// The tools that run the modules elsewhere refuse what they cannot do before they begin, instead of agreeing about nothing.

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const EMBED = 'tools/embed.mjs';
const FUZZ = 'tools/programs-fuzz.mjs';

it.each([
  [EMBED, ['--only', 'Fortran'], /^error: --only: no host is called Fortran; there are: Node .*, Java.*\n/],
  [EMBED, ['--rounds', 'three'], /^error: --rounds is a whole number from 1 on\n/],
  [EMBED, ['--rounds', '0'], /^error: --rounds is a whole number from 1 on\n/],
  [FUZZ, ['--only', 'Go,Fortran'], /^error: --only: no host is called Fortran; there are: Node .*, Java.*\n/],
])('%s %j is refused', (tool, args, said) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(stderr).toMatch(said);
  expect(stdout).toBe('');
  expect(status).toBe(2);
});

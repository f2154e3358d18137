// With which flags a node runs again: the young generation that a node is measured with, unless somebody chose another.

import { describe, expect, it } from 'vitest';
import { type Launch, withYoungSpace } from '../../../host/cli/young-space.ts';

const launch = (more: Partial<Launch>): string[] | undefined =>
  withYoungSpace({
    version: 'v22.15.0',
    execArgv: [],
    nodeOptions: '',
    argv: ['/bin/node', '/opt/main.js', 'start'],
    ...more,
  });

describe('a node', () => {
  it.each(['start', 'try'])(
    'runs %s again with the flag, its own flags and words as they were',
    (command) => {
      const argv = ['/bin/node', '/opt/main.js', command, '--data', 'a b'];
      expect(launch({ argv, execArgv: ['--cpu-prof'], nodeOptions: '--no-warnings' })).toEqual([
        '/bin/node',
        '--cpu-prof',
        '--max-semi-space-size=32',
        '/opt/main.js',
        command,
        '--data',
        'a b',
      ]);
    },
  );

  it('does so once, and never against who chose a size', () => {
    const [, ...flags] = launch({})!;
    expect(launch({ execArgv: flags.slice(0, 1) })).toBeUndefined();
    expect(launch({ execArgv: ['--max_semi_space_size=8'] })).toBeUndefined();
    expect(launch({ nodeOptions: '--no-warnings --max-semi-space-size=64' })).toBeUndefined();
  });

  it('leaves Node 24 and later what they choose', () => {
    expect(['v20.19.0', 'v23.11.0'].map((version) => launch({ version }) !== undefined)).toEqual([
      true,
      true,
    ]);
    expect(['v24.0.0', 'v26.1.0', ''].map((version) => launch({ version }))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it('is all that runs again: other commands are short', () => {
  for (const command of ['balance', 'audit', '--version', 'signer'])
    expect(launch({ argv: ['/bin/node', '/opt/main.js', command] })).toBeUndefined();
  expect(launch({ argv: ['/bin/node', '/opt/main.js'] })).toBeUndefined();
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCHEMA } from '../../../host/execution/recovery.ts';
import { MODULE_DIGESTS } from '../../../host/modules/module-digests.ts';
import { NEWEST_REVISION } from '../../../host/wire/revisions.ts';
import { vws } from './harness.ts';

describe('a command line', () => {
  it('version and help end with 0', async () => {
    for (const args of [['version'], ['--version'], ['help'], ['--help'], ['-h'], ['help', 'start']]) {
      expect((await vws(args)).code).toBe(0);
    }
    expect((await vws(['version'])).out).toMatch(/^vws 0\.1\.0-testnet$/m);
  });

  it('version --json names the modules by their digests', async () => {
    const { out } = await vws(['version', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      version: '0.1.0-testnet',
      software_version: JSON.parse(readFileSync('package.json', 'utf8')).version,
      revision: NEWEST_REVISION,
      store_format: SCHEMA,
      peer_protocol: expect.stringMatching(/^v/),
      node: process.version,
      modules: MODULE_DIGESTS,
    });
  });

  it('every command explains itself and runs nothing', async () => {
    const names = ['try', 'init', 'manifest', 'start', 'keygen', 'register', 'stake', 'unstake', 'transfer'];
    for (const name of [...names, 'pending', 'verify', 'info', 'balance', 'status', 'version', 'help']) {
      const ran = await vws([name, '--help']);
      expect([name, ran.code]).toEqual([name, 0]);
      expect(ran.out).toContain(`vws ${name}`);
      expect((await vws(['help'])).out).toContain(`  ${name} `);
    }
  });

  it.each([
    [['frobnicate'], 'error: unknown command "frobnicate" (usage)', 'See: vws --help'],
    [['transfr'], 'error: unknown command "transfr"; did you mean transfer? (usage)', 'See: vws --help'],
    [
      ['start', '--manfest', 'x'],
      "error: unknown option '--manfest'; did you mean --manifest? (usage)",
      'See: vws start --help',
    ],
    [['--frobnicate'], 'error: unknown flag "--frobnicate" (usage)', 'See: vws --help'],
    [['keygen', '--nonsense', 'x'], "error: unknown option '--nonsense' (usage)", 'See: vws keygen --help'],
    [
      ['keygen', '--output', 'a', '--output', 'b'],
      'error: --output is given twice (usage)',
      'See: vws keygen --help',
    ],
    [
      ['balance', 'bob'],
      'error: unexpected word "bob": balance takes flags only, such as --agent <id> (usage)',
      'See: vws balance --help',
    ],
    [
      ['stake', '5t'],
      'error: unexpected word "5t": stake takes flags only, such as --amount <amount> (usage)',
      'See: vws stake --help',
    ],
    [
      ['economics', 'x'],
      'error: unexpected word "x": economics takes flags only (usage)',
      'See: vws economics --help',
    ],
    [
      ['stake', '--amount', '-5t'],
      'error: --amount needs a value; one that begins with a dash is written --amount=-... (usage)',
      'See: vws stake --help',
    ],
    [
      ['stake', '--amount', '5x'],
      'error: --amount: "5x" is not an amount; write micro-units (2500000) or tokens (2.5t) (usage)',
      'See: vws stake --help',
    ],
    [['keygen'], 'error: keygen needs --output <path> (usage)', 'See: vws keygen --help'],
    [['help', 'frobnicate'], 'error: unknown command "frobnicate" (usage)', 'See: vws --help'],
    [['help', 'start', 'stop'], 'error: unexpected word "stop" (usage)', 'See: vws help --help'],
  ])('%s: exit 2 and a hint', async (args, line, hint) => {
    const ran = await vws(args);
    expect(ran.code).toBe(2);
    expect(ran.io.errLines).toEqual([line, hint]);
    expect(ran.out).toBe('');
  });

  it.each([
    [['status', 'stray']],
    [['stake', '--amount']],
    [['status', '--json=yes']],
    [['stake', '--amount', '']],
  ])('%s: exit 2', async (args) => {
    const ran = await vws(args);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^error: .+ \(usage\)$/m);
  });

  it('no words: help on standard error, exit 2', async () => {
    const ran = await vws([]);
    expect(ran.code).toBe(2);
    expect(ran.out).toBe('');
    expect(ran.err).toContain('Usage: vws <command>');
  });
});

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultText, reasonOf } from '../../../../host/cli/fault-text.ts';
import { runToEnd, scratch, vws } from '../harness.ts';

const file = (text: string): string => {
  const path = join(scratch(), 'vws.toml');
  writeFileSync(path, text);
  return path;
};

describe('vws config show', () => {
  it('prints each setting with its value and origin', async () => {
    const path = file('testnet = true\nworkers = 3\n');
    const env = { SERVICE_CONFIG: path, SERVICE_PASSPHRASE: 'very secret', SERVICE_TESNET: '1' };
    const ran = await vws(['config', 'show', '--api', '127.0.0.1:1'], { env });
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(new RegExp(`^workers +3 +${path}$`, 'm'));
    expect(ran.out).toMatch(/^api +127\.0\.0\.1:1 +--api$/m);
    expect(ran.out).toMatch(/^passphrase +\[hidden\] +SERVICE_PASSPHRASE$/m);
    expect(ran.out).not.toContain('very secret');
    expect(ran.err).toBe(
      'SERVICE_TESNET is ignored: no setting has that name; did you mean SERVICE_TESTNET?',
    );
    const json = JSON.parse((await vws(['config', 'show', '--json'], { env })).out);
    expect(json).toContainEqual({ name: 'workers', value: '3', origin: 'file', source: path });
    expect(json).toContainEqual({ name: 'discover', value: null, origin: 'default' });
  });

  it('refuses what start refuses: exit 2', async () => {
    const ran = await vws(['config', 'show', '--config', file('wrokers = 3')]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(/did you mean workers\? \(config\)$/)]);
    const missing = await vws(['config', 'show', '--config', '/no/such.toml']);
    expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/such\.toml.*it does not exist/)]);
    expect((await vws(['config', 'list'])).code).toBe(2);
  });

  it('refuses what start refuses of parameters and manifest', async () => {
    const shown = (text: string) => vws(['config', 'show', '--config', file(text)]);
    const unknown = await shown('testnet = true\n[params]\nday_sec = 3600\n');
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringMatching(/day_sec \(params\)$/)]);
    const unit = await shown('testnet = true\n[params]\nday_secs = "1h"\n');
    expect([unit.code, unit.err]).toEqual([2, expect.stringMatching(/day_secs must be an integer/)]);
    const broken = join(scratch(), 'seats.json');
    writeFileSync(broken, '{}');
    expect((await shown(`testnet = true\nmanifest = "${broken}"\n`)).code).toBe(4);
    // A manifest is often agreed on last.
    expect((await shown('testnet = true\nmanifest = "not-there-yet.json"\n')).code).toBe(0);
  });

  it('is what start, try and init read', async () => {
    const dir = scratch();
    const path = join(dir, 'vws.toml');
    writeFileSync(join(dir, 'pass'), 'secret\n');
    writeFileSync(path, 'testnet = true\ndata = "state"\npassphrase_file = "pass"\nlog_level = "error"\n');
    const made = await vws(['init', '--config', path]);
    expect([made.code, existsSync(join(dir, 'state', 'node_keys', 'identity.json'))]).toEqual([0, true]);
    const { code, started } = await runToEnd(['start', '--config', path], {});
    expect([code, started?.config.dataDir]).toEqual([0, join(dir, 'state')]);
    writeFileSync(path, 'data = "other"\napi = "127.0.0.1:5"\n');
    const tried = await runToEnd(['try', '--config', path], {});
    expect(tried.started?.config).toMatchObject({ dataDir: join(dir, 'other'), api: { port: 5 } });
  });
});

describe('a fault of the operating system', () => {
  const fault = (more: object) => Object.assign(new Error('ENOSPC: raw text'), { syscall: 'write', ...more });

  it('is a sentence that names its subject', () => {
    expect(faultText(fault({ code: 'ENOSPC', path: '/data/x' }))).toBe(
      '/data/x: the disk is full; make room and start again',
    );
    const taken = fault({ code: 'EADDRINUSE', address: '::1', port: 8338 });
    expect(faultText(taken)).toBe(
      '::1:8338: the address is in use by another process; stop it, or choose another port',
    );
    expect(reasonOf(fault({ code: 'EACCES', path: '/x' }))).toMatch(/^permission denied/);
  });

  it('keeps its own words if the table has none', () => {
    expect(faultText(fault({ code: 'EWEIRD' }))).toBe('ENOSPC: raw text');
    expect(faultText(new Error('plain'))).toBe('plain');
  });
});

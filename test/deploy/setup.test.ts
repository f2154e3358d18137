// The script that makes a test network for the compose files, run as the image runs it, with the program of the build.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readNetwork } from '../../host/cli/genesis-source.ts';
import { loadConfig, loadPassphraseSettings } from '../../host/config/config.ts';
import { parseConfigFile } from '../../host/config/config-file.ts';
import { readNodeKeyFile } from '../../host/crypto/node-key-file.ts';

it('makes keys, a manifest and settings with which every node finds its seat; a second run changes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vws-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...process.env, VWS: `${process.execPath} ${resolve('build/host/cli/main.js')}` };
  const run = () => execFileSync('sh', ['deploy/compose/setup.sh', folder, '4'], { env, stdio: 'pipe' });
  run();
  const manifest = readFileSync(join(folder, 'seats.json'), 'utf8');
  expect(JSON.parse(manifest).entries).toHaveLength(4);
  const hashes = [1, 2, 3, 4].map((n) => {
    const path = join(folder, `n${n}`, 'vws.toml');
    const file = parseConfigFile(readFileSync(path, 'utf8'), path);
    const config = loadConfig({ env: {}, flags: {}, file });
    expect(config.peers.map(({ host }) => host)).toEqual(
      ['n1', 'n2', 'n3', 'n4'].filter((host) => host !== `n${n}`),
    );
    const pass = loadPassphraseSettings({ env: {}, flags: {}, file }).file!;
    const key = readNodeKeyFile(config.dataDir, readFileSync(pass, 'utf8').trimEnd());
    return readNetwork(config).genesisFor(key.publicKeyHex).genesis.hashHex;
  });
  expect(new Set(hashes).size).toBe(1);
  run();
  expect(readFileSync(join(folder, 'seats.json'), 'utf8')).toBe(manifest);
});

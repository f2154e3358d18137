// Settings, keys and manifests that a node refuses to start with, before it opens a store or a port.

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PASSPHRASE } from '../../tools/load/node-process.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

describe('what a node does not start with (pitfall A5, A13)', () => {
  it('open mode or test settings on mainnet, an empty or a wrong passphrase', async () => {
    const dataDir = await bed.directory();
    const cases: [object, number, RegExp][] = [
      [{ flags: ['--no-auth'], env: { SERVICE_TESTNET: 'false' } }, 2, /no-auth.*testnet/],
      [{ env: { SERVICE_TESTNET: 'false', SERVICE_RATE_LIMITS: 'off' } }, 2, /SERVICE_RATE_LIMITS/],
      [
        { env: { SERVICE_TESTNET: 'false', SERVICE_RATE_LIMITS: 'on', SERVICE_PARAM_DAY_SECS: '5' } },
        2,
        /SERVICE_PARAM/,
      ],
      [{ env: { SERVICE_PARAM_NONSENSE: '5' } }, 2, /nonsense/i],
      [{ env: { SERVICE_PASSPHRASE: '' } }, 3, /passphrase/],
      [{ flags: ['--peer', '127.0.0.1:1'] }, 2, /manifest required when peers are configured/],
    ];
    for (const [options, code, text] of cases) {
      const end = await bed.refusal({ dataDir, ...options });
      expect([end.code, end.log]).toEqual([code, expect.stringMatching(text)]);
    }
    const node = await bed.start({ dataDir });
    await node.stop();
    const keyFile = join(dataDir, 'node_keys', 'identity.json');
    expect([(await stat(keyFile)).mode & 0o777, (await stat(dataDir)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await readFile(keyFile, 'utf8')).not.toContain(PASSPHRASE);
    const wrong = await bed.refusal({ dataDir, env: { SERVICE_PASSPHRASE: 'wrong' } });
    expect([wrong.code, wrong.log]).toEqual([3, expect.stringMatching(/wrong passphrase/)]);
  });

  it('a manifest without its key, or a malformed one', async () => {
    const network = await bed.network(['active']);
    const dataDir = await bed.directory();
    const foreign = await bed.refusal({ dataDir, env: network.env });
    expect([foreign.code, foreign.log]).toEqual([
      4,
      expect.stringMatching(/validator not in manifest: [0-9a-f]{64}/),
    ]);
    const path = `${dataDir}.manifest.json`;
    for (const text of ['{', '{}', '{"entries":[]}', '{"entries":[{}]}']) {
      await writeFile(path, text);
      const end = await bed.refusal({ dataDir, env: { SERVICE_VALIDATOR_MANIFEST: path } });
      expect([text, end.code]).toEqual([text, 4]);
    }
    // A network whose seats weigh nothing could never decide (pitfall C4).
    const own = JSON.parse(await readFile(join(dataDir, 'node_keys', 'identity.json'), 'utf8')).public_key;
    const weightless = { validator_id: 'v', operator_agent_id: own, consensus_public_key: own, key_epoch: 1 };
    const entry = { ...weightless, bonded_stake: 1, initial_status: 'active', reputation_baseline: 0 };
    await writeFile(path, JSON.stringify({ entries: [entry] }));
    const end = await bed.refusal({ dataDir, env: { SERVICE_VALIDATOR_MANIFEST: path } });
    expect([end.code, end.log]).toEqual([
      2,
      expect.stringMatching(/epoch 0 cannot open: no seat has vote weight/),
    ]);
    // Nothing was claimed for a chain that never was.
    expect(await readdir(dataDir)).not.toContain('db');
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNetwork } from '../../../host/cli/genesis-source.ts';
import { type Config, loadConfig } from '../../../host/config/config.ts';
import { generateSeed, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { scratch } from './harness.ts';

const loadGenesis = (...[config, key]: [Config, string]) => readNetwork(config).genesisFor(key);
const own = keyPairFromSeed(generateSeed()).publicKeyHex;
const operator = keyPairFromSeed(generateSeed()).publicKeyHex;
const entry = (key: string, more: object = {}) => ({
  validator_id: 'v1',
  operator_agent_id: operator,
  consensus_public_key: key,
  key_epoch: 1,
  bonded_stake: 25_000_000_000,
  initial_status: 'active',
  ...more,
});
const config = (env: Record<string, string> = {}, manifest?: unknown) => {
  const path = join(scratch(), 'manifest.json');
  if (manifest !== undefined)
    writeFileSync(path, typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  const flags = manifest === undefined ? {} : { manifest: path };
  // Not the data of whoever runs this test.
  const data = { SERVICE_DATA: scratch() };
  return loadConfig({ env: { SERVICE_TESTNET: 'true', ...data, ...env }, flags });
};

describe('the genesis of a node', () => {
  it("is one seat with the node's own key without a manifest", () => {
    const source = loadGenesis(config(), own);
    expect(source.genesis.chainId).toBe('vws-testnet-1');
    expect(source.genesis.manifest.entries.map((e) => [e.consensus_public_key, e.bonded_stake])).toEqual([
      [own, 25_000_000_000],
    ]);
  });

  it("needs the node's key among the seats", () => {
    const found = config({ SERVICE_DATA: scratch() }, { entries: [entry(operator)] });
    expect(() => loadGenesis(found, own)).toThrow(`validator not in manifest: ${own}`);
  });

  it('leaves that to the node if there is a store, whose state names the keys after a rotation', () => {
    const dataDir = scratch();
    mkdirSync(join(dataDir, 'db'));
    const found = config({ SERVICE_DATA: dataDir }, { entries: [entry(operator)] });
    expect(loadGenesis(found, own).genesis.manifest.entries[0]!.consensus_public_key).toBe(operator);
  });

  it('leaves that to the node if it joins a state, after a rotation and the loss of its store', () => {
    const found = config(
      { SERVICE_JOIN: 'checkpoint', SERVICE_PEER: 'n1:8337' },
      { entries: [entry(operator)] },
    );
    expect(loadGenesis(found, own).genesis.manifest.entries[0]!.consensus_public_key).toBe(operator);
  });

  it.each([
    ['{entries'],
    [{ entries: [] }],
    [{ entries: [entry(own)], extra: 1 }],
    [{ entries: [entry(own, { bonded_stake: 0 })] }],
  ])('refuses the manifest %j, and names its file', (manifest) => {
    const configured = config({}, manifest);
    expect(() => loadGenesis(configured, own)).toThrow(
      expect.objectContaining({
        name: 'ManifestError',
        message: expect.stringContaining(`${configured.manifestPath}: `),
      }),
    );
  });

  it('refuses a missing manifest', () => {
    const flags = { manifest: '/does/not/exist.json' };
    const missing = loadConfig({ env: { SERVICE_TESTNET: 'true' }, flags });
    expect(() => loadGenesis(missing, own)).toThrow(/cannot be read/);
  });

  it('takes parameters from the manifest and the environment', () => {
    const source = loadGenesis(
      config(
        { SERVICE_PARAM_FAUCET_COOLDOWN_SECS: '100' },
        { entries: [entry(own)], params: { faucet_amount: 7 } },
      ),
      own,
    );
    expect(source.genesis.params).toMatchObject({ faucet_amount: 7, faucet_cooldown_secs: 100 });
  });

  it('refuses parameters that do not fit', () => {
    const paramError = expect.objectContaining({ name: 'ParamError' });
    expect(() => loadGenesis(config({ SERVICE_CONSENSUS_MIN_PARTICIPANTS: '2' }), own)).toThrow(paramError);
    expect(() => loadGenesis(config({ SERVICE_PARAM_NO_SUCH: '2' }), own)).toThrow(paramError);
  });
});

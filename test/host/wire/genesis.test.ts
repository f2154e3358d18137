import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { buildGenesis, genesisAllocations } from '../../../host/wire/genesis.ts';
import type { Manifest } from '../../../host/wire/manifest.ts';
import { ManifestError, singleSeatManifest } from '../../../host/wire/manifest.ts';
import { ParamError } from '../../../host/wire/params.ts';
import { KEY } from './vectors.ts';

const TOKEN = 1_000_000;
const manifest = singleSeatManifest(KEY);
const total = (accounts: Record<string, number>) => Object.values(accounts).reduce((a, b) => a + b, 0);

test('testnet allocations of a single seat', () => {
  expect(genesisAllocations(true, manifest)).toEqual({
    'genesis:founders': 150_000_000 * TOKEN,
    'genesis:investors': 150_000_000 * TOKEN,
    'genesis:ecosystem': 300_000_000 * TOKEN,
    'genesis:rewards': 199_950_000 * TOKEN,
    'genesis:treasury': 99_999_750 * TOKEN,
    'genesis:public': 90_000_000 * TOKEN,
    'genesis:faucet': 10_000_000 * TOKEN,
    'system:replay_reserve:code': 50 * TOKEN,
    'system:replay_reserve:data': 50 * TOKEN,
    'system:replay_reserve:analysis': 50 * TOKEN,
    'system:replay_reserve:content': 50 * TOKEN,
    'system:replay_reserve:general': 50 * TOKEN,
    [`system:stake:${KEY}`]: 25_000 * TOKEN,
    [KEY]: 25_000 * TOKEN,
  });
});

test('mainnet: no faucet, no operator funds; on both networks all money is accounted for', () => {
  const main = genesisAllocations(false, manifest);
  expect(Object.keys(main)).not.toContain('genesis:faucet');
  expect(Object.keys(main)).not.toContain(KEY);
  expect(main['genesis:rewards']).toBe(199_975_000 * TOKEN);
  expect(total(main)).toBe(1e15);
  expect(total(genesisAllocations(true, manifest))).toBe(1e15);
});

test('stakes that leave nothing for the operators are refused on testnet only', () => {
  const all: Manifest = { entries: [{ ...manifest.entries[0]!, bonded_stake: 200_000_000 * TOKEN }] };
  expect(total(genesisAllocations(false, all))).toBe(1e15);
  expect(Object.keys(genesisAllocations(false, all))).not.toContain('genesis:rewards');
  expect(() => genesisAllocations(true, all)).toThrow(ManifestError);
});

describe('genesis hash', () => {
  const hash = (testnet: boolean, m = manifest, overrides = {}) =>
    buildGenesis({ testnet, manifest: m, overrides }).hashHex;

  test('is the hash of the JCS form of chain id, manifest, parameters and allocations', () => {
    const genesis = buildGenesis({ testnet: true, manifest });
    const { day_secs, ...rest } = genesis.params;
    expect([genesis.chainId, genesis.launchTime, day_secs, rest.allow_unsigned]).toEqual([
      'vws-testnet-1',
      0,
      86_400,
      0,
    ]);
    const sorted = (o: object) =>
      `{${Object.entries(o)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)
        .join(',')}}`;
    const params = { ...genesis.params, allow_unsigned: false, legacy_open_coordination: false };
    const text = `{"allocations":${sorted(genesis.allocations)},"chain_id":"vws-testnet-1","manifest":{"entries":[${sorted(manifest.entries[0]!)}]},"params":${sorted(params)}}`;
    expect(genesis.hashHex).toBe(createHash('sha256').update(text).digest('hex'));
    expect(Buffer.from(genesis.hash).toString('hex')).toBe(genesis.hashHex);
  });

  test('does not depend on the order of members, but on everything else', () => {
    const entry = manifest.entries[0]!;
    const reversed = Object.fromEntries(Object.entries(entry).reverse()) as unknown as typeof entry;
    expect(hash(true, { entries: [reversed] })).toBe(hash(true));
    const other = keyPairFromSeed(new Uint8Array(32).fill(1)).publicKeyHex;
    const hashes = [
      hash(true),
      hash(false),
      hash(true, { ...manifest, launch_time: 5 }),
      hash(true, manifest, { day_secs: '60' }),
      hash(true, singleSeatManifest(other)),
      hash(true, { entries: [{ ...entry, reputation_baseline: 5000 }] }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('parameters that are wrong here are refused', () => {
    expect(() => buildGenesis({ testnet: true, manifest, overrides: { min_participants: '2' } })).toThrow(
      ParamError,
    );
    expect(() =>
      buildGenesis({ testnet: false, manifest: { ...manifest, params: { day_secs: 5 } } }),
    ).toThrow(ParamError);
  });
});

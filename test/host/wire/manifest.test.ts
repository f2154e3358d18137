import { describe, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import type { ManifestEntry } from '../../../host/wire/manifest.ts';
import {
  formatManifest,
  ManifestError,
  parseManifest,
  seatsOf,
  singleSeatManifest,
} from '../../../host/wire/manifest.ts';
import { KEY, NON_CANONICAL_KEYS, SMALL_ORDER_KEYS } from './vectors.ts';

const key = (n: number) => keyPairFromSeed(new Uint8Array(32).fill(n)).publicKeyHex;
const entry = (n: number, over: Partial<Record<keyof ManifestEntry | string, unknown>> = {}) => ({
  validator_id: `v${n}`,
  operator_agent_id: key(n),
  consensus_public_key: key(100 + n),
  key_epoch: 1,
  bonded_stake: 25_000_000_000,
  initial_status: 'active',
  ...over,
});
const parse = (value: unknown) => parseManifest(JSON.stringify(value));

test('a full manifest passes unchanged', () => {
  const manifest = {
    entries: [
      entry(1, { reputation_baseline: 0, categories: ['code', 'data'] }),
      entry(2, { initial_status: 'pending_join', consensus_public_key: key(2) }),
      entry(3, { initial_status: 'probationary', key_epoch: 7, reputation_baseline: 10_000, categories: [] }),
    ],
    params: { day_secs: 60, allow_unsigned: false },
    launch_time: 1_800_000_000,
  };
  expect(parse(manifest)).toEqual(manifest);
  expect(parseManifest(formatManifest(parse(manifest)))).toEqual(manifest);
});

test('seats: order, defaults, keys as bytes', () => {
  const seats = seatsOf(
    parse({ entries: [entry(2), entry(1, { reputation_baseline: 1, categories: ['code'] })] }),
  );
  expect(seats.map((s) => [s.index, s.validatorId, s.baselineBp, s.categories])).toEqual([
    [0, 'v2', 5000, []],
    [1, 'v1', 1, ['code']],
  ]);
  expect(seats[0]).toMatchObject({
    operatorId: key(2),
    operatorKey: fromHex(key(2)),
    consensusKey: fromHex(key(102)),
    bondedStakeMicro: 25_000_000_000,
    keyEpoch: 1,
    initialStatus: 'active',
  });
});

test('the manifest of a single seat passes its own check', () => {
  const manifest = singleSeatManifest(KEY);
  expect(parse(manifest)).toEqual(manifest);
  expect(manifest.entries).toEqual([
    {
      validator_id: 'v1',
      operator_agent_id: KEY,
      consensus_public_key: KEY,
      key_epoch: 1,
      bonded_stake: 25_000_000_000,
      initial_status: 'active',
    },
  ]);
});

describe('refused', () => {
  const without = (name: string) => {
    const { [name as 'key_epoch']: _, ...rest } = entry(1);
    return rest;
  };
  const cases: [string, unknown][] = [
    ['not an object', []],
    ['no entries', { entries: [] }],
    ['entries missing', {}],
    ['entries no list', { entries: {} }],
    ['an entry that is null', { entries: [null] }],
    ['unknown member', { entries: [entry(1)], extra: 1 }],
    ['unknown entry member', { entries: [entry(1, { colour: 'red' })] }],
    ['__proto__ as a member', JSON.parse(`{"entries":[${JSON.stringify(entry(1))}],"__proto__":{}}`)],
    ['nobody active', { entries: [entry(1, { initial_status: 'probationary' })] }],
    ['unknown status', { entries: [entry(1, { initial_status: 'sleepy' })] }],
    ['stake 0', { entries: [entry(1, { bonded_stake: 0 })] }],
    ['stake as text', { entries: [entry(1, { bonded_stake: '1' })] }],
    ['stake over genesis:rewards', { entries: [entry(1, { bonded_stake: 200_000_001_000_000 })] }],
    [
      'stakes together over genesis:rewards',
      { entries: [1, 2, 3].map((n) => entry(n, { bonded_stake: 70_000_000_000_000 })) },
    ],
    ['baseline 10001', { entries: [entry(1, { reputation_baseline: 10_001 })] }],
    ['baseline null', { entries: [entry(1, { reputation_baseline: null })] }],
    ['key_epoch 0', { entries: [entry(1, { key_epoch: 0 })] }],
    ['validator id twice', { entries: [entry(1), entry(2, { validator_id: 'v1' })] }],
    ['validator id with a blank', { entries: [entry(1, { validator_id: 'a b' })] }],
    ['validator id of 65 characters', { entries: [entry(1, { validator_id: 'x'.repeat(65) })] }],
    ['operator twice', { entries: [entry(1), entry(2, { operator_agent_id: key(1) })] }],
    ['consensus key twice', { entries: [entry(1), entry(2, { consensus_public_key: key(101) })] }],
    ['operator not hex', { entries: [entry(1, { operator_agent_id: 'bob' })] }],
    ['operator in capitals', { entries: [entry(1, { operator_agent_id: key(1).toUpperCase() })] }],
    ['categories not a list', { entries: [entry(1, { categories: 'code' })] }],
    ['a category in capitals', { entries: [entry(1, { categories: ['Code'] })] }],
    ['a category twice', { entries: [entry(1, { categories: ['a', 'a'] })] }],
    ['a category of 51 bytes', { entries: [entry(1, { categories: ['é'.repeat(26)] })] }],
    ['unknown parameter', { entries: [entry(1)], params: { colour: 1 } }],
    ['parameter out of range', { entries: [entry(1)], params: { day_secs: 0 } }],
    ['parameter as text', { entries: [entry(1)], params: { day_secs: '60' } }],
    ['launch time as text', { entries: [entry(1)], launch_time: '1' }],
    ['launch time 0', { entries: [entry(1)], launch_time: 0 }],
    ...[
      'validator_id',
      'operator_agent_id',
      'consensus_public_key',
      'key_epoch',
      'bonded_stake',
      'initial_status',
    ].map((name): [string, unknown] => [`${name} missing`, { entries: [without(name)] }]),
    ...[...SMALL_ORDER_KEYS, ...NON_CANONICAL_KEYS].map((hex): [string, unknown] => [
      `consensus key ${hex}`,
      { entries: [entry(1), entry(2, { consensus_public_key: hex })] },
    ]),
  ];
  test.each(cases)('%s', (_, manifest) => {
    expect(() => parse(manifest)).toThrow(ManifestError);
  });

  test('text that is not JSON, or that JCS cannot encode', () => {
    for (const text of ['', '{entries', '{"entries":[],"\\ud800":1}']) {
      expect(() => parseManifest(text)).toThrow(ManifestError);
    }
  });

  test('the message names the place', () => {
    expect(() => parse({ entries: [entry(1), entry(2, { bonded_stake: 0 })] })).toThrow(
      /entries\[1\]: bonded_stake/,
    );
  });
});

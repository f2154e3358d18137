// The file that proves two histories: what it shows, and what it must not show. The file of the Python SDK's test is made
// here, so that both judge the same bytes.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkpointCode, checkTwoHistories, doubleText, readPin } from '../../../host/audit/index.ts';
import { twoHistories } from '../../../host/audit/two-histories.ts';
import { openEd25519 } from '../../../host/crypto/ed25519-wasm.ts';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { type Epoch, genesisEpoch, nextEpoch } from '../../../host/ordering/epoch.ts';
import { checkpointHash, checkpointSigningBytes, encodeCheckpoint } from '../../../host/wire/block.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { genesisOf, SEAT_KEY, seedOf } from '../one-node/harness.ts';
import { absentKey, heavyManifest } from '../one-node/manifests.ts';

const FIXTURE = '../../../sdk/python/tests/two_histories.json';
const GENESIS = genesisOf({ manifest: heavyManifest(4, 0.4) });
const FIRST = genesisEpoch(GENESIS);
const SEAL = { block: 64, hash: new Uint8Array(32).fill(8), order: 300, timeMs: 1_800_000_000_000 };
const EPOCH = nextEpoch(
  GENESIS.hash,
  FIRST,
  SEAL,
  FIRST.seats.map((seat, i) => (i === 3 ? { ...seat, isLate: true } : seat)),
);
const KEYS = [SEAT_KEY, absentKey(1), absentKey(2), absentKey(3)];
const ed25519 = openEd25519(
  new WebAssembly.Module(new Uint8Array(readFileSync('build/ed25519.wasm')) as BufferSource),
  (count) => crypto.getRandomValues(new Uint8Array(count)),
);
const verify = (jobs: Parameters<typeof ed25519.verifyBatch>[0]) => ed25519.verifyBatch(jobs);

function signed(state: number, keys: readonly KeyPair[], more: { height?: number; epoch?: Epoch } = {}) {
  const { height = 7, epoch = EPOCH } = more;
  const bytes = encodeCheckpoint({
    height,
    order: 700,
    blockIndex: 90,
    timeMs: 1_800_000_000_000,
    epochId: epoch.id,
    blockHash: new Uint8Array(32).fill(1),
    stateRoot: new Uint8Array(32).fill(state),
    manifestDigest: EPOCH.digest,
  });
  const message = checkpointSigningBytes(checkpointHash(bytes));
  const signatures = keys.map((key) => ({
    validator_id: 'v',
    public_key: key.publicKeyHex,
    signature: toHex(key.sign(message)),
  }));
  return { height, order: 700, statement: toHex(bytes), signatures };
}
const proofOf = (one: ReturnType<typeof signed>, other: ReturnType<typeof signed>) =>
  JSON.parse(JSON.stringify(twoHistories(GENESIS.hashHex, EPOCH, one, other)));
const GOOD = proofOf(signed(2, KEYS.slice(0, 3)), signed(3, KEYS.slice(1)));

type Row = { key: string; weight: string; late?: unknown };
const withoutLate = (seats: readonly Row[]): Row[] => seats.map(({ key, weight }) => ({ key, weight }));
/** The seats of the proof, the late one with another value there. */
const lateAs = (value: unknown): Row[] =>
  GOOD.epoch.seats.map((seat: Row) => (seat.late === undefined ? seat : { ...seat, late: value }));

describe('a proof of two histories', () => {
  it('names network, height, both codes and the seats that signed both, with their weight', () => {
    const double = checkTwoHistories(GOOD, verify);
    expect(double).toMatchObject({ genesisHash: GENESIS.hashHex, height: 7 });
    expect(double.signers).toEqual([KEYS[1]!.publicKeyHex, KEYS[2]!.publicKeyHex]);
    expect(double.codes[0]).toBe(checkpointCode(checkpointHash(fromHex(GOOD.one.statement)!)));
    expect(readPin(`7:${double.codes[1]}`)).toEqual({ height: 7, code: double.codes[1] });
    expect(doubleText(double)).toMatch(
      /^2 seats with 40 % of the weight signed two histories at checkpoint 7: /,
    );
  });

  it('is the file that the Python SDK is tested with (`vitest -u` writes it)', async () => {
    await expect(`${JSON.stringify(GOOD, null, 2)}\n`).toMatchFileSnapshot(FIXTURE);
  });

  const stranger = keyPairFromSeed(seedOf(77));
  it.each([
    ['the same statement twice', proofOf(signed(2, KEYS), signed(2, KEYS))],
    ['no seat that signed both', proofOf(signed(2, KEYS.slice(0, 2)), signed(3, KEYS.slice(2)))],
    ['a stranger that signed both', proofOf(signed(2, [stranger]), signed(3, [stranger]))],
    ['another height on one side', proofOf(signed(2, KEYS), signed(3, KEYS, { height: 8 }))],
    [
      'another epoch on one side',
      proofOf(signed(2, KEYS), signed(3, KEYS, { epoch: { ...EPOCH, id: new Uint8Array(32) } })),
    ],
    ['a forged signature', { ...GOOD, one: { ...GOOD.one, signatures: GOOD.other.signatures } }],
    ['another network', { ...GOOD, genesis_hash: '00'.repeat(32) }],
    ['another table of seats', { ...GOOD, epoch: { ...GOOD.epoch, seats: GOOD.epoch.seats.slice(1) } }],
    ['no late seat', { ...GOOD, epoch: { ...GOOD.epoch, seats: withoutLate(GOOD.epoch.seats) } }],
    ['a late seat by another word', { ...GOOD, epoch: { ...GOOD.epoch, seats: lateAs(1) } }],
    ['a seat that is late in vain', { ...GOOD, epoch: { ...GOOD.epoch, seats: lateAs(false) } }],
    [
      'another weight',
      {
        ...GOOD,
        epoch: { ...GOOD.epoch, seats: GOOD.epoch.seats.map((s: object) => ({ ...s, weight: '1' })) },
      },
    ],
    ['another kind of file', { ...GOOD, kind: 'x' }],
    ['half a statement', { ...GOOD, one: { ...GOOD.one, statement: GOOD.one.statement.slice(0, -2) } }],
    ['no list of signatures', { ...GOOD, one: { ...GOOD.one, signatures: 7 } }],
    ['a list', [GOOD]],
    ['nothing', null],
  ])('shows nothing with %s', (_, file) => {
    expect(() => checkTwoHistories(file, verify)).toThrow(expect.objectContaining({ name: 'NoProof' }));
  });
});

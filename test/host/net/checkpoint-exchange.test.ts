// Words on checkpoints beside the DAG: counted once, kept when early, and a quorum for another state stops the node with
// the proof on its disk (consensus 5.12).

import { beforeEach, describe, expect, it } from 'vitest';
import { createInlineVerifier } from '../../../host/crypto/inline.ts';
import { CheckpointExchange, type CheckpointSignature } from '../../../host/net/checkpoint-exchange.ts';
import { type Epoch, nextEpoch } from '../../../host/ordering/epoch.ts';
import type { CheckpointDoc } from '../../../host/store/documents.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { readJson, WriteSet } from '../../../host/store/write-set.ts';
import { checkpointHash, checkpointSigningBytes, encodeCheckpoint } from '../../../host/wire/block.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { START_MS, settle } from '../one-node/harness.ts';
import { FIRST, GENESIS, KEYS, SECOND } from './dag-fixture.ts';

let errors: number;
const log = {
  debug() {},
  info() {},
  warn() {},
  error: () => {
    errors += 1;
  },
};
const IDS = ['v1', 'v2', 'v3', 'v4'];
const PEER = 'a peer';

let store: MemoryStore;
let epoch: Epoch;
let diverged: Error[];
let toldSigned: number;
let exchange: CheckpointExchange;
const verifier = createInlineVerifier();

beforeEach(() => {
  store = new MemoryStore();
  epoch = FIRST;
  diverged = [];
  toldSigned = 0;
  errors = 0;
  exchange = open();
});

const open = (): CheckpointExchange =>
  new CheckpointExchange({
    store,
    log: log as never,
    genesis: FIRST,
    genesisHash: GENESIS.hash,
    running: () => epoch,
    verify: (job) => verifier.verify(job),
    validatorIds: IDS,
    onSigned: () => {
      toldSigned += 1;
    },
    onDiverged: (error) => diverged.push(error),
  });

const statementOf = (height: number, state = 1, of: Epoch = FIRST): Uint8Array =>
  encodeCheckpoint({
    height,
    order: 100 * height,
    blockIndex: 30 * height,
    timeMs: START_MS,
    epochId: of.id,
    blockHash: new Uint8Array(32).fill(height),
    stateRoot: new Uint8Array(32).fill(state),
    manifestDigest: of.digest,
  });

function vote(seat: number, statement: Uint8Array, key = KEYS[seat]!): CheckpointSignature {
  return { statement, seat, signature: key.sign(checkpointSigningBytes(checkpointHash(statement))) };
}

/** This node, seat 0, reaches a checkpoint. */
async function reach(height: number, statement = statementOf(height)): Promise<CheckpointSignature[]> {
  const doc = {
    height,
    order: 100 * height,
    statement: toHex(statement),
    signatures: [
      {
        validator_id: 'v1',
        public_key: KEYS[0]!.publicKeyHex,
        signature: toHex(vote(0, statement).signature),
      },
    ],
  } as CheckpointDoc;
  const set = new WriteSet(store);
  set.putJson(rowKey.checkpoint(height), doc);
  await store.write(set.ops());
  const votes = exchange.onCheckpoints([doc], 0);
  await settle();
  return votes;
}

const signersOf = (height: number): string[] =>
  readJson<CheckpointDoc>(store.get(rowKey.checkpoint(height)))!.signatures.map((s) => s.validator_id);
const signed = (): number | undefined =>
  readJson<{ height: number }>(store.get(rowKey.meta('signed')))?.height;
const take = (one: CheckpointSignature): Promise<boolean> => exchange.onSignature(one, PEER);

describe('signatures of seats', () => {
  it('are added in order of the seats, and a quorum makes the checkpoint the signed one', async () => {
    expect(await reach(1)).toEqual([vote(0, statementOf(1))]);
    expect(await take(vote(3, statementOf(1)))).toBe(true);
    expect([signersOf(1), signed(), toldSigned]).toEqual([['v1', 'v4'], undefined, 0]);
    expect(await take(vote(1, statementOf(1)))).toBe(true);
    expect([signersOf(1), signed(), toldSigned]).toEqual([['v1', 'v2', 'v4'], 1, 1]);
  });

  it('go on being added after a write of one failed', async () => {
    await reach(1);
    const write = store.write.bind(store);
    store.write = () => Promise.reject(new Error('input/output error'));
    await expect(take(vote(1, statementOf(1)))).rejects.toThrow('input/output error');
    store.write = write;
    for (const seat of [1, 2]) expect(await take(vote(seat, statementOf(1)))).toBe(true);
    expect([signersOf(1), signed()]).toEqual([['v1', 'v2', 'v3'], 1]);
  });

  it('count once, and at the same time too', async () => {
    await reach(1);
    const all = [1, 1, 2, 2, 3, 3].map((seat) => take(vote(seat, statementOf(1))));
    expect(await Promise.all(all)).toEqual(all.map(() => true));
    expect(signersOf(1)).toEqual(IDS);
  });

  it('that are invalid are reported: a bad signature, another key, no seat, a malformed statement', async () => {
    await reach(1);
    const statement = statementOf(1);
    const good = vote(1, statement);
    const spoiled = good.signature.slice();
    spoiled[3]! ^= 1;
    expect(await take({ ...good, signature: spoiled })).toBe(false);
    expect(await take({ ...good, seat: 2 })).toBe(false);
    expect(await take({ ...good, seat: 4 })).toBe(false);
    expect(await take({ ...good, statement: statement.subarray(0, 167) })).toBe(false);
    expect(await take({ ...good, statement: new Uint8Array(168) })).toBe(false);
    expect(signersOf(1)).toEqual(['v1']);
  });

  it('of a seat without weight in the epoch do not count', async () => {
    const seats = SECOND.seats.map((seat, i) => (i === 3 ? { ...seat, weight: 0n } : seat));
    const seal = { block: 64, hash: new Uint8Array(32).fill(5), order: 300, timeMs: START_MS };
    epoch = nextEpoch(GENESIS.hash, FIRST, seal, seats);
    exchange = open();
    const statement = statementOf(1, 1, epoch);
    await reach(1, statement);
    expect(await take(vote(3, statement))).toBe(false);
    expect(signersOf(1)).toEqual(['v1']);
  });

  it('a higher signed checkpoint is not replaced by a lower one', async () => {
    await reach(1);
    await reach(2);
    for (const height of [2, 1]) for (const seat of [1, 2]) await take(vote(seat, statementOf(height)));
    expect([signed(), signersOf(1)]).toEqual([2, ['v1', 'v2', 'v3']]);
  });

  it('of the newest checkpoints are sent to new peers', async () => {
    await reach(1);
    for (const seat of [1, 2]) await take(vote(seat, statementOf(1)));
    expect(exchange.newestSignatures().map(({ seat }) => seat)).toEqual([0, 1, 2]);
    for (const one of exchange.newestSignatures()) expect(await open().onSignature(one, PEER)).toBe(true);
  });
});

describe('signatures that arrive early', () => {
  it('are counted when this node is there, and only the good ones', async () => {
    for (const seat of [1, 2]) expect(await take(vote(seat, statementOf(1)))).toBe(true);
    expect(await take(vote(3, statementOf(1), KEYS[1]!))).toBe(true);
    await reach(1);
    expect([signersOf(1), signed()]).toEqual([['v1', 'v2', 'v3'], 1]);
  });

  it('of the next epoch too', async () => {
    for (const seat of [1, 2]) await take(vote(seat, statementOf(1, 1, SECOND)));
    epoch = SECOND;
    exchange.onEpoch();
    await reach(1, statementOf(1, 1, SECOND));
    expect(signersOf(1)).toEqual(['v1', 'v2', 'v3']);
  });

  it('take bounded room for each sender', async () => {
    const junk = vote(1, statementOf(1));
    for (let height = 10; height < 3000; height++) {
      await exchange.onSignature({ ...junk, statement: statementOf(height) }, 'flood');
    }
    for (const seat of [1, 2]) await take(vote(seat, statementOf(1)));
    await reach(1);
    expect(signersOf(1)).toEqual(['v1', 'v2', 'v3']);
    // The flood's own room: 512 signatures of some 230 bytes, and those beyond are not kept.
    await exchange.onSignature(vote(2, statementOf(5000)), 'flood');
    await exchange.onSignature(vote(1, statementOf(20)), 'late');
    await reach(20);
    expect(signersOf(20)).toEqual(['v1', 'v2']);
    await reach(5000);
    expect(signersOf(5000)).toEqual(['v1']);
  });

  it('come in whatever liars filled, who may be many and are gone again', async () => {
    const junk = vote(1, statementOf(1));
    for (let liar = 0; liar < 10; liar++) {
      for (let height = 1000; height < 1512; height++)
        await exchange.onSignature({ ...junk, statement: statementOf(height) }, `liar ${liar}`);
    }
    for (const seat of [1, 2]) await take(vote(seat, statementOf(5)));
    await reach(5);
    expect(signersOf(5)).toEqual(['v1', 'v2', 'v3']);
  });

  it('of checkpoints that were reached take none of it', async () => {
    for (const height of [1, 2]) await reach(height);
    const unknown = { ...FIRST, id: new Uint8Array(32).fill(9) };
    const junk = vote(1, statementOf(1, 1, unknown));
    for (let seat = 0; seat < 3000; seat++) await exchange.onSignature({ ...junk, seat }, PEER);
    await take(vote(1, statementOf(3)));
    await reach(3);
    expect(signersOf(3)).toEqual(['v1', 'v2']);
  });

  it('that cannot be checked, because the verifier is full, harm nobody', async () => {
    for (const seat of [1, 2]) await take(vote(seat, statementOf(1)));
    const verify = verifier.verify;
    verifier.verify = () => Promise.reject(new Error('overloaded'));
    await reach(1);
    verifier.verify = verify;
    expect(signersOf(1)).toEqual(['v1']);
    expect(await take(vote(1, statementOf(1)))).toBe(true);
    expect(signersOf(1)).toEqual(['v1', 'v2']);
  });
});

describe('another state', () => {
  it('of fewer than a quorum does not stop the node', async () => {
    await reach(1);
    for (const seat of [1, 2]) await take(vote(seat, statementOf(1, 9)));
    await settle();
    expect([diverged, store.get(rowKey.meta('diverged')), signersOf(1)]).toEqual([[], undefined, ['v1']]);
  });

  it('of a quorum stops the node, and the proof is on disk', async () => {
    await reach(1);
    for (const seat of [1, 2, 3]) await take(vote(seat, statementOf(1, 9)));
    await settle();
    expect(diverged.map(({ name }) => name)).toEqual(['StateDiverged']);
    expect(diverged[0]!.message).toMatch('at checkpoint 1');
    interface Proof {
      height: number;
      own: CheckpointDoc;
      theirs: { seat: number; statement: string; signature: string }[];
    }
    const proof = readJson<Proof>(store.get(rowKey.meta('diverged')))!;
    expect([proof.height, proof.own.statement]).toEqual([1, toHex(statementOf(1))]);
    expect(proof.theirs).toEqual(
      [1, 2, 3].map((seat) => ({
        seat,
        statement: toHex(statementOf(1, 9)),
        signature: toHex(vote(seat, statementOf(1, 9)).signature),
      })),
    );
  });

  it('is a line of the log for each seat and height, whatever a liar signs again and again', async () => {
    const heights = Array.from({ length: 70 }, (_, i) => i + 1);
    for (const height of heights) await reach(height);
    const lie = async (order: readonly number[]): Promise<void> => {
      for (const height of order) await take(vote(1, statementOf(height, 9)));
    };
    await lie(heights);
    expect(errors).toBe(70);
    await lie(heights);
    await lie([1, 2, 1, 2]);
    expect(errors).toBe(70);
    // Still counted where the others dispute as well.
    for (const seat of [2, 3]) await take(vote(seat, statementOf(70, 9)));
    await settle();
    expect(diverged).toHaveLength(1);
  });

  it('does not add up from different states, nor from one seat that signs many', async () => {
    await reach(1);
    for (const seat of [1, 2, 3]) await take(vote(seat, statementOf(1, 20 + seat)));
    for (let state = 30; state < 40; state++) await take(vote(1, statementOf(1, state)));
    for (const seat of [2, 3]) await take(vote(seat, statementOf(1, 30)));
    await settle();
    expect(diverged).toEqual([]);
  });
});

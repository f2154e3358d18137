// A seat that is a quorum alone orders through the engine: each write is final in its own batch (consensus 5.10), the
// blocks form the chain of 5.17, and time follows 5.8.

import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import { genesisEpoch } from '../../../host/ordering/epoch.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import {
  checkpointHash,
  checkpointSigningBytes,
  decodeCheckpoint,
  verticesRoot,
} from '../../../host/wire/block.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { encodeEntry } from '../../../host/wire/entry.ts';
import { vertexSigningBytes } from '../../../host/wire/vertex.ts';
import type { BatchOp } from '../../../host/world/store.ts';
import {
  assemble,
  FakeClock,
  genesisOf,
  openParts,
  order,
  SEAT_KEY,
  seedOf,
  send,
  signedEntry,
} from '../one-node/harness.ts';
import { blocksOf, checkpointsOf, verticesOf } from '../one-node/log.ts';

class CountingStore extends MemoryStore {
  writes = 0;

  override async write(ops: readonly BatchOp[]): Promise<void> {
    this.writes += 1;
    await super.write(ops);
  }
}

const agentOf = (n: number) => keyPairFromSeed(seedOf(40 + n));

describe('one seat', () => {
  it('makes one vertex for a write, which is final by itself, and one write to the store', async () => {
    const store = new CountingStore();
    const p = await openParts({ store });
    for (let n = 0; n < 5; n++) {
      const [writes, made] = [store.writes, p.ordering.dag.vertexCount];
      expect(await send(p, agentOf(n), '/v1/agents')).toBeInstanceOf(Array);
      expect([store.writes - writes, p.ordering.dag.vertexCount - made]).toEqual([1, 1]);
      const { vertex, place } = verticesOf(store, 0).at(-1)!;
      expect([vertex.entries.length, vertex.header.work]).toEqual([1, true]);
      expect([place?.order, place?.txIds.length]).toEqual([p.executor.head.order, 1]);
    }
  });

  it('signs its vertices for the epoch, each on top of the one before', async () => {
    const p = await openParts();
    for (let n = 0; n < 3; n++) await send(p, agentOf(n), '/v1/agents');
    const epoch = genesisEpoch(genesisOf());
    const vertices = verticesOf(p.store, 0).map(({ vertex }) => vertex);
    for (const [i, { header, id, signature }] of vertices.entries()) {
      expect([header.seq, header.lamport, toHex(header.epochId)]).toEqual([i + 1, i + 1, toHex(epoch.id)]);
      expect(header.parents.map(toHex)).toEqual(i === 0 ? [] : [toHex(vertices[i - 1]!.id)]);
      const job = { publicKey: SEAT_KEY.publicKey, message: vertexSigningBytes(id), signature };
      expect(referenceVerifyMany([job])[0]).toBe(1);
    }
  });

  it('chains its blocks: hashes, indexes, orders, epoch, roots', async () => {
    const p = await openParts();
    for (let n = 0; n < 6; n++) {
      await send(p, agentOf(n), '/v1/agents');
      p.clock.ms += 900;
    }
    const blocks = blocksOf(p.store);
    const epoch = genesisEpoch(genesisOf());
    let previous = new Uint8Array(32);
    let last = 0;
    for (const [i, { header, hash, ids }] of blocks.entries()) {
      last += ids.length;
      expect(header).toMatchObject({ index: i + 1, order: last, vertexCount: ids.length, evidence: [] });
      expect(toHex(header.previous)).toBe(toHex(previous));
      expect(toHex(header.epochId)).toBe(toHex(epoch.id));
      expect(toHex(header.verticesRoot)).toBe(toHex(verticesRoot(ids)));
      expect(ids.map(toHex)).toContain(toHex(header.leader));
      previous = Uint8Array.from(hash);
    }
    const { blockHash, block, order: head } = p.executor.head;
    expect([block, blockHash, head]).toEqual([blocks.length, toHex(previous), last]);
    expect(p.ids.state.header()).toMatchObject({ block, order: head });
  });

  it('entries that do not fit one vertex take two in one batch, and the second sees the effects of the first', async () => {
    const store = new CountingStore();
    const p = await assemble({ store });
    const a = agentOf(0);
    const entry = (path: string, body: Record<string, unknown>, actor?: string): Uint8Array =>
      encodeEntry(signedEntry(p.clock, a, path, body, actor === undefined ? {} : { actor }));
    // A name belongs to a key only once its registration was executed.
    const entries = [
      entry('/v1/agents', { agent_id: 'first/name', initial_stake: 1_000_000 }),
      ...Array.from({ length: 60 }, (_, i) => new Uint8Array(60_000).fill(i)),
      entry('/v1/transfer', { to_agent: SEAT_KEY.publicKeyHex, amount: 5 }, 'first/name'),
    ];
    const writes = store.writes;
    const done = await order(p, entries);
    expect([done.length, store.writes - writes]).toEqual([62, 1]);
    expect(new Set(done.map(({ outcome }) => outcome.order)).size).toBe(2);
    expect(done.every(({ packed }, i) => packed.bytes === entries[i])).toBe(true);
    expect([done[0]!.outcome.code, done[1]!.outcome.code, done[61]!.outcome.code]).toEqual([
      abi.OK,
      abi.ENTRY_INVALID,
      abi.OK,
    ]);
  });
});

describe('checkpoints', () => {
  it('are made at the first block end after every 100 ordered vertices, signed, without gaps', async () => {
    const p = await openParts();
    for (let n = 0; n < 305; n++) await send(p, SEAT_KEY, '/v1/stake', { amount: 1 });
    const docs = checkpointsOf(p.store);
    expect(docs.map((c) => [c.height, c.order])).toEqual([
      [1, 100],
      [2, 200],
      [3, 300],
    ]);
    const epoch = genesisEpoch(genesisOf());
    for (const doc of docs) {
      const statement = fromHex(doc.statement)!;
      const told = decodeCheckpoint(statement)!;
      const block = blocksOf(p.store)[doc.block_index - 1]!;
      expect([toHex(told.blockHash), told.order]).toEqual([toHex(block.hash), block.header.order]);
      expect(toHex(told.stateRoot)).toBe(doc.state_root);
      expect(doc.manifest_digest).toBe(toHex(epoch.digest));
      const { public_key, signature } = doc.signatures[0]!;
      const message = checkpointSigningBytes(checkpointHash(statement));
      const job = { publicKey: fromHex(public_key)!, message, signature: fromHex(signature)! };
      expect([doc.signatures.length, referenceVerifyMany([job])[0]]).toEqual([1, 1]);
    }
  });
});

describe('consensus time', () => {
  it('never falls and follows the clock: the block of a write has the time of its vertex', async () => {
    const clock = new FakeClock();
    const p = await openParts({ clock });
    // Forward, standing, backward, an hour of silence.
    for (const step of [0, 700, 0, -5000, 10, 3_600_000, 1]) {
      clock.ms += step;
      const highest = Math.max(p.executor.head.timeMs, clock.ms);
      expect(await send(p, SEAT_KEY, '/v1/stake', { amount: 1 })).toBeInstanceOf(Array);
      expect(p.executor.head.timeMs).toBe(highest);
    }
    const times = blocksOf(p.store).map(({ header }) => header.timeMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    // Round 1 repeats the time before it, so a leader of round 1 cannot set it (consensus 5.8).
    expect(times[0]).toBe(0);
  });

  it('with a launch time, it starts there', async () => {
    const manifest = { ...genesisOf().manifest, launch_time: 1_700_000_000 };
    const p = await openParts({ manifest });
    expect(blocksOf(p.store)[0]!.header.timeMs).toBe(1_700_000_000_000);
    expect(p.executor.head.timeMs).toBe(p.clock.ms);
    expect(p.ids.state.header().launchTime).toBe(1_700_000_000);
  });

  it('an idle node keeps ordering while its clock is set back', async () => {
    const p = await openParts();
    const { order: before, timeMs } = p.executor.head;
    p.clock.skewMs = -3_600_000;
    await p.clock.advance(9000);
    // Two idle vertices.
    expect(p.executor.head.order).toBe(before + 2);
    expect(p.executor.head.timeMs).toBe(timeMs);
  });
});

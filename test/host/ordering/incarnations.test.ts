// Seats that may have lost vertices and go on in a new incarnation of their numbers, on a whole node (consensus 5.1, 5.7,
// 5.12). The own seat is a quorum alone; the vertices of others are made here.

import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import type { EpochLimits } from '../../../host/wire/block.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeEntry } from '../../../host/wire/entry.ts';
import { decodeEquivocation } from '../../../host/wire/equivocation.ts';
import { firstSeqOf, MAX_INCARNATION } from '../../../host/wire/seq.ts';
import { encodeVertex, makeVertex, type Vertex } from '../../../host/wire/vertex.ts';
import {
  openParts,
  order,
  type Parts,
  restoreAt,
  SEAT_KEY,
  seedOf,
  send,
  signedEntry,
} from '../one-node/harness.ts';
import { blocksOf, verticesOf } from '../one-node/log.ts';
import { absentKey, heavyManifest } from '../one-node/manifests.ts';

const NEVER: EpochLimits = { earlyBlocks: 1e9, blocks: 1e9, vertices: 10_000, timeMs: 1e9 };
const net = { manifest: heavyManifest(6, 0.7), params: { min_participants: '1' }, limits: NEVER };
const agentOf = (n: number) => keyPairFromSeed(seedOf(60 + n));

/** A vertex of a seat that the test signs for; `own` is its self-parent. */
function vertexOf(
  p: Parts,
  seat: number,
  seq: number,
  own?: Vertex,
  others: Vertex[] = [],
  entries: Uint8Array[] = [],
): Vertex {
  const { id, maxParents } = p.ordering.epoch;
  const parents = own ? [own, ...others] : others;
  const header = {
    work: true,
    creator: seat,
    seq,
    lamport: 1 + Math.max(0, ...parents.map((v) => v.header.lamport)),
    timeMs: p.clock.ms,
    epochId: id,
    parents: parents.map((v) => v.id),
  };
  const key = seat === 0 ? SEAT_KEY : absentKey(seat);
  return makeVertex(header, entries, (m) => key.sign(m), maxParents);
}

const admit = (p: Parts, ...vertices: Vertex[]): string[] =>
  vertices.map((v) => p.ordering.admit(v, encodeVertex(v)));
const registration = (p: Parts, n: number): Uint8Array =>
  encodeEntry(signedEntry(p.clock, agentOf(n), '/v1/agents', {}));
const isRegistered = (p: Parts, n: number): boolean => p.ids.find(agentOf(n).publicKey) !== undefined;
const ownSeqs = (p: Parts, epoch = 0): number[] =>
  verticesOf(p.store, epoch).flatMap(({ vertex }) =>
    vertex.header.creator === 0 ? [vertex.header.seq] : [],
  );

describe('the own seat', () => {
  it('goes on in the incarnation it is told, over its highest vertex, also after a restart', async () => {
    const p = await openParts(net);
    await send(p, agentOf(1), '/v1/agents');
    const before = p.ordering.dag.own!;
    p.ordering.startIncarnation(3, 0);
    await send(p, agentOf(2), '/v1/agents');
    const first = verticesOf(p.store, 0).find(({ vertex }) => vertex.header.seq === firstSeqOf(3))!;
    expect(toHex(first.vertex.header.parents[0]!)).toBe(toHex(before.id));
    expect(ownSeqs(p).slice(before.seq, before.seq + 3)).toEqual([0, 1, 2].map((n) => firstSeqOf(3) + n));

    const again = await openParts({ ...net, store: p.store, clock: p.clock });
    const { seq } = again.ordering.dag.own!;
    expect(seq).toBeGreaterThan(firstSeqOf(3));
    await send(again, agentOf(3), '/v1/agents');
    expect(ownSeqs(again)).toContain(seq + 1);
    expect(isRegistered(again, 2) && isRegistered(again, 3)).toBe(true);
    expect((await restoreAt(p.store, false, net)).root).toBe((await restoreAt(p.store, true, net)).root);
  });

  it('begins the epochs that it was told in that incarnation, and later ones in none', async () => {
    const limits = { ...NEVER, blocks: 9 };
    const p = await openParts({ ...net, limits });
    p.ordering.startIncarnation(2, 1);
    for (let n = 1; p.ordering.epoch.number < 3; n++) {
      await send(p, keyPairFromSeed(seedOf(100 + n)), '/v1/agents');
    }
    await send(p, agentOf(1), '/v1/agents');
    expect([1, 2, 3].map((epoch) => ownSeqs(p, epoch)[0])).toEqual([firstSeqOf(2), 1, 1]);
  });

  it('is not set back by a vertex that it had lost', async () => {
    const p = await openParts(net);
    await send(p, agentOf(1), '/v1/agents');
    const stored = verticesOf(p.store, 0).map(({ vertex }) => vertex);
    p.ordering.startIncarnation(1, 0);
    await send(p, agentOf(2), '/v1/agents');
    const { own } = p.ordering.dag;
    const lost = vertexOf(p, 0, stored.at(-1)!.header.seq + 1, stored.at(-1));
    expect(admit(p, lost)).toEqual(['inserted']);
    expect(p.ordering.dag.own).toEqual(own);
    expect([p.ordering.dag.newestSeqs[0], p.ordering.dag.forks.size]).toEqual([own!.seq, 0]);
    expect([
      p.ordering.dag.hasSeq(0, lost.header.seq),
      p.ordering.dag.hasSeq(0, lost.header.seq + 1),
    ]).toEqual([true, false]);
    await send(p, agentOf(3), '/v1/agents');
    expect(isRegistered(p, 3)).toBe(true);
  });

  it('has incarnations 1 to the highest', async () => {
    const p = await openParts(net);
    for (const wrong of [0, -1, 1.5, MAX_INCARNATION + 1]) {
      expect(() => p.ordering.startIncarnation(wrong, 0)).toThrow(RangeError);
    }
    p.ordering.startIncarnation(MAX_INCARNATION, 0);
    await send(p, agentOf(1), '/v1/agents');
    expect(isRegistered(p, 1)).toBe(true);
  });
});

describe('another seat', () => {
  it('what it lost comes too late: ordered, void, not executed, and no offense; its requests can still be made', async () => {
    const p = await openParts(net);
    const one = vertexOf(p, 3, 1);
    const [late, resumed] = [registration(p, 1), registration(p, 2)];
    const lost = vertexOf(p, 3, 2, one, [], [late]);
    const back = vertexOf(p, 3, firstSeqOf(1), one, [], [resumed]);
    expect(admit(p, one, back)).toEqual(['inserted', 'inserted']);
    await order(p, []);
    expect([isRegistered(p, 1), isRegistered(p, 2)]).toEqual([false, true]);
    // Seat 4 had it, and built on it.
    expect(admit(p, lost, vertexOf(p, 4, 1, undefined, [lost]))).toEqual(['inserted', 'inserted']);
    await order(p, []);
    expect(
      verticesOf(p.store, 0).find(({ vertex }) => toHex(vertex.id) === toHex(lost.id))!.place?.order,
    ).toBeDefined();
    expect(isRegistered(p, 1)).toBe(false);
    expect(blocksOf(p.store).flatMap(({ header }) => header.evidence)).toEqual([]);
    expect(p.ids.state.validator(3)!.status).toBe(abi.VALIDATOR_ACTIVE);
    expect([p.ordering.dag.forks.size, p.ordering.dag.forkLoads[3]!.count]).toEqual([0, 1]);
    const proofs = verticesOf(p.store, 0).flatMap(({ vertex }) =>
      vertex.entries.filter((e) => decodeEquivocation(e)),
    );
    expect(proofs).toEqual([]);
    await order(p, [late]);
    expect(isRegistered(p, 1)).toBe(true);
    expect((await restoreAt(p.store, false, net)).root).toBe((await restoreAt(p.store, true, net)).root);
  });

  it('what it lost, and what was ordered before it came back, keeps its effect', async () => {
    const p = await openParts(net);
    const one = vertexOf(p, 3, 1);
    const lost = vertexOf(p, 3, 2, one, [], [registration(p, 1)]);
    expect(admit(p, one, lost)).toEqual(['inserted', 'inserted']);
    await order(p, []);
    const back = vertexOf(p, 3, firstSeqOf(1), one, [], [registration(p, 2)]);
    expect(admit(p, back)).toEqual(['inserted']);
    await order(p, []);
    expect([isRegistered(p, 1), isRegistered(p, 2)]).toEqual([true, true]);
  });

  it('two vertices with one seq exclude it as ever, also when an incarnation came between them', async () => {
    const p = await openParts(net);
    const one = vertexOf(p, 3, 1);
    expect(admit(p, one, vertexOf(p, 3, firstSeqOf(1), one))).toEqual(['inserted', 'inserted']);
    await order(p, []);
    p.clock.ms += 1;
    const twin = vertexOf(p, 3, 1);
    expect(admit(p, twin)).toEqual(['inserted']);
    expect(p.ordering.dag.forks.has(3)).toBe(true);
    await order(p, []);
    await send(p, agentOf(1), '/v1/agents');
    expect(p.ids.state.validator(3)!.status).toBe(abi.VALIDATOR_EXCLUDED);
  });
});

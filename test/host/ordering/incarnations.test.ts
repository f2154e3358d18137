// Seats that may have lost vertices and go on in a new incarnation of their numbers, on a whole node (consensus 5.1, 5.7,
// 5.12). The own seat is a quorum alone; the vertices of others are made here.

import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import type { ReadContext } from '../../../host/api/context.ts';
import { health, networkState, status } from '../../../host/api/handlers/network.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { isThirdOf } from '../../../host/ordering/epoch.ts';
import { eventsAt } from '../../../host/store/events.ts';
import { readHistory } from '../../../host/store/history.ts';
import type { EpochLimits } from '../../../host/wire/block.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeEntry } from '../../../host/wire/entry.ts';
import { decodeEquivocation } from '../../../host/wire/equivocation.ts';
import { firstSeqOf, MAX_INCARNATION } from '../../../host/wire/seq.ts';
import { encodeVertex, makeVertex, type Vertex } from '../../../host/wire/vertex.ts';
import {
  genesisOf,
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
    const after = ownSeqs(p).slice(before.seq);
    expect(after).toEqual(after.map((_, n) => firstSeqOf(3) + n));

    const again = await openParts({ ...net, store: p.store, clock: p.clock });
    const { seq } = again.ordering.dag.own!;
    expect(seq).toBeGreaterThanOrEqual(firstSeqOf(3));
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

describe('what the order records', () => {
  const resumedOf = (p: Parts): unknown[] =>
    eventsAt(
      p.store,
      Array.from({ length: p.executor.head.seq }, (_, i) => i + 1),
    ).flatMap((event) => (event!.event_type === 'seat_resumed' ? [event!.payload] : []));
  const told = (seat: number, incarnation: number, mayLose: boolean) => ({
    validator_id: `v${seat + 1}`,
    seat,
    epoch: 0,
    incarnation,
    writes_may_be_lost: mayLose,
  });
  const lostOf = (p: Parts): [order: number, secs: number] => {
    const { lostWritesOrder, lostWritesSecs } = p.ids.state.header();
    return [lostWritesOrder, lostWritesSecs];
  };
  /** What Status, Health and NetworkState say of it. */
  const shownBy = (p: Parts): unknown[] => {
    const c = {
      state: p.ids.state,
      ids: p.ids,
      seat: 0,
      genesis: genesisOf(net),
      peers: () => [],
      pending: { size: 0 },
      totals: { vertices: 0 },
      uptimeSecs: () => 1,
      ordersBehind: () => undefined,
      history: () => readHistory(p.store),
      isUnarchived: () => false,
      health: () => ({ status: 'healthy', reason: undefined }),
      readiness: () => ({ isReady: true, reasons: [] }),
    } as unknown as ReadContext;
    const bodies = [status(c), health(c), networkState(c)].map(({ body }) => body);
    return bodies.map((body) => (body as Record<string, unknown>).writes_may_be_lost);
  };
  /** Six seats: the own one with 70 percent, the others with 6 each. */
  const resume = async (p: Parts, seat: number, incarnation: number): Promise<void> => {
    expect(admit(p, vertexOf(p, seat, firstSeqOf(incarnation)))).toEqual(['inserted']);
    await order(p, []);
  };

  it('seats that resume, each time; below a third of the weight no writes are lost', async () => {
    const p = await openParts(net);
    for (const seat of [5, 2, 3, 4]) await resume(p, seat, 1);
    await resume(p, 2, 4);
    const all = [5, 2, 3, 4].map((seat) => told(seat, 1, false));
    expect([resumedOf(p), lostOf(p)]).toEqual([
      [...all, told(2, 4, false)],
      [0, 0],
    ]);
    expect(shownBy(p)).toEqual([undefined, undefined, undefined]);
    // A second one of the same seat, and void vertices, add nothing to what resumed: 24 percent.
    expect(await restoreAt(p.store, false, net)).toEqual(await restoreAt(p.store, true, net));
  });

  it('a third of the weight in one epoch: order and time of the block, which every restart knows', async () => {
    const p = await openParts({ ...net, snapshotOrders: 8 });
    await resume(p, 5, 2);
    p.ordering.startIncarnation(9, 0);
    await send(p, agentOf(1), '/v1/agents');
    expect(resumedOf(p)).toEqual([told(5, 2, false), told(0, 9, true)]);
    const block = blocksOf(p.store).find(({ header }) => header.order >= lostOf(p)[0])!;
    expect(lostOf(p)).toEqual([block.header.order, Math.floor(block.header.timeMs / 1000)]);
    const [first, firstSecs] = lostOf(p);
    const shown = { order: first, consensus_time: firstSecs };
    expect(shownBy(p)).toEqual([shown, shown, shown]);
    // Whoever resumes after that makes the loss greater.
    await send(p, agentOf(2), '/v1/agents');
    await resume(p, 3, 1);
    expect(resumedOf(p).slice(2)).toEqual([told(3, 1, true)]);
    expect(lostOf(p)[0]).toBeGreaterThan(first);
    // Also from a snapshot within the epoch: what resumed before it still counts.
    const again = await openParts({ ...net, store: p.store, clock: p.clock });
    await resume(again, 4, 1);
    expect(resumedOf(again).slice(3)).toEqual([told(4, 1, true)]);
    expect(await restoreAt(p.store, false, net)).toEqual(await restoreAt(p.store, true, net));
  });

  it('not a resumption that is void: a higher one of the seat took effect before', async () => {
    const p = await openParts(net);
    await resume(p, 3, 5);
    const lost = vertexOf(p, 3, firstSeqOf(4));
    expect(admit(p, lost, vertexOf(p, 4, 1, undefined, [lost]))).toEqual(['inserted', 'inserted']);
    await order(p, []);
    expect(resumedOf(p)).toEqual([told(3, 5, false)]);
  });

  it('exactly a third is enough', async () => {
    const { epoch } = (await openParts(net)).ordering;
    const seats = [34n, 33n, 32n].map((weight) => ({ ...epoch.seats[0]!, weight }));
    expect([0, 1, 2].map((seat) => isThirdOf({ ...epoch, seats }, [seat]))).toEqual([true, true, false]);
    expect(isThirdOf({ ...epoch, seats }, [2, 2, 2])).toBe(false);
  });

  it('each epoch by itself', async () => {
    const limits = { ...NEVER, blocks: 9 };
    const p = await openParts({ ...net, limits });
    p.ordering.startIncarnation(1, 0);
    await send(p, agentOf(1), '/v1/agents');
    const [lost] = lostOf(p);
    expect(lost).toBeGreaterThan(0);
    for (let n = 2; p.ordering.epoch.number === 0; n++) await send(p, agentOf(n), '/v1/agents');
    await resume(p, 3, 1);
    expect(resumedOf(p).at(-1)).toEqual({ ...told(3, 1, false), epoch: 1 });
    expect(lostOf(p)[0]).toBe(lost);
  });

  it('two that resume with one block, in order of seats, with the last incarnation of each', async () => {
    const p = await openParts(net);
    const one = vertexOf(p, 4, firstSeqOf(1));
    const again = vertexOf(p, 4, firstSeqOf(3), one);
    expect(admit(p, one, again, vertexOf(p, 2, firstSeqOf(2), undefined, [again]))).toHaveLength(3);
    await order(p, []);
    expect(resumedOf(p)).toEqual([told(2, 2, false), told(4, 3, false)]);
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

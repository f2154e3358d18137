// What must be written at once and what can wait: vertices of others change nothing until a block or an own vertex
// includes them, and after a crash they are fetched again.

import { describe, expect, it } from 'vitest';
import { rowKey } from '../../../host/store/prefixes.ts';
import { encodeVertex, makeVertex, type Vertex } from '../../../host/wire/vertex.ts';
import { openParts, order, type Parts, restoreAt } from '../one-node/harness.ts';
import { absentKey, heavyManifest } from '../one-node/manifests.ts';

const net = { manifest: heavyManifest(6, 0.7), params: { min_participants: '1' } };

/** The next vertices of an absent seat, none of which wants to become final. */
function chainOf(p: Parts, seat: number, count: number): Vertex[] {
  const { id, maxParents } = p.ordering.epoch;
  const made: Vertex[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const own = made.at(-1);
    const header = {
      work: false,
      creator: seat,
      seq,
      lamport: seq,
      timeMs: p.clock.ms,
      epochId: id,
      parents: own ? [own.id] : [],
    };
    made.push(makeVertex(header, [], (m) => absentKey(seat).sign(m), maxParents));
  }
  return made;
}

const isStored = (p: Parts, { id }: Vertex): boolean => p.store.get(rowKey.vertex(id)) !== undefined;

function admit(p: Parts, vertices: readonly Vertex[]): void {
  for (const v of vertices) expect(p.ordering.admit(v, encodeVertex(v))).toBe('inserted');
  p.ordering.drain();
}

describe('vertices of others', () => {
  it('wait in memory until an own vertex is written, and are in the same batch', async () => {
    const p = await openParts(net);
    const before = await restoreAt(p.store, true, net);
    const foreign = chainOf(p, 2, 3);
    admit(p, foreign);
    expect(await p.executor.commit()).toBeUndefined();
    expect(foreign.map((v) => isStored(p, v))).toEqual([false, false, false]);
    // A crash now loses nothing but them.
    expect(await restoreAt(p.store, true, net)).toEqual(before);

    p.ordering.advance({ nowMs: p.clock.nowMs(), causes: () => ['change'] });
    const group = await p.executor.commit();
    expect(foreign.map((v) => isStored(p, v))).toEqual([true, true, true]);
    const creators = group!.vertices.map(({ creator }) => creator);
    expect(creators.slice(0, 3)).toEqual([2, 2, 2]);
    expect(creators.slice(3).every((creator) => creator === 0) && creators.length > 3).toBe(true);
    const root = await restoreAt(p.store, false, net);
    expect(root.order).toBe(p.sequencer.order);
  });

  it('do not wait without bound', async () => {
    const p = await openParts(net);
    // One seat may not make more than 64 vertices in a row in one round.
    const [first, ...others] = [1, 2, 3, 4, 5].map((seat) => chainOf(p, seat, 60));
    admit(p, first!);
    expect(await p.executor.commit()).toBeUndefined();
    admit(p, others.flat());
    const group = await p.executor.commit();
    expect([group!.blocks, group!.vertices.length]).toEqual([0, 300]);
    expect([first!, ...others].flat().every((v) => isStored(p, v))).toBe(true);
    expect(await p.executor.commit()).toBeUndefined();
  });

  it('are written when the node stops', async () => {
    const p = await openParts(net);
    const foreign = chainOf(p, 1, 1);
    admit(p, foreign);
    await p.sequencer.close();
    await p.executor.close();
    expect(isStored(p, foreign[0]!)).toBe(true);
  });
});

it('payload waits while the room of the epoch is nearly used up by what nobody orders', async () => {
  const limits = { earlyBlocks: 1000, blocks: 1000, vertices: 40, timeMs: 1e9 };
  const p = await openParts({ ...net, limits });
  // Of 80 in all; this seat made some at its start.
  const count = Math.floor((70 - p.ordering.dag.vertexCount) / 5) + 1;
  for (const seat of [1, 2, 3, 4, 5]) admit(p, chainOf(p, seat, count));
  const own = p.ordering.dag.vertexCount;
  const done = await order(p, [new Uint8Array(300)]);
  expect([done.length, p.ordering.dag.vertexCount]).toEqual([0, own]);
});

// What is left out of an answer by position: what is ordered at the asking node, and what it has of each seat.

import { expect, it } from 'vitest';
import { VertexServer } from '../../../host/net/vertex-server.ts';
import { placeRow } from '../../../host/ordering/vertex-place.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { keyOf, keyU32Pair } from '../../../host/store/prefixes.ts';
import { type Made, Weaver } from './dag-fixture.ts';

const made = new Weaver().many(12);

/** A server of epoch 0 with these vertices, of which the first six are ordered. */
async function serverIn(running: number): Promise<VertexServer> {
  const store = new MemoryStore();
  await store.write(
    made.flatMap(({ vertex, bytes }, i) => [
      { key: keyU32Pair('i', 0, i), value: vertex.id },
      { key: keyOf('v', vertex.id), value: bytes },
      ...(i < 6 ? [{ key: keyOf('r', vertex.id), value: placeRow(i + 1, 1, 1, []) }] : []),
    ]),
  );
  const headers = made.map(({ vertex }) => vertex.header);
  const dag = {
    positionsAbove: (cursor: number, seqs: readonly number[]) => ({
      positions: headers.flatMap(({ creator, seq }, i) =>
        i >= cursor && seq > (seqs[creator] ?? 0) ? [i] : [],
      ),
      next: headers.length,
    }),
  };
  return new VertexServer(store, { epoch: { number: running }, dag } as never);
}

for (const running of [0, 1]) {
  it(`an epoch that ${running === 0 ? 'runs' : 'is sealed'}`, async () => {
    const server = await serverIn(running);
    const given = (seqs: number[], order: number) =>
      server.sync({ type: 'sync', epoch: 0, cursor: 0, seqs }, order)!.vertices;
    const bytesOf = (some: readonly Made[]) => some.map(({ bytes }) => bytes);
    expect(given([], 0)).toEqual(bytesOf(made));
    expect(given([], 4)).toEqual(bytesOf(made.slice(4)));
    // More is not known to be ordered than is ordered here.
    expect(given([], 100)).toEqual(bytesOf(made.slice(6)));
    expect(given([2, 2, 2, 2], 0)).toEqual(bytesOf(made.slice(8)));
    expect(given([3, 3, 2, 3], 100)).toEqual(bytesOf([made[10]!]));
  });
}

// What a node serves to those that lack vertices: by position, of the running epoch and of every sealed one (consensus 5.11).

import { beforeAll, describe, expect, it } from 'vitest';
import { VertexServer } from '../../../host/net/vertex-server.ts';
import { placeRow } from '../../../host/ordering/vertex-place.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { decodeVertex } from '../../../host/wire/vertex.ts';
import { type Made, Weaver } from './dag-fixture.ts';
import { Giver } from './join-world.ts';

let giver: Giver;
let server: VertexServer;
beforeAll(async () => {
  giver = await Giver.make();
  server = new VertexServer(giver.parts.store, giver.parts.ordering);
});

/** Ids of an epoch's vertices in the order in which the node took them. */
function storedIds(epoch: number): string[] {
  const ids: string[] = [];
  for (let position = 0; ; position++) {
    const id = giver.parts.store.get(rowKey.epochVertex(epoch, position));
    if (!id) return ids;
    ids.push(toHex(id));
  }
}

/** Ids that `sync` gives from the beginning of an epoch to its end. */
function servedIds(epoch: number, seqs: readonly number[] = []): string[] {
  const ids: string[] = [];
  for (let cursor = 0; ; ) {
    const answer = server.sync({ type: 'sync', epoch, cursor, seqs: [...seqs] }, 0)!;
    expect(answer.epoch).toBe(epoch);
    ids.push(...answer.vertices.map((bytes) => toHex(decodeVertex(bytes)!.id)));
    if (answer.isEnd) return ids;
    expect(answer.cursor).toBeGreaterThan(cursor);
    cursor = answer.cursor;
  }
}

describe('the vertices of an epoch', () => {
  it('are served when it is sealed long since, every one, for a node that was away', () => {
    const running = giver.parts.ordering.epoch.number;
    expect(running).toBeGreaterThanOrEqual(2);
    for (let epoch = 0; epoch <= running; epoch++) {
      expect(storedIds(epoch).length).toBeGreaterThan(0);
      expect(servedIds(epoch)).toEqual(storedIds(epoch));
    }
  });

  it('of a sealed one those that the asking node has are left out', () => {
    const { store } = giver.parts;
    const headers = storedIds(0).map((id) => decodeVertex(store.get(rowKey.vertex(fromHex(id)!))!)!.header);
    const own = Math.floor(Math.max(...headers.map(({ seq }) => seq)) / 2);
    const missing = headers.filter(({ creator, seq }) => creator !== 0 || seq > own);
    expect([missing.length > 0, missing.length < headers.length]).toEqual([true, true]);
    expect(servedIds(0, [own])).toHaveLength(missing.length);
  });

  it('of one that has not begun here nothing is said', () => {
    const epoch = giver.parts.ordering.epoch.number + 1;
    expect(server.sync({ type: 'sync', epoch, cursor: 0, seqs: [] }, 0)).toBeUndefined();
  });
});

const made = new Weaver().many(12);

/** A server of epoch 0 with these vertices, of which the first six are ordered. */
async function serverIn(running: number): Promise<VertexServer> {
  const store = new MemoryStore();
  await store.write(
    made.flatMap(({ vertex, bytes }, i) => [
      { key: rowKey.epochVertex(0, i), value: vertex.id },
      { key: rowKey.vertex(vertex.id), value: bytes },
      ...(i < 6 ? [{ key: rowKey.vertexPlace(vertex.id), value: placeRow(i + 1, 1, 1, []) }] : []),
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

/** What is left out of an answer: what is ordered at the asking node, and what it has of each seat. */
for (const running of [0, 1]) {
  it(`of an epoch that ${running === 0 ? 'runs' : 'is sealed'}`, async () => {
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

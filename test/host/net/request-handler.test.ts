// What the questions of one peer make this node do: as much as the peer has credit for, whatever it asks (protocol 12.8).

import { beforeEach, expect, it } from 'vitest';
import { Peer } from '../../../host/net/peer.ts';
import { RequestHandler } from '../../../host/net/request-handler.ts';
import { VertexServer } from '../../../host/net/vertex-server.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { FakeClock } from '../one-node/harness.ts';
import { KEYS, Weaver } from './dag-fixture.ts';
import { MemoryLink, Remote } from './memory-transport.ts';

const POSITIONS = 1000;
const made = new Weaver().many(12);
/** Above every number of a vertex. */
const ALL_SEQS = [9999, 9999, 9999, 9999];

let clock: FakeClock;
let reads: number;
let peer: Peer;
let far: Remote;
let handler: RequestHandler;

beforeEach(async () => {
  clock = new FakeClock();
  reads = 0;
  const store = new MemoryStore();
  for (const { vertex, bytes } of made) await store.write([{ key: rowKey.vertex(vertex.id), value: bytes }]);
  // A sealed epoch with many positions.
  for (let i = 0; i < POSITIONS; i++)
    await store.write([{ key: rowKey.epochVertex(0, i), value: made[i % made.length]!.vertex.id }]);
  const counted = {
    get(key: Uint8Array) {
      reads += 1;
      return store.get(key);
    },
  };
  const [near, other] = MemoryLink.pair(KEYS[0]!.publicKey, KEYS[1]!.publicKey);
  peer = new Peer(near, clock);
  far = new Remote(other);
  handler = new RequestHandler({
    vertices: new VertexServer(counted, { epoch: { number: 1 } } as never),
    epoch: () => 1,
  } as never);
  return () => peer.stop();
});

/** Rows that are read for a flood of one question. */
function flood(question: Parameters<RequestHandler['answer']>[1]): number {
  const before = reads;
  for (let i = 0; i < 5000; i++) handler.answer(peer, question);
  return reads - before;
}

it.each([
  ['vertices that are left out of the answer', { type: 'sync', epoch: 0, cursor: 0, seqs: ALL_SEQS }],
  [
    'vertices that are not here',
    { type: 'want', ids: Array.from({ length: 200 }, () => new Uint8Array(32)) },
  ],
] as const)('a flood of questions for %s reads what its credit pays for', async (_, question) => {
  // 2,000 at first, then 1,000 a second; a question that is answered may be as dear as it is.
  expect(flood(question as never)).toBeLessThanOrEqual(32 * 2000 + 2 * POSITIONS);
  expect(flood(question as never)).toBe(0);
  // What it says unasked has credit of its own.
  expect(peer.spendsUnasked()).toBe(true);
  // The first of them may wait for its answer.
  await clock.advance(1000);
  expect(flood(question as never)).toBeLessThanOrEqual(32 * 1000 + 2 * POSITIONS);
});

it('who reads what it asks for gets ten thousand vertices a second', async () => {
  for (let i = 0; i < 3; i++) {
    for (let n = 0; n < 50; n++) {
      handler.answer(peer, { type: 'sync', epoch: 0, cursor: 0, seqs: [] });
      await new Promise(setImmediate);
    }
    await clock.advance(1000);
  }
  const got = far.all('synced').reduce((sum, { vertices }) => sum + vertices.length, 0);
  expect(got).toBe(3 * 50 * 200);
});

it('who passes what it has, one question after the other, is answered each time, the later ones when there is credit', async () => {
  let answers = 0;
  for (let ms = 0; ms < 10_000; ms += 20) {
    if (far.all('synced').length === answers) {
      handler.answer(peer, { type: 'sync', epoch: 0, cursor: 0, seqs: ALL_SEQS });
      answers += 1;
    }
    await clock.advance(20);
    await new Promise(setImmediate);
  }
  // Two rows of each position.
  expect(answers).toBeGreaterThan(150);
  expect(reads).toBeLessThanOrEqual(32 * 12_000 + 2 * POSITIONS);
});

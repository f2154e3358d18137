// What the questions of one peer make this node do: as much as the peer has credit for, whatever it asks (protocol 12.8).

import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckpointSignature } from '../../../host/net/checkpoint-exchange.ts';
import { JoinServer } from '../../../host/net/join-server.ts';
import { Peer } from '../../../host/net/peer.ts';
import { RequestHandler } from '../../../host/net/request-handler.ts';
import { VertexServer } from '../../../host/net/vertex-server.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import type { StoreView } from '../../../host/world/store.ts';
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

it('a flood of questions for nothing in a long running epoch examines what its credit pays for', async () => {
  const VERTICES = 500_000;
  let examined = 0;
  const dag = {
    positionsAbove(cursor: number) {
      examined += VERTICES - cursor;
      return { positions: [], next: VERTICES };
    },
  };
  handler = new RequestHandler({
    vertices: new VertexServer(new MemoryStore(), { epoch: { number: 1 }, dag } as never),
    epoch: () => 1,
  } as never);
  const question = { type: 'sync', epoch: 1, cursor: 0, seqs: ALL_SEQS } as const;
  flood(question);
  expect(examined).toBeLessThanOrEqual(8192 * 2000 + 2 * VERTICES);
  // Who has everything and asks now and then is answered.
  await clock.advance(3000);
  examined = 0;
  handler.answer(peer, question);
  expect(examined).toBe(VERTICES);
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

const SEATS = 100;
const SEALED = 100;
const ROWS = 4000;
const OPENING = 300;
const hexOf = (length: number, n: number): string => toHex(new Uint8Array(length).fill(n));

/** A node of a hundred seats after a hundred seals, one of them silent in the running epoch. */
async function storeOfMany(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const ops: { key: Uint8Array; value: Uint8Array }[] = [];
  const put = (key: Uint8Array, doc: unknown): void => {
    ops.push({ key, value: Buffer.from(JSON.stringify(doc)) });
  };
  const seats = Array.from({ length: SEATS }, (_, n) => ({ key: hexOf(32, n), weight: '100000000000' }));
  for (let epoch = 1; epoch <= SEALED; epoch++) {
    put(rowKey.epoch(epoch), { number: epoch, seats, first_block: 64 * epoch });
    const signatures = seats.map(({ key }, n) => ({
      validator_id: `v${n}`,
      public_key: key,
      signature: hexOf(64, n),
    }));
    put(rowKey.checkpoint(epoch), { block_index: 64 * epoch - 1, statement: hexOf(168, epoch), signatures });
  }
  put(rowKey.meta('head'), { block: 64 * SEALED, order: 300 * SEALED, epoch: SEALED });
  put(rowKey.totals('totals'), { checkpoints: SEALED, vertices: 300 * SEALED });
  for (let i = 0; i < OPENING; i++) {
    const id = new Uint8Array(32);
    id.set([i >> 8, i & 255]);
    const { bytes } = made[i % made.length]!;
    const vertex = bytes.slice();
    vertex.set([i % (SEATS - 1), 0], 6);
    ops.push({ key: rowKey.epochVertex(SEALED, i), value: id }, { key: rowKey.vertex(id), value: vertex });
  }
  for (let seq = 1; seq <= ROWS; seq++) ops.push({ key: rowKey.event(seq), value: new Uint8Array(100) });
  await store.write(ops);
  return store;
}

describe('of a node of a hundred seats', () => {
  let serving: JoinServer;
  let parsed: number;
  let scanned: number;
  let views: StoreView[];

  beforeEach(async () => {
    const store = await storeOfMany();
    parsed = 0;
    scanned = 0;
    views = [];
    const counted = {
      get(key: Uint8Array) {
        const row = store.get(key);
        reads += 1;
        if (row && row[0] === '{'.charCodeAt(0)) parsed += row.length;
        return row;
      },
      view() {
        const view = store.view();
        views.push(view);
        return {
          ...view,
          async page(range: Parameters<StoreView['page']>[0], bytes: number) {
            const rows = await view.page(range, bytes);
            scanned += rows.length;
            return rows;
          },
        };
      },
    };
    const seats = Array.from({ length: SEATS }, (_, n) => ({ key: new Uint8Array(32).fill(n), weight: 1n }));
    serving = new JoinServer({
      store: counted as never,
      log: {} as never,
      genesis: { seats } as never,
      monotonicMs: () => clock.monotonicMs(),
      answerBytes: 20_000,
    });
    serving.onSeal(SEALED);
    const vote: CheckpointSignature = {
      statement: new Uint8Array(168),
      seat: 0,
      signature: new Uint8Array(64),
    };
    handler = new RequestHandler({
      joining: serving,
      exchange: { newestSignatures: () => Array.from({ length: 3 * SEATS }, () => vote) },
      epoch: () => SEALED,
    } as never);
    return () => serving.stop();
  });

  const PARSED_PER_CREDIT = 20_480;
  const SCANNED_PER_CREDIT = 128;
  const VOTES_PER_CREDIT = 8;

  it('a flood of questions for seals parses what its credit pays for', async () => {
    flood({ type: 'seals', from: 0 });
    // One answer may be as dear as it is: fifty proofs, of three documents each.
    expect(parsed).toBeLessThanOrEqual(PARSED_PER_CREDIT * 2000 + 3_000_000);
    parsed = 0;
    flood({ type: 'seals', from: 0 });
    expect(parsed).toBe(0);
  });

  it('what shows that the epoch opened is read once', () => {
    handler.answer(peer, { type: 'seals', from: SEALED });
    expect(reads).toBeGreaterThan(500);
    reads = 0;
    handler.answer(peer, { type: 'seals', from: SEALED });
    expect(reads).toBeLessThan(10);
  });

  it('a flood of questions for signatures of checkpoints sends what its credit pays for', async () => {
    flood({ type: 'words' });
    await new Promise(setImmediate);
    expect(far.all('checkpoint').length).toBeLessThanOrEqual(VOTES_PER_CREDIT * 2000);
  });

  it('a flood of questions for rows reads what its credit pays for', async () => {
    for (let i = 0; i < 500; i++) {
      handler.answer(peer, { type: 'fetch', epoch: SEALED, after: rowKey.event(1) });
      await new Promise(setImmediate);
    }
    // An answer has 183 of these rows, in 20,000 bytes.
    const perAnswer = 183;
    expect(scanned).toBeGreaterThan(5000);
    expect(scanned).toBeLessThanOrEqual(
      perAnswer + (2000 * perAnswer) / (5 + perAnswer / SCANNED_PER_CREDIT),
    );
  });

  it.each(['seals', 'fetch'] as const)(
    'who asks for %s one after the other is answered each time',
    async (type) => {
      const question = { type, from: 0, epoch: SEALED, after: Uint8Array.of(...rowKey.event(1)) } as const;
      const answer = type === 'seals' ? 'sealed' : 'fetched';
      let asked = 0;
      for (let ms = 0; ms < 9_000; ms += 10) {
        if (far.all(answer).length === asked) {
          handler.answer(peer, question as never);
          asked += 1;
        }
        // As the link does with its buffer.
        question.after.fill(0);
        question.after.set(rowKey.event(1));
        await clock.advance(10);
        await new Promise(setImmediate);
        await new Promise(setImmediate);
      }
      expect(far.all(answer).length).toBeGreaterThanOrEqual(asked - 1);
      // It is a matter of two seconds until there is credit again.
      expect(asked).toBeGreaterThan(type === 'seals' ? 70 : 400);
    },
  );
});

// A page of the log reads little more than it sends.

import { expect, it } from 'vitest';
import type { ReadContext } from '../../../host/api/context.ts';
import { logVertices } from '../../../host/api/handlers/log.ts';
import { readHistory } from '../../../host/store/history.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { decodeLogPage } from '../../../host/wire/log-page.ts';

const WHOLE = readHistory(new MemoryStore());

const COUNT = 500;
const idOf = (i: number): Uint8Array =>
  new Uint8Array(32)
    .fill(1)
    .fill(i & 255, 30)
    .fill(i >> 8, 31);

/** A log of vertices of one length, and a counter of ids looked up. */
async function logOf(bytes: number) {
  const looked = { up: 0 };
  class Counting extends MemoryStore {
    override getMany(keys: readonly Uint8Array[]) {
      looked.up += keys.length;
      return super.getMany(keys);
    }
  }
  const store = new Counting();
  const rows = Array.from({ length: COUNT }, (_, i) => [
    { key: rowKey.epochVertex(0, i), value: idOf(i) },
    { key: rowKey.vertex(idOf(i)), value: new Uint8Array(bytes) },
  ]);
  await store.write(rows.flat());
  const page = (from: number) => {
    const query = { epoch: 0, from };
    const reply = logVertices({ store, history: () => WHOLE } as unknown as ReadContext, {
      path: {},
      query,
      page: { number: 1, size: 50, offset: 0 },
    });
    return decodeLogPage(reply.body as Uint8Array)!;
  };
  return { page, looked };
}

it.each([
  [48_000, 5, 8],
  [10_000, 26, 56],
  [300, 500, 504],
])('of vertices of %i bytes it has %i, and looks up %i ids', async (bytes, vertices, ids) => {
  const { page, looked } = await logOf(bytes);
  expect(page(0).vertices).toHaveLength(vertices);
  expect(looked.up).toBe(ids);
});

it('followed by its positions, it has every vertex once', async () => {
  const { page } = await logOf(9_000);
  let next = 0;
  for (let pages = 0; next < COUNT && pages < 100; pages++) {
    const got = page(next);
    expect(got.next).toBe(next + got.vertices.length);
    next = got.next;
  }
  expect(next).toBe(COUNT);
});

// Which rows of the log go with the epochs that a node drops: vertices with their places, blocks, refusals.
// Keeps: each step is one batch and costs no more than MAX_ROWS rows or MAX_BYTES read; what a step leaves, the next run
// finds again, so it can be interrupted anywhere. The records of epochs and the signed checkpoints stay: they prove the seals
// to joining nodes and auditors.

import { readPlace } from '../../ordering/vertex-place.ts';
import { rowKey } from '../../store/prefixes.ts';
import { fromHex } from '../../wire/bytes.ts';
import type { BatchOp, Store } from '../../world/store.ts';

/** Rows that are read for one step. */
export const MAX_ROWS = 256;
const MAX_BYTES = 1 << 20;

export type Row = [Uint8Array, Uint8Array];
export type Range = { gte: Uint8Array; lt: Uint8Array };

export const deleted = (key: Uint8Array): BatchOp => ({ key, value: undefined });

/** The first rows of a range, as many as one step may read; at least one if there is any. */
async function firstOf(store: Store, range: Range, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let bytes = 0;
  for await (const [key, value] of store.scan({ ...range, limit })) {
    rows.push([key.slice(), value.slice()]);
    bytes += value.length;
    if (bytes > MAX_BYTES) break;
  }
  return rows;
}

/** The rows of a range in steps. What is deleted between two steps is not met again; `limit`: rows of a step. */
export async function* inSteps(store: Store, { gte, lt }: Range, limit = MAX_ROWS): AsyncGenerator<Row[]> {
  for (let from = gte; ; ) {
    const rows = await firstOf(store, { gte: from, lt }, limit);
    if (rows.length === 0) return;
    yield rows;
    // The next possible key is the last one followed by a zero byte.
    from = Uint8Array.of(...rows.at(-1)![0], 0);
  }
}

/** Deletions of the vertices of epochs before `epoch`. */
async function* droppedVertices(store: Store, epoch: number): AsyncGenerator<BatchOp[]> {
  const range = { gte: rowKey.epochVertex(0, 0), lt: rowKey.epochVertex(epoch, 0) };
  for await (const rows of inSteps(store, range)) {
    const places = store.getMany(rows.map(([, id]) => rowKey.vertexPlace(id)));
    const txIds = places.flatMap((place) => (place ? readPlace(place).txIds : []));
    const refused = txIds.map((id) => rowKey.refusedTx(fromHex(id)!));
    const found = store.getMany(refused);
    yield [
      ...rows.flatMap(([key, id]) =>
        [rowKey.vertex(id), rowKey.vertexPlace(id), rowKey.badSignatures(id), key].map(deleted),
      ),
      ...refused.filter((_, i) => found[i] !== undefined).map(deleted),
    ];
  }
}

/** Deletions of all that the log has before an epoch, which begins with this block and this order number. */
export async function* droppedLog(
  store: Store,
  { epoch, block, order }: { epoch: number; block: number; order: number },
): AsyncGenerator<BatchOp[]> {
  yield* droppedVertices(store, epoch);
  const ranges = [
    { gte: rowKey.block(0), lt: rowKey.block(block) },
    { gte: rowKey.orderedVertex(0), lt: rowKey.orderedVertex(order) },
  ];
  for (const range of ranges)
    for await (const rows of inSteps(store, range)) yield rows.map(([key]) => deleted(key));
}

// Reads a log as it is stored, for tests that check its form.

import type { EpochDoc } from '../../../host/ordering/epoch.ts';
import { readPlace, type VertexPlace } from '../../../host/ordering/vertex-place.ts';
import type { CheckpointDoc } from '../../../host/store/documents.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import { type BlockHeader, blockHash, decodeBlockHeader } from '../../../host/wire/block.ts';
import { decodeVertex, type Vertex } from '../../../host/wire/vertex.ts';
import type { Store } from '../../../host/world/store.ts';

const FIXED_BYTES = 168;
const EVIDENCE_BYTES = 72;

export interface LoggedBlock {
  header: BlockHeader;
  hash: Uint8Array;
  ids: Uint8Array[];
}

export function blocksOf(store: Store): LoggedBlock[] {
  const blocks: LoggedBlock[] = [];
  for (let index = 1; ; index++) {
    const row = store.get(rowKey.block(index));
    if (!row) return blocks;
    const evidence = new DataView(row.buffer, row.byteOffset).getUint32(36, true);
    const bytes = row.subarray(0, FIXED_BYTES + EVIDENCE_BYTES * evidence);
    const ids: Uint8Array[] = [];
    for (let at = bytes.length; at < row.length; at += 32) ids.push(row.subarray(at, at + 32));
    blocks.push({ header: decodeBlockHeader(bytes)!, hash: blockHash(bytes), ids });
  }
}

export interface LoggedVertex {
  vertex: Vertex;
  place: VertexPlace | undefined;
}

/** Vertices of an epoch in the order they were taken. */
export function verticesOf(store: Store, epoch: number): LoggedVertex[] {
  const vertices: LoggedVertex[] = [];
  for (let position = 0; ; position++) {
    const id = store.get(rowKey.epochVertex(epoch, position));
    if (!id) return vertices;
    const row = store.get(rowKey.vertexPlace(id));
    vertices.push({ vertex: decodeVertex(store.get(rowKey.vertex(id))!)!, place: row && readPlace(row) });
  }
}

export const epochRow = (store: Store, epoch: number): EpochDoc | undefined =>
  readJson<EpochDoc>(store.get(rowKey.epoch(epoch)));

export function checkpointsOf(store: Store): CheckpointDoc[] {
  const docs: CheckpointDoc[] = [];
  for (;;) {
    const doc = readJson<CheckpointDoc>(store.get(rowKey.checkpoint(docs.length + 1)));
    if (!doc) return docs;
    docs.push(doc);
  }
}

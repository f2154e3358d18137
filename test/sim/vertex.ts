// A vertex as it travels in the simulation: real header bytes and id, payload as text. Signatures are
// left out: the simulated network never forges a sender, and the core sees verified headers only.

import type { DagVertex } from '../../host/core/consensus.ts';
import { toHex, utf8 } from '../../host/wire/bytes.ts';
import { encodeVertexHeader, payloadRoot, vertexId } from '../../host/wire/vertex.ts';

export interface SimVertex {
  readonly dag: DagVertex;
  readonly key: string;
  readonly parentKeys: readonly string[];
  readonly epoch: number;
  readonly epochId: string;
  readonly entries: readonly string[];
  /** Node that made it; two nodes may share a seat, which is how a seat equivocates. */
  readonly maker: number;
}

export function makeSimVertex(
  fields: Omit<DagVertex, 'id'>,
  epoch: number,
  epochId: Uint8Array,
  entries: readonly string[],
  maker: number,
): SimVertex {
  const encoded = entries.map(utf8);
  const header = encodeVertexHeader({
    ...fields,
    revision: 0,
    epochId,
    payloadRoot: payloadRoot(encoded),
    payloadBytes: encoded.reduce((sum, entry) => sum + 4 + entry.length, 0),
    entryCount: entries.length,
  });
  const id = vertexId(header);
  return {
    dag: { ...fields, id },
    key: toHex(id),
    parentKeys: fields.parents.map(toHex),
    epoch,
    epochId: toHex(epochId),
    entries,
    maker,
  };
}

// A page of an epoch's vertices, in the order in which a node received them: what an auditor downloads.
// Keeps: whole vertices with signature and payload, and nothing about their total order, which the reader computes.
//
//   u32 epoch, u32 position of the first, u32 position of the next page, u8 (0 more, 1 no more now, 2 the epoch is sealed
//   and this is its end), then to the end: u32 length and bytes of each vertex

import { ByteReader, ByteWriter } from './bytes.ts';

const ENDS = ['more', 'now', 'sealed'] as const;

export interface LogPage {
  epoch: number;
  from: number;
  next: number;
  end: (typeof ENDS)[number];
  vertices: readonly Uint8Array[];
}

const HEAD_BYTES = 13;

export function encodeLogPage({ epoch, from, next, end, vertices }: LogPage): Uint8Array {
  const bytes = vertices.reduce((sum, vertex) => sum + 4 + vertex.length, HEAD_BYTES);
  const out = new ByteWriter(bytes).u32(epoch).u32(from).u32(next).u8(ENDS.indexOf(end));
  for (const vertex of vertices) out.u32(vertex.length).raw(vertex);
  return out.finish();
}

/** Decodes exactly one page; undefined for anything else. Vertices are views. */
export function decodeLogPage(bytes: Uint8Array): LogPage | undefined {
  const reader = new ByteReader(bytes);
  const [epoch, from, next] = [reader.u32(), reader.u32(), reader.u32()];
  const end = ENDS[reader.u8()];
  const vertices: Uint8Array[] = [];
  while (!reader.failed && !reader.done) vertices.push(reader.raw(reader.u32()));
  return reader.failed || end === undefined ? undefined : { epoch, from, next, end, vertices };
}

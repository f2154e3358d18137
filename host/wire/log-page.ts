// A page of an epoch's vertices, in the order in which a node took them: what a verifier downloads.
// Keeps: whole vertices with signature and payload, nothing about their order: that is for the reader to compute.
//
//   u32 epoch, u32 position of the first, u32 position to go on at, u8 (0 more, 1 no more now, 2 the epoch is sealed and
//   this is its end), then to the end: u32 length and bytes of each vertex

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

/** The page that exactly these bytes are, or undefined. Vertices are views. */
export function decodeLogPage(bytes: Uint8Array): LogPage | undefined {
  const reader = new ByteReader(bytes);
  const [epoch, from, next] = [reader.u32(), reader.u32(), reader.u32()];
  const end = ENDS[reader.u8()];
  const vertices: Uint8Array[] = [];
  while (!reader.failed && !reader.done) vertices.push(reader.raw(reader.u32()));
  return reader.failed || end === undefined ? undefined : { epoch, from, next, end, vertices };
}

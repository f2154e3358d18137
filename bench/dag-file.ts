// DAGs as files, and the answers of engines to them: the format in which engines in other processes get the same
// vertices (consensus 8.2).
// Keeps: all int32, little-endian. DAG: seats, vertices, then for each vertex creator, index of its self-parent or -1,
// seq, lamport, number of parents, their indexes (self-parent first). Answer: for each vertex the index of the vertex
// whose arrival made it final, or -1.

import type { DagVertex } from '../host/core/consensus.ts';
import { toHex } from '../host/wire/bytes.ts';

export interface FileVertex {
  creator: number;
  seq: number;
  lamport: number;
  /** Indexes of its parents, the self-parent first. */
  parents: number[];
}

/** Indexes of vertices by id. */
export class Places {
  private readonly byId: Map<string, number>;

  constructor(vertices: readonly DagVertex[]) {
    this.byId = new Map(vertices.map((vertex, place) => [toHex(vertex.id), place]));
  }

  of(id: Uint8Array): number {
    const place = this.byId.get(toHex(id));
    if (place === undefined) throw new Error(`no vertex ${toHex(id)} in this DAG`);
    return place;
  }
}

export function encodeDag(seats: number, vertices: readonly DagVertex[]): Uint8Array {
  const places = new Places(vertices);
  const words = [seats, vertices.length];
  for (const { creator, seq, lamport, parents } of vertices) {
    const found = parents.map((id) => places.of(id));
    words.push(creator, seq > 1 ? found[0]! : -1, seq, lamport, found.length, ...found);
  }
  return encodeWords(words);
}

export function decodeDag(bytes: Uint8Array): { seats: number; vertices: FileVertex[] } {
  const words = decodeWords(bytes);
  const vertices: FileVertex[] = [];
  for (let at = 2; vertices.length < words[1]!; ) {
    const [creator, , seq, lamport, count] = words.slice(at, at + 5) as [
      number,
      number,
      number,
      number,
      number,
    ];
    vertices.push({ creator, seq, lamport, parents: words.slice(at + 5, at + 5 + count) });
    at += 5 + count;
  }
  return { seats: words[0]!, vertices };
}

export function encodeWords(words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * words.length);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of words.entries()) view.setInt32(4 * i, word, true);
  return bytes;
}

export function decodeWords(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length >> 2 }, (_, i) => view.getInt32(4 * i, true));
}

/** Milliseconds of DAG time from each final vertex to the one that made it final. */
export function waitsMs(vertices: readonly DagVertex[], finalAt: readonly number[]): number[] {
  const waits: number[] = [];
  for (const [place, at] of finalAt.entries()) {
    if (at >= 0) waits.push(vertices[at]!.timeMs - vertices[place]!.timeMs);
  }
  return waits;
}

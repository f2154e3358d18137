// A whole DAG from a seed, as vertices and as records of the module's ABI.

import { type DagVertex, vertexRecordBytes, writeVertexRecord } from '../host/core/consensus.ts';
import { type DagShape, DagSource } from './dag-source.ts';

const RECORD_RUN_BYTES = 262_144;

/** Vertices as records of the ABI, in chunks that fit the module's buffer. */
export function recordRuns(vertices: Iterable<DagVertex>): Uint8Array[] {
  const runs: Uint8Array[] = [];
  let run = new Uint8Array(RECORD_RUN_BYTES);
  let view = new DataView(run.buffer);
  let filled = 0;
  for (const vertex of vertices) {
    if (filled + vertexRecordBytes(vertex) > RECORD_RUN_BYTES) {
      runs.push(run.subarray(0, filled));
      run = new Uint8Array(RECORD_RUN_BYTES);
      view = new DataView(run.buffer);
      filled = 0;
    }
    filled += writeVertexRecord(run, view, filled, vertex);
  }
  runs.push(run.subarray(0, filled));
  return runs;
}

/** The first `count` vertices of a source, created on demand. */
export function* takeVertices(source: DagSource, count: number): Generator<DagVertex> {
  for (let i = 0; i < count; i++) yield source.next();
}

export class DagWork {
  readonly vertices: DagVertex[];

  constructor(
    readonly shape: DagShape,
    vertices: number,
  ) {
    this.vertices = [...takeVertices(new DagSource(shape), vertices)];
  }

  records(): Uint8Array[] {
    return recordRuns(this.vertices);
  }

  /** Total number of parents, including self-parents. */
  get parentCount(): number {
    return this.vertices.reduce((sum, vertex) => sum + vertex.parents.length, 0);
  }
}

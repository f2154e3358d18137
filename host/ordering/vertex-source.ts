// Where the pipeline gets vertices of other seats from, and whom it tells what became of a group.

import type { CheckpointDoc } from '../store/documents.ts';
import type { Vertex } from '../wire/vertex.ts';
import type { EntryProof } from './entry-proof.ts';

/** A vertex whose signatures were verified and whose parents were admitted, or come before it. */
export interface ReadyVertex {
  vertex: Vertex;
  bytes: Uint8Array;
  proofs: readonly EntryProof[];
  /** Who sent it. */
  from: string;
}

/** A vertex that a group took into its epoch. */
export interface StoredVertex {
  epoch: number;
  creator: number;
  id: Uint8Array;
  bytes: Uint8Array;
}

export interface VertexSource {
  readonly hasReady: boolean;
  /** At most so many, parents first; all of them are admitted before the next call. */
  takeReady(most: number): ReadyVertex[];
  /** The taken ones are in the DAG now, or refused for good. */
  markAdmitted(ids: readonly Uint8Array[]): void;
  /** The vertex breaks a rule that every node checks alike. */
  reportInvalid(vertex: ReadyVertex): void;
  /** A group is on disk: its vertices may be sent from now on. */
  onCommitted(vertices: readonly StoredVertex[], checkpoints: readonly CheckpointDoc[]): void;
}

/** A node without peers. */
export const NO_SOURCE: VertexSource = {
  hasReady: false,
  takeReady: () => [],
  markAdmitted() {},
  reportInvalid() {},
  onCommitted() {},
};

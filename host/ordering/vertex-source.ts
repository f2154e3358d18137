// Where the sequencer gets vertices of other seats from, and where it reports what it did with them.

import type { CheckpointDoc } from '../store/documents.ts';
import type { Vertex } from '../wire/vertex.ts';
import type { EntryProof } from './entry-proof.ts';
import type { PayloadUse } from './payload-use.ts';

/** A vertex whose signatures were verified and whose parents were admitted or come before it. */
export interface ReadyVertex {
  vertex: Vertex;
  bytes: Uint8Array;
  proofs: readonly EntryProof[];
  /** Who sent it. */
  from: string;
}

/** A vertex that a batch inserted into its epoch. */
export interface StoredVertex {
  epoch: number;
  creator: number;
  id: Uint8Array;
  bytes: Uint8Array;
}

export interface VertexSource {
  readonly hasReady: boolean;
  /** At most `max`, parents first; the caller admits all of them before the next call. */
  takeReady(max: number): ReadyVertex[];
  /** These were inserted into the DAG, or refused for good. */
  markAdmitted(ids: readonly Uint8Array[]): void;
  /** The vertex breaks a rule that all nodes check alike. */
  reportInvalid(vertex: ReadyVertex): void;
  /** What became of the payload of vertices that a batch executed, by seat. */
  onExecuted(uses: ReadonlyMap<number, PayloadUse>): void;
  /** A batch is on disk: its vertices may be sent from now on. */
  onCommitted(vertices: readonly StoredVertex[], checkpoints: readonly CheckpointDoc[]): void;
}

/** A node without peers. */
export const NO_SOURCE: VertexSource = {
  hasReady: false,
  takeReady: () => [],
  markAdmitted() {},
  reportInvalid() {},
  onExecuted() {},
  onCommitted() {},
};

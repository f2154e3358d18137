// A block from consensus.wasm: its bytes are copied once, fields are read on demand.
// Keeps: a block does not change after it was taken, whatever the module does. Objects for single vertices are created
// only on demand, since creating them costs as much as ordering the vertices.

import * as abi from '../../assembly/consensus/abi.ts';
import type { Evidence } from '../wire/block.ts';
import { latin1 } from '../wire/latin1.ts';

export interface OrderedVertex {
  id: Uint8Array;
  creator: number;
  /** It keeps its position, but its entries are not executed. */
  isVoid: boolean;
}

export interface OrderedBlock {
  leader: Uint8Array;
  leaderRound: number;
  /** Consensus time T, milliseconds. */
  timeMs: number;
  vertices: OrderedVertex[];
  evidence: Evidence[];
}

/** Length of a part of a block with `vertices` vertices, its head included. */
const partBytes = (vertices: number): number => abi.BLOCK_BYTES + abi.ORDERED_BYTES * vertices;

function bytesOf(text: string, from: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let i = 0; i < count; i++) bytes[i] = text.charCodeAt(from + i);
  return bytes;
}

function wordAt(text: string, at: number, bytes: number): number {
  let word = 0;
  for (let i = bytes - 1; i >= 0; i--) word = word * 256 + text.charCodeAt(at + i);
  return word;
}

/**
 * A block of the module. `text` holds its bytes, one per character: the head as in the ABI, the ids of all vertices,
 * their marks. Strings live on the engine's heap; typed arrays of more than 64 bytes take memory outside it, and next to
 * a module of this size every such allocation may trigger a full garbage collection.
 */
export class CoreBlock implements OrderedBlock {
  readonly evidence: Evidence[] = [];
  private created: OrderedVertex[] | undefined;

  private constructor(
    private readonly text: string,
    /** Vertices that this block orders. */
    readonly vertexCount: number,
  ) {}

  /**
   * The block of `count` vertices whose head and first part are in `out`. `nextPart(from)` replaces the part in `out` by the one that begins
   * at vertex `from`, and returns its number of vertices.
   */
  static read(out: Uint8Array, count: number, nextPart: (from: number) => number): CoreBlock {
    if (count <= abi.PART_VERTICES) return new CoreBlock(latin1(out, 0, partBytes(count)), count);
    const head = latin1(out, 0, abi.BLOCK_BYTES);
    let [ids, marks] = ['', ''];
    for (let from = 0; from < count; ) {
      const part = nextPart(from);
      const marksAt = abi.BLOCK_BYTES + 32 * part;
      ids += latin1(out, abi.BLOCK_BYTES, marksAt);
      marks += latin1(out, marksAt, partBytes(part));
      from += part;
    }
    return new CoreBlock(head + ids + marks, count);
  }

  get leader(): Uint8Array {
    return bytesOf(this.text, abi.BLOCK_LEADER, 32);
  }

  get leaderRound(): number {
    return wordAt(this.text, abi.BLOCK_ROUND, 4);
  }

  get timeMs(): number {
    return wordAt(this.text, abi.BLOCK_TIME, 8);
  }

  /** Ids of all vertices in order, 32 bytes each: the input of verticesRoot (consensus 5.17). A new copy each time. */
  ids(): Uint8Array {
    return bytesOf(this.text, abi.BLOCK_BYTES, 32 * this.vertexCount);
  }

  /** Id of vertex 0, 1, ... of the block; a new copy each time. */
  idAt(index: number): Uint8Array {
    return bytesOf(this.text, abi.BLOCK_BYTES + 32 * index, 32);
  }

  creatorAt(index: number): number {
    return wordAt(this.text, this.markAt(index), 2);
  }

  isVoidAt(index: number): boolean {
    return wordAt(this.text, this.markAt(index) + abi.MARK_VOID, 2) === 1;
  }

  /** An object for each vertex; created at first use. */
  get vertices(): OrderedVertex[] {
    this.created ??= Array.from({ length: this.vertexCount }, (_, index) => ({
      id: this.idAt(index),
      creator: this.creatorAt(index),
      isVoid: this.isVoidAt(index),
    }));
    return this.created;
  }

  private markAt(index: number): number {
    return abi.BLOCK_BYTES + 32 * this.vertexCount + abi.MARK_BYTES * index;
  }
}

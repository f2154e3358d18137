// A block as it leaves consensus.wasm: bytes copied once, from which fields are read when they are asked for.
// Keeps: a block stays what it was when it was taken, whatever the module does afterwards. Objects for single vertices
// are made only on demand, since making them costs as much as ordering the vertices does.

import * as abi from '../../assembly/consensus/abi.ts';
import type { Evidence } from '../wire/block.ts';
import { latin1 } from '../wire/latin1.ts';

export interface OrderedVertex {
  id: Uint8Array;
  creator: number;
  /** It keeps its place, but its requests do not run. */
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

/** Length of a part of a block with so many vertices, its head included. */
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
 * A block of the module. `text` holds its bytes, one in each character: head as in the ABI, the ids of all vertices,
 * their marks. Strings live in the engine's heap, while typed arrays of more than 64 bytes take memory outside it, and
 * beside a module of this size every such allocation may start a collection of the whole heap.
 */
export class CoreBlock implements OrderedBlock {
  readonly evidence: Evidence[] = [];
  private made: OrderedVertex[] | undefined;

  private constructor(
    private readonly text: string,
    /** Vertices that this block orders. */
    readonly vertexCount: number,
  ) {}

  /**
   * The block whose head and first part are in `out`. `nextPart` puts the part from a place on in the place of the
   * first, and says how many vertices it has.
   */
  static read(out: Uint8Array, nextPart: (from: number) => number): CoreBlock {
    const count = new DataView(out.buffer, out.byteOffset).getUint32(abi.BLOCK_VERTICES, true);
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

  /** Ids of all its vertices in order, 32 bytes each: what verticesRoot covers (consensus 5.17). A copy each time. */
  ids(): Uint8Array {
    return bytesOf(this.text, abi.BLOCK_BYTES, 32 * this.vertexCount);
  }

  /** Id of the vertex at place 0, 1, ...; a copy each time. */
  idAt(place: number): Uint8Array {
    return bytesOf(this.text, abi.BLOCK_BYTES + 32 * place, 32);
  }

  creatorAt(place: number): number {
    return wordAt(this.text, this.markAt(place), 2);
  }

  isVoidAt(place: number): boolean {
    return wordAt(this.text, this.markAt(place) + abi.MARK_VOID, 2) === 1;
  }

  /** An object for each vertex; made when first asked for. */
  get vertices(): OrderedVertex[] {
    this.made ??= Array.from({ length: this.vertexCount }, (_, place) => ({
      id: this.idAt(place),
      creator: this.creatorAt(place),
      isVoid: this.isVoidAt(place),
    }));
    return this.made;
  }

  private markAt(place: number): number {
    return abi.BLOCK_BYTES + 32 * this.vertexCount + abi.MARK_BYTES * place;
  }
}

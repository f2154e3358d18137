// Serves vertices to peers: by id, and by position in this node's order of an epoch.
// Keeps: an answer is bounded in number and bytes; what is read for answers is counted, also what is left out of them.

import type { Ordering } from '../ordering/ordering.ts';
import { readU64, rowKey } from '../store/prefixes.ts';
import type { Store } from '../world/store.ts';
import { MAX_ANSWER_BYTES, MAX_VERTICES, type Message } from './messages.ts';

/** Positions that are examined for one answer. */
export const MAX_POSITIONS = 1000;
const LAST_POSITION = 2 ** 32 - 1;
/** Byte offsets of creator and seq in a vertex (consensus 5.17). */
const CREATOR_AT = 6;
const SEQ_AT = 8;

type SyncMessage = Extract<Message, { type: 'sync' }>;
type Synced = Extract<Message, { type: 'synced' }>;

export class VertexServer {
  /** What was read of the store so far, and positions of the running epoch that were examined. */
  readonly read = { rows: 0, bytes: 0, positions: 0 };

  constructor(
    private readonly store: Pick<Store, 'get'>,
    private readonly ordering: Ordering,
  ) {}

  #row(key: Uint8Array): Uint8Array | undefined {
    const row = this.store.get(key);
    this.read.rows += 1;
    this.read.bytes += row?.length ?? 0;
    return row;
  }

  /** Those of the requested vertices that are stored, as many as fit one answer. */
  byId(ids: readonly Uint8Array[]): Uint8Array[] {
    const found: Uint8Array[] = [];
    let bytes = 0;
    for (const id of ids) {
      const vertex = this.#row(rowKey.vertex(id));
      if (!vertex) continue;
      bytes += vertex.length;
      if (bytes > MAX_ANSWER_BYTES && found.length > 0) break;
      found.push(vertex);
    }
    return found;
  }

  /**
   * Undefined for an epoch that has not begun on this node. Left out is what the asking node has: all that is ordered up to
   * `order`, which is the same everywhere, and each seat's vertices up to `seqs`, which is the same unless the seat forked.
   */
  sync({ epoch, cursor, seqs }: SyncMessage, order: number): Synced | undefined {
    const running = this.ordering.epoch.number;
    if (epoch > running) return undefined;
    const { positions, next, isEnd } = this.#positions(epoch, running, cursor, seqs);
    const vertices: Uint8Array[] = [];
    let bytes = 0;
    for (const position of positions) {
      const id = this.#row(rowKey.epochVertex(epoch, position));
      const vertex = id && this.#row(rowKey.vertex(id));
      // Past the end of a sealed epoch; or, in the running one, in a batch that is not on disk yet.
      if (!vertex) return { type: 'synced', epoch, cursor: position, isEnd: true, vertices };
      if ((epoch !== running && isUpTo(vertex, seqs)) || this.#isOrderedUpTo(id, order)) continue;
      bytes += vertex.length;
      const isFull = vertices.length === MAX_VERTICES || bytes > MAX_ANSWER_BYTES;
      if (isFull && vertices.length > 0) {
        return { type: 'synced', epoch, cursor: position, isEnd: false, vertices };
      }
      vertices.push(vertex);
    }
    return { type: 'synced', epoch, cursor: next, isEnd, vertices };
  }

  #isOrderedUpTo(id: Uint8Array, order: number): boolean {
    const place = this.#row(rowKey.vertexPlace(id));
    const own = place ? readU64(place, 0) : 0;
    return own > 0 && own <= order;
  }

  #positions(
    epoch: number,
    running: number,
    cursor: number,
    seqs: readonly number[],
  ): { positions: number[]; next: number; isEnd: boolean } {
    if (epoch === running) {
      const found = this.ordering.dag.positionsAbove(cursor, seqs, MAX_POSITIONS);
      this.read.positions += found.next - cursor;
      return { ...found, isEnd: found.positions.length < MAX_POSITIONS };
    }
    const next = Math.min(cursor + MAX_POSITIONS, LAST_POSITION);
    const positions = Array.from({ length: next - cursor }, (_, i) => cursor + i);
    return { positions, next, isEnd: positions.length === 0 };
  }
}

/** Is its number not above that of its creator. */
function isUpTo(vertex: Uint8Array, seqs: readonly number[]): boolean {
  const view = new DataView(vertex.buffer, vertex.byteOffset, vertex.byteLength);
  return view.getUint32(SEQ_AT, true) <= (seqs[view.getUint16(CREATOR_AT, true)] ?? 0);
}

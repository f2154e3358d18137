// Serves vertices to peers: by id, and by position in this node's order of an epoch.
// Keeps: an answer is bounded in number and bytes; nothing is read beyond it.

import type { Ordering } from '../ordering/ordering.ts';
import { rowKey } from '../store/prefixes.ts';
import type { Store } from '../world/store.ts';
import { MAX_ANSWER_BYTES, MAX_VERTICES, type Message } from './messages.ts';

/** Positions of a sealed epoch that are examined for one answer. */
const MAX_POSITIONS = 1000;
const LAST_POSITION = 2 ** 32 - 1;
/** Byte offsets of creator and seq in a vertex (consensus 5.17). */
const CREATOR_AT = 6;
const SEQ_AT = 8;

type Synced = Extract<Message, { type: 'synced' }>;

export class VertexServer {
  constructor(
    private readonly store: Store,
    private readonly ordering: Ordering,
  ) {}

  /** Those of the requested vertices that are stored, as many as fit one answer. */
  byId(ids: readonly Uint8Array[]): Uint8Array[] {
    const found: Uint8Array[] = [];
    let bytes = 0;
    for (const id of ids) {
      const vertex = this.store.get(rowKey.vertex(id));
      if (!vertex) continue;
      bytes += vertex.length;
      if (bytes > MAX_ANSWER_BYTES && found.length > 0) break;
      found.push(vertex);
    }
    return found;
  }

  /** Undefined for an epoch that has not begun on this node. */
  sync({ epoch, cursor, seqs }: Extract<Message, { type: 'sync' }>): Synced | undefined {
    const running = this.ordering.epoch.number;
    if (epoch > running) return undefined;
    const { positions, next, isEnd } = this.#positions(epoch, running, cursor, seqs);
    const ids = this.store.getMany(positions.map((position) => rowKey.epochVertex(epoch, position)));
    const vertices: Uint8Array[] = [];
    let bytes = 0;
    for (const [i, id] of ids.entries()) {
      const vertex = id && this.store.get(rowKey.vertex(id));
      // Past the end of a sealed epoch; or, in the running one, in a batch that is not on disk yet.
      if (!vertex) return { type: 'synced', epoch, cursor: positions[i]!, isEnd: true, vertices };
      if (epoch !== running && isKnown(vertex, seqs)) continue;
      bytes += vertex.length;
      const isFull = vertices.length === MAX_VERTICES || bytes > MAX_ANSWER_BYTES;
      if (isFull && vertices.length > 0) {
        return { type: 'synced', epoch, cursor: positions[i]!, isEnd: false, vertices };
      }
      vertices.push(vertex);
    }
    return { type: 'synced', epoch, cursor: next, isEnd, vertices };
  }

  #positions(
    epoch: number,
    running: number,
    cursor: number,
    seqs: readonly number[],
  ): { positions: number[]; next: number; isEnd: boolean } {
    if (epoch === running) {
      const found = this.ordering.dag.positionsMissing(cursor, seqs, MAX_VERTICES);
      return { ...found, isEnd: found.positions.length < MAX_VERTICES };
    }
    const next = Math.min(cursor + MAX_POSITIONS, LAST_POSITION);
    const positions = Array.from({ length: next - cursor }, (_, i) => cursor + i);
    return { positions, next, isEnd: positions.length === 0 };
  }
}

/** Does the asking node already have this vertex. */
function isKnown(vertex: Uint8Array, seqs: readonly number[]): boolean {
  const view = new DataView(vertex.buffer, vertex.byteOffset, vertex.byteLength);
  return view.getUint32(SEQ_AT, true) <= (seqs[view.getUint16(CREATOR_AT, true)] ?? 0);
}

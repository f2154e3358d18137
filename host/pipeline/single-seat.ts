// Ordering by a seat that is a quorum alone: each vertex it signs is a block of its own, final when it is made.
// Keeps: vertices form one chain in the bytes of CONSENSUS 5.17; time never goes back; a sequence number is used once,
// since the next vertex is made only after the last one is on disk.

import { blockHash, encodeBlockHeader, verticesRoot } from '../wire/block.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import { encodeVertex, MAX_PAYLOAD_BYTES, makeVertex } from '../wire/vertex.ts';
import type { BlockInput, EntryInput } from './block.ts';
import type { Epoch } from './epoch.ts';
import type { Head } from './head.ts';

export interface Packed {
  input: EntryInput;
  bytes: Uint8Array;
}

/** The seat's newest vertex. */
export interface OwnHead {
  id: Uint8Array;
  seq: number;
  timeMs: number;
}

export class SingleSeat {
  readonly payloadMost = MAX_PAYLOAD_BYTES;
  #own: OwnHead | undefined;

  constructor(
    private readonly epoch: Epoch,
    readonly seat: number,
    private readonly sign: (message: Uint8Array) => Uint8Array,
    own: OwnHead | undefined,
  ) {
    this.#own = own;
  }

  get ownHead(): OwnHead | undefined {
    return this.#own;
  }

  /** The block of one new vertex that carries these entries. `nowMs`: this node's clock. */
  makeBlock(entries: readonly Packed[], head: Head, nowMs: number): BlockInput {
    const own = this.#own;
    const seq = (own?.seq ?? 0) + 1;
    const timeMs = Math.max(nowMs, own?.timeMs ?? 0);
    const vertex = makeVertex(
      {
        work: true,
        creator: this.seat,
        seq,
        lamport: seq,
        timeMs,
        epochId: this.epoch.id,
        parents: own ? [own.id] : [],
      },
      entries.map((e) => e.bytes),
      this.sign,
      this.epoch.maxParents,
    );
    const order = head.order + 1;
    const blockTimeMs = Math.max(timeMs, head.timeMs);
    const header = encodeBlockHeader({
      leaderRound: seq,
      index: head.block + 1,
      timeMs: blockTimeMs,
      order,
      vertexCount: 1,
      epochId: this.epoch.id,
      previous: fromHex(head.blockHash)!,
      leader: vertex.id,
      verticesRoot: verticesRoot([vertex.id]),
      evidence: [],
    });
    this.#own = { id: vertex.id, seq, timeMs };
    return {
      index: head.block + 1,
      timeMs: blockTimeMs,
      hash: blockHash(header),
      header,
      vertices: [
        {
          id: vertex.id,
          bytes: encodeVertex(vertex),
          order,
          seat: this.seat,
          round: seq,
          parents: vertex.header.parents.map(toHex).sort(),
          entries: entries.map((e) => e.input),
        },
      ],
    };
  }
}

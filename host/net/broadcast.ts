// Sends peers what they did not ask for: vertices, this node's head, its signatures of checkpoints.
// Keeps: this node's vertices go to all peers, those of others only to observers, which are linked to few nodes; what a
// full link drops, its peer fetches, since it gets the head.

import type { Ordering } from '../ordering/ordering.ts';
import type { StoredVertex } from '../ordering/vertex-source.ts';
import type { Clock } from '../world/clock.ts';
import type { CheckpointSignature } from './checkpoint-exchange.ts';
import {
  encodeMessage,
  type HeadMessage,
  type HistoryFrom,
  MAX_ANSWER_BYTES,
  MAX_VERTICES,
  type Message,
} from './messages.ts';
import type { Peer } from './peer.ts';

const HEAD_MS = 250;

export interface BroadcastOptions {
  clock: Clock;
  ordering: Ordering;
  /** Height of the newest checkpoint that a quorum has signed. */
  signed(): number;
  /** May this node's seat sign. */
  isOpen(): boolean;
  /** Where this node's history begins. */
  from(): HistoryFrom;
  peers(): Iterable<Peer>;
}

export class Broadcast {
  #cancelHead: (() => void) | undefined;
  /** What makes the head that all were sent last another one. */
  #sentHead = '';
  #isStopped = false;

  constructor(private readonly options: BroadcastOptions) {}

  stop(): void {
    this.#isStopped = true;
    this.#cancelHead?.();
  }

  /** Vertices that are on disk. */
  vertices(stored: readonly StoredVertex[]): void {
    const { seat } = this.options.ordering;
    this.#push(
      stored.filter(({ creator }) => creator === seat),
      () => true,
      true,
    );
    this.#push(
      stored.filter(({ creator }) => creator !== seat),
      (peer) => peer.isObserver,
    );
    this.headChanged();
  }

  signatures(signatures: readonly CheckpointSignature[]): void {
    for (const signature of signatures) this.#send({ type: 'checkpoint', ...signature });
  }

  /** The head has changed: it is sent soon. */
  headChanged(): void {
    if (this.#cancelHead || this.#isStopped) return;
    this.#cancelHead = this.options.clock.setTimer(() => this.#sendHead(), HEAD_MS);
  }

  get head(): HeadMessage {
    const { ordering } = this.options;
    const { block, order } = ordering.head;
    const [signed, isOpen] = [this.options.signed(), this.options.isOpen()];
    const { vertexCount, newestSeqs } = ordering.dag;
    return {
      type: 'head',
      epoch: ordering.epoch.number,
      vertexCount,
      block,
      order,
      signed,
      isOpen,
      from: this.options.from(),
      seqs: [...newestSeqs],
    };
  }

  #push(stored: readonly StoredVertex[], isFor: (peer: Peer) => boolean, isUrgent = false): void {
    for (const part of parts(stored)) {
      const vertices = part.map((v) => v.bytes);
      this.#send({ type: 'vertices', epoch: part[0]!.epoch, vertices }, isFor, isUrgent);
    }
  }

  /** To each of these peers; encoded once, and only if there are any. */
  #send(message: Message, isFor: (peer: Peer) => boolean = () => true, isUrgent = false): void {
    let bytes: Uint8Array | undefined;
    for (const peer of this.options.peers()) {
      if (!isFor(peer)) continue;
      bytes ??= encodeMessage(message);
      peer.sendEncoded(bytes, isUrgent);
    }
  }

  /** Tells a peer the head now: whoever asks may have lost the one that was sent before. */
  tell(peer: Peer): void {
    peer.send(this.head);
  }

  #sendHead(): void {
    this.#cancelHead = undefined;
    const { head } = this;
    const word = wordOf(head);
    if (word === this.#sentHead) return;
    this.#sentHead = word;
    this.#send(head);
  }
}

/** What makes a head another one. */
const wordOf = ({ epoch, vertexCount, block, signed, isOpen, from }: HeadMessage): string =>
  `${epoch}:${vertexCount}:${block}:${signed}:${isOpen}:${from.order}:${from.seq}`;

/** Parts of at most 200 vertices and 1 MiB, or one vertex. */
function* parts(vertices: readonly StoredVertex[]): Generator<StoredVertex[]> {
  let part: StoredVertex[] = [];
  let bytes = 0;
  for (const vertex of vertices) {
    const isFull = part.length === MAX_VERTICES || bytes + vertex.bytes.length > MAX_ANSWER_BYTES;
    if (part.length > 0 && isFull) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(vertex);
    bytes += vertex.bytes.length;
  }
  if (part.length > 0) yield part;
}

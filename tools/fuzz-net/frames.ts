// What a misbehaving peer sends: odd but allowed messages, invalid vertices, and bytes that are not a message.
// Keeps: none of it is a vertex that a correct seat could have created, so none may enter a DAG; the seed repeats it.

import { type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { decodeMessage, encodeMessage, type Message } from '../../host/net/messages.ts';
import { decodeVertex, encodeVertex, makeVertex, type Vertex } from '../../host/wire/vertex.ts';
import type { SeededRandom } from '../load/seeded-random.ts';

const MOST_U32 = 0xffff_ffff;
/** One allowed frame in this many contains something that counts against its sender. */
const FAULTS_ONE_IN = 60;
const LONG_FRAME_BYTES = 200_000;

/** The sender: a seat of the network, or nobody. */
export interface Liar {
  key: KeyPair;
  seat: number | undefined;
}

export class Frames {
  /** Vertices of the current epoch, as an honest node sent them. */
  readonly vertices: Uint8Array[] = [];

  constructor(private readonly random: SeededRandom) {}

  /** A frame that decodes, whatever it requests or claims. */
  odd(liar: Liar): Uint8Array {
    return encodeMessage(this.#oddMessage(liar));
  }

  /** A frame that no message encodes to. */
  broken(): Uint8Array {
    for (;;) {
      const frame = this.#brokenTry();
      if (frame.length > 0 && !decodeMessage(frame)) return frame;
    }
  }

  #number(): number {
    return this.random.pick([0, 1, this.random.below(300), this.random.next(), MOST_U32]);
  }

  #large(): number {
    return this.random.pick([this.#number(), Number.MAX_SAFE_INTEGER, this.random.next() * 0x10_0000]);
  }

  #seqs(): number[] {
    return Array.from({ length: this.random.below(30) }, () => this.#number());
  }

  #ids(): Uint8Array[] {
    return Array.from({ length: this.random.between(1, 40) }, () => this.random.bytes(32));
  }

  #oddMessage(liar: Liar): Message {
    const { random } = this;
    // What counts against the sender is rare, so that most of a link's frames are read before it is cut off.
    if (random.below(FAULTS_ONE_IN) === 0) return this.#fault(liar);
    switch (random.below(17)) {
      case 0:
        return {
          type: 'head',
          epoch: this.#number(),
          vertexCount: this.#number(),
          block: this.#large(),
          order: this.#large(),
          signed: this.#large(),
          isOpen: random.below(2) === 1,
          from: { epoch: 0, order: 1, seq: 1 },
          seqs: this.#seqs(),
        };
      case 1:
        return { type: 'want', ids: this.#ids() };
      case 2:
        return { type: 'sync', epoch: this.#number(), cursor: this.#number(), seqs: this.#seqs() };
      case 3:
        return { type: 'seals', from: this.#number() };
      case 4:
        return { type: 'fetch', epoch: this.#number(), after: random.bytes(random.below(40)) };
      case 5:
        return { type: 'fetched', epoch: this.#number(), part: 'more', rows: random.bytes(random.below(90)) };
      case 6:
        return {
          type: 'sealed',
          from: this.#number(),
          offered: this.#number(),
          rowCount: this.#large(),
          proofs: [random.bytes(random.below(300))],
          openers: [random.bytes(random.below(300))],
        };
      case 7:
        return { type: 'vertices', epoch: this.#number(), vertices: [random.pick(this.vertices)] };
      case 8:
        return { type: 'pong', nonce: this.#number(), wallMs: this.#number(), usedMs: this.#number() };
      case 9:
        return { type: 'words' };
      default:
        return { type: 'ping', nonce: this.#number() };
    }
  }

  #fault(liar: Liar): Message {
    const vertices = [this.#spoiled(liar)];
    const [epoch, cursor] = [this.#number(), this.#number()];
    switch (this.random.below(4)) {
      case 0:
        return {
          type: 'checkpoint',
          statement: this.#statement(),
          seat: this.random.below(0x1_0000),
          signature: this.random.bytes(64),
        };
      case 1:
        return { type: 'synced', epoch, cursor, isEnd: this.random.below(2) === 0, vertices };
      default:
        return { type: 'vertices', epoch, vertices };
    }
  }

  /** The form of a statement with random content. */
  #statement(): Uint8Array {
    const bytes = this.random.bytes(168);
    if (this.random.below(4) > 0) bytes.set(Buffer.from('VWC1\0\0\0\0'), 0);
    if (this.random.below(2) > 0) bytes.set([this.random.below(20), 0, 0, 0, 0, 0, 0, 0], 8);
    return bytes;
  }

  /** A vertex that nobody may accept. */
  #spoiled({ key, seat }: Liar): Uint8Array {
    const { random } = this;
    const original = random.pick(this.vertices);
    if (seat === undefined) return this.#mutated(original);
    return random.pick([
      () => this.#wrong(original, { key, seat }),
      () => this.#forged(original, seat),
      () => this.#mutated(original),
    ])();
  }

  /** Right in all but its signature: were that not looked at, it would be ordered. */
  #forged(original: Uint8Array, seat: number): Uint8Array {
    const { epochId, timeMs } = (decodeVertex(original) as Vertex).header;
    const first = { seq: 1, lamport: 1, parents: [], work: true, creator: seat, timeMs, epochId };
    const other = keyPairFromSeed(this.random.bytes(32));
    return encodeVertex(makeVertex(first, [], (message) => other.sign(message)));
  }

  // Every change makes another id, another payload or another signature: none is a vertex that its creator signed.
  #mutated(original: Uint8Array): Uint8Array {
    const { random } = this;
    const bytes = original.slice();
    for (let n = random.between(1, 3); n > 0; n--)
      bytes[random.below(bytes.length)]! ^= random.between(1, 255);
    const roll = random.below(10);
    if (roll === 0) return bytes.subarray(0, random.below(bytes.length));
    if (roll === 1) return Buffer.concat([bytes, random.bytes(random.between(1, 50))]);
    return bytes;
  }

  /** Well formed and well signed by its seat, but over parents that do not fit. */
  #wrong(original: Uint8Array, { key, seat }: { key: KeyPair; seat: number }): Uint8Array {
    const { random } = this;
    const { header } = decodeVertex(original) as Vertex;
    const others = [this.#idOf(), random.bytes(32)].sort(Buffer.compare);
    const fields = random.pick([
      // No self-parent: the first parent is another seat's.
      { seq: random.between(2, 1000), lamport: header.lamport + 1, parents: [this.#idOf()] },
      // Arbitrary Lamport numbers.
      { seq: 1, lamport: header.lamport + 1000 + random.below(1_000_000), parents: [this.#idOf()] },
      // Unknown parents.
      { seq: 1, lamport: 2 + random.below(1000), parents: others },
    ]);
    const whole = { ...fields, work: true, creator: seat, timeMs: header.timeMs, epochId: header.epochId };
    return encodeVertex(makeVertex(whole, [], (message) => key.sign(message)));
  }

  #idOf(): Uint8Array {
    return (decodeVertex(this.random.pick(this.vertices)) as Vertex).id;
  }

  #brokenTry(): Uint8Array {
    const { random } = this;
    const good = this.odd({ key: undefined as never, seat: undefined });
    switch (random.below(8)) {
      case 0:
        return random.bytes(random.between(1, 600));
      case 1:
        return good.subarray(0, random.below(good.length));
      case 2:
        return Buffer.concat([good, random.bytes(random.between(1, 20))]);
      case 3:
        return Uint8Array.of(random.between(15, 255), ...random.bytes(random.below(80)));
      case 4:
        // Lengths beyond the end.
        return Uint8Array.of(3, 0, 0, 0, 0, ...random.bytes(2), 0xff, 0xff, 0xff, 0xff);
      case 5:
        return encodeMessage({ type: 'want', ids: [] });
      case 6:
        return random.below(50) === 0 ? random.bytes(LONG_FRAME_BYTES) : random.bytes(3);
      default: {
        const bytes = good.slice();
        bytes[random.below(bytes.length)]! ^= random.between(1, 255);
        return bytes;
      }
    }
  }
}

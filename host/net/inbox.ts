// Vertices from peers on their way into the DAG: checked, their signatures verified in batches, kept until their parents are
// here. The only check of what peers send (pitfalls D2, D3, D6); vertices made here or read from disk were checked before.
// Keeps: an id is the hash of the received bytes; a bad signature or payload condemns that copy, never the id (consensus
// 5.17); memory is bounded, for each sender too, so a flooding peer takes room from nobody else; and the sender is reported
// for what nobody could have made from good vertices.
//
//   offer --> checking --> waiting (for parents) --> held (if its seat signs junk) --> ready --takeReady--> taken
//                |    \----------- no parent missing ---^                                   gone <--markAdmitted--/
//                +--> dropped: bad signature, flood of forks, no room
//
// A vertex of the next epoch is kept as bytes until that epoch opens, and offered again then.

import type { EntryProof } from '../ordering/entry-proof.ts';
import type { Epoch } from '../ordering/epoch.ts';
import type { ReadyVertex } from '../ordering/vertex-source.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import { numberOf } from '../wire/seq.ts';
import {
  decodeVertex,
  decodeVertexHeader,
  headerPart,
  type Vertex,
  type VertexHeader,
  vertexId,
} from '../wire/vertex.ts';
import { EarlyVertices } from './early-vertices.ts';
import { type AdmittedForks, ForkBound } from './fork-bound.ts';
import type { ForkKind } from './fork-counts.ts';
import { ForkNeeds } from './fork-needs.ts';
import { type HeldCounts, HeldVertices } from './held-vertices.ts';
import type { Holding } from './holding.ts';
import { type Bound, SenderLoad } from './sender-load.ts';
import type { VertexChecks } from './vertex-checks.ts';
import { WaitingRoom } from './waiting-room.ts';

const MIB = 1024 * 1024;
/** Vertices that may be checking or ready at once. */
const MAX_UNDER_WAY: Bound = { count: 20_000, bytes: 64 * MIB };
/** Vertices that may wait for parents: of one sender, and in all. */
const MAX_WAITING_PER_SENDER: Bound = { count: 2000, bytes: 8 * MIB };
const MAX_WAITING: Bound = { count: 20_000, bytes: 64 * MIB };
/** Above every number of a vertex. */
const MAX_SEQ = 2 ** 32 - 1;

interface Incoming {
  key: string;
  vertex: Vertex;
  bytes: Uint8Array;
  length: number;
  from: string;
  /** Its lamport number. */
  height: number;
  state: 'checking' | 'waiting' | 'held' | 'ready' | 'taken';
  /** Known once the signature was verified. */
  proofs: readonly EntryProof[] | undefined;
  /** Repeats a seq of its creator, or is of an older incarnation; undefined until the signature was found good. */
  fork: ForkKind | undefined;
  /** How many parents are missing, while waiting. */
  missing: number;
}

export interface InboxOptions extends AdmittedForks {
  epoch(): Epoch;
  /** Was this vertex of the running epoch admitted. */
  isAdmitted(id: Uint8Array): boolean;
  checks: VertexChecks;
  holding: Holding;
  /** A vertex became ready. */
  onReady(): void;
  /** Parents of what a peer sent that are not here. */
  onMissing(ids: readonly Uint8Array[], from: string): void;
  /** A fault that only the sender is responsible for. */
  onFault(from: string, what: string): void;
}

export class Inbox {
  /** All that were not admitted yet, by id in hex. */
  readonly #incoming = new Map<string, Incoming>();
  /** Missing parent -> those that wait for it. */
  readonly #children = new Map<string, Set<Incoming>>();
  /** Those in state `ready`, parents first. */
  #ready: Incoming[] = [];
  #takenCount = 0;
  /** Bytes of all but the taken ones. */
  #bytes = 0;
  readonly #early = new EarlyVertices();
  readonly #waiting = new WaitingRoom<Incoming>(new SenderLoad(MAX_WAITING_PER_SENDER, MAX_WAITING));
  readonly #forks: ForkBound;
  readonly #needs: ForkNeeds;
  readonly #held: HeldVertices<Incoming>;

  constructor(private readonly options: InboxOptions) {
    const { holding } = options;
    this.#forks = new ForkBound(options);
    this.#needs = new ForkNeeds((seat) => holding.canVouch(seat));
    this.#held = new HeldVertices(holding, this.#needs);
  }

  /** Vertices here: checking, waiting, held or ready. */
  get size(): number {
    return this.#incoming.size - this.#takenCount;
  }

  /** Vertices that are checking or ready: they leave without anything else having to arrive. */
  get underWay(): number {
    return this.size - this.#waiting.all.count - this.#held.all.count;
  }

  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  /** Is there room to ask a peer for more. */
  get hasRoom(): boolean {
    const bytes = this.#bytes - this.#waiting.all.bytes - this.#held.all.bytes;
    return this.underWay < MAX_UNDER_WAY.count && bytes < MAX_UNDER_WAY.bytes;
  }

  /** Does a vertex wait for parents. */
  get hasWaiting(): boolean {
    return this.#waiting.all.count > 0;
  }

  /** Vertices held back and dropped since the start, by seat. */
  get heldCounts(): ReadonlyMap<number, Readonly<HeldCounts>> {
    return this.#held.counts;
  }

  /** Newest number of each seat that need not be fetched: of seats that are held back, nothing is. */
  reached(newest: readonly number[]): readonly number[] {
    if (this.#held.all.count === 0) return newest;
    return newest.map((seq, seat) => (this.#held.hasOf(seat) ? MAX_SEQ : seq));
  }

  /** What is held back may come in by now. */
  recheckHeld(): void {
    for (const incoming of this.#held.list()) this.#makeReady(incoming);
  }

  /** Ids of missing parents, as hex. */
  missing(): string[] {
    return [...this.#children.keys()].filter((key) => !this.#isHere(key));
  }

  /** Is this vertex here, so that it need not be fetched. */
  #isHere(key: string): boolean {
    const incoming = this.#incoming.get(key);
    return incoming !== undefined && incoming.state !== 'taken';
  }

  /**
   * A vertex that a peer sent. Costs one hash for a known one. True when it is accepted for checking. `isWantedOnly`:
   * accept it only if others wait for it.
   */
  offer(bytes: Uint8Array, from: string, isWantedOnly = false): boolean {
    const part = headerPart(bytes);
    const header = part && decodeVertexHeader(part);
    if (!header) {
      this.options.onFault(from, 'a vertex header breaks a rule');
      return false;
    }
    const id = vertexId(part);
    const key = toHex(id);
    if (this.#incoming.has(key) || this.options.isAdmitted(id)) return false;
    const epoch = this.options.epoch();
    if (!equalBytes(header.epochId, epoch.id)) {
      this.#early.keep(key, bytes, from, header.lamport);
      return false;
    }
    if (!this.hasRoom || (isWantedOnly && !this.#children.has(key))) return false;
    if (this.#isFlood(header, key)) return false;
    if (!this.#children.has(key) && this.#held.refuses(header.creator)) return false;
    return this.#accept(key, bytes, from, epoch);
  }

  #accept(key: string, bytes: Uint8Array, from: string, epoch: Epoch): boolean {
    // The link reuses the frame's buffer.
    const own = bytes.slice();
    const vertex = decodeVertex(own, epoch.maxParents);
    if (!vertex || vertex.header.creator >= epoch.seats.length) {
      this.options.onFault(from, 'a vertex breaks a rule');
      return false;
    }
    const incoming: Incoming = {
      key,
      vertex,
      bytes: own,
      length: own.length,
      from,
      height: vertex.header.lamport,
      state: 'checking',
      proofs: undefined,
      fork: undefined,
      missing: 0,
    };
    this.#incoming.set(key, incoming);
    this.#bytes += own.length;
    void this.#check(incoming, epoch);
    return true;
  }

  async #check(incoming: Incoming, epoch: Epoch): Promise<void> {
    const { vertex, from, key } = incoming;
    const verified = await this.options.checks.verify(vertex, epoch);
    // The epoch may have ended meanwhile.
    if (this.#incoming.get(key) !== incoming) return;
    if (!verified) {
      // The verifier is full or closing: the vertex is fetched again later.
      this.#drop(incoming);
      return;
    }
    if (!verified.isGood) {
      this.#drop(incoming);
      this.options.onFault(from, 'a vertex has a bad signature');
      return;
    }
    if (this.#isFlood(vertex.header, key)) {
      this.#drop(incoming);
      return;
    }
    incoming.proofs = verified.proofs;
    incoming.fork = this.#forks.kindOf(vertex.header);
    this.#forks.add(vertex.header, incoming.fork, incoming.bytes.length);
    this.#awaitParents(incoming);
    // It may build on some.
    this.recheckHeld();
  }

  // Dropped without blame: once a vertex of another seat is found to be built on it, it is accepted.
  #isFlood(header: VertexHeader, key: string): boolean {
    if (!this.#forks.isExceededBy(header) || this.#needs.has(key)) return false;
    this.#needs.note(key, this.#absentOf(header));
    return true;
  }

  // What a seat that is not known to fork builds on, others may have built on with it. Its own chain is not a fork.
  #noteNeeds({ key, vertex: { header } }: Incoming, absent: readonly string[]): void {
    this.#needs.note(key, absent);
    if (this.#forks.isCheater(header.creator)) return;
    const self = numberOf(header.seq) > 1 ? toHex(header.parents[0]!) : undefined;
    this.#needs.need(
      absent.filter((parent) => parent !== self),
      header.creator,
    );
  }

  #absentOf({ parents }: VertexHeader): string[] {
    return parents
      .map((id) => ({ id, key: toHex(id) }))
      .flatMap(({ id, key }) => (this.#isAvailable(id, key) ? [] : [key]));
  }

  /** Is a parent in the DAG, or sure to be admitted before what is made ready from now on. */
  #isAvailable(id: Uint8Array, key: string): boolean {
    const state = this.#incoming.get(key)?.state;
    return state === 'ready' || state === 'taken' || this.options.isAdmitted(id);
  }

  #awaitParents(incoming: Incoming): void {
    const absent = this.#absentOf(incoming.vertex.header);
    if (absent.length === 0) {
      this.#makeReady(incoming);
      return;
    }
    this.#noteNeeds(incoming, absent);
    for (const out of this.#waiting.add(incoming)) this.#evict(out);
    if (!this.#incoming.has(incoming.key)) return;
    incoming.state = 'waiting';
    incoming.missing = absent.length;
    for (const key of absent) {
      const others = this.#children.get(key);
      if (others) others.add(incoming);
      else this.#children.set(key, new Set([incoming]));
    }
    const missing = absent.filter((key) => !this.#isHere(key)).map((key) => fromHex(key)!);
    if (missing.length > 0) this.options.onMissing(missing, incoming.from);
  }

  // It found no room: its parents are not fetched for it any more.
  #evict(incoming: Incoming): void {
    for (const id of incoming.vertex.header.parents) {
      const key = toHex(id);
      const children = this.#children.get(key);
      children?.delete(incoming);
      if (children?.size === 0) this.#children.delete(key);
    }
    this.#drop(incoming);
  }

  /** A parent became available; true when it was the last missing one. */
  #isComplete(child: Incoming): boolean {
    child.missing -= 1;
    if (child.missing > 0) return false;
    this.#waiting.remove(child);
    return true;
  }

  // Parents first: those that wait for this one come after it.
  #makeReady(first: Incoming): void {
    const open = [first];
    const before = this.#ready.length;
    for (let incoming = open.shift(); incoming; incoming = open.shift()) {
      incoming.state = this.#held.passes(incoming) ? 'ready' : 'held';
      if (incoming.state === 'held') continue;
      this.#ready.push(incoming);
      for (const child of this.#children.get(incoming.key) ?? []) {
        if (this.#isComplete(child)) open.push(child);
      }
      this.#children.delete(incoming.key);
    }
    if (this.#ready.length > before) this.options.onReady();
  }

  /** At most `max` ready ones, parents first; the caller admits all of them before it calls again. */
  takeReady(max: number): ReadyVertex[] {
    const taken = this.#ready.splice(0, max);
    return taken.map((incoming) => {
      this.#release(incoming);
      incoming.state = 'taken';
      this.#takenCount += 1;
      const { vertex, bytes, proofs, from } = incoming;
      return { vertex, bytes, proofs: proofs!, from };
    });
  }

  /** Taken ones are in the DAG now, or refused by every node alike. */
  markAdmitted(ids: readonly Uint8Array[]): void {
    for (const id of ids) {
      const key = toHex(id);
      const incoming = this.#incoming.get(key);
      if (incoming?.state !== 'taken') continue;
      this.#held.admitted(incoming);
      this.#incoming.delete(key);
      this.#needs.remove(key);
      this.#takenCount -= 1;
    }
  }

  /** A vertex was admitted without passing here: those that waited for it may become ready. */
  onAdmittedElsewhere(id: Uint8Array): void {
    const key = toHex(id);
    const children = this.#children.get(key);
    if (!children) return;
    this.#children.delete(key);
    for (const child of children) {
      if (this.#isComplete(child)) this.#makeReady(child);
    }
  }

  // Others may have a good copy: if children wait for it, it is missing again.
  #drop(incoming: Incoming): void {
    this.#incoming.delete(incoming.key);
    this.#release(incoming);
  }

  #release({ vertex, bytes, fork }: Incoming): void {
    this.#bytes -= bytes.length;
    if (fork !== undefined) this.#forks.remove(vertex.header, fork, bytes.length);
  }

  /** A new epoch runs: vertices of the last one are useless now, early ones of this one can be checked. */
  onEpoch(): void {
    // The epoch runs since its seal was executed, a little before this call: some of its vertices may be here already.
    const here = [...this.#incoming.values()].filter(({ state }) => state !== 'taken');
    const candidates = [...this.#early.take(), ...here];
    this.#incoming.clear();
    this.#children.clear();
    this.#ready = [];
    this.#takenCount = 0;
    this.#bytes = 0;
    this.#waiting.clear();
    this.#held.clear();
    this.#forks.clear();
    this.#needs.clear();
    const { id } = this.options.epoch();
    for (const { bytes, from } of candidates) {
      const header = decodeVertexHeader(headerPart(bytes)!);
      if (header && equalBytes(header.epochId, id)) this.offer(bytes, from);
    }
  }
}

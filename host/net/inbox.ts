// Vertices on their way into the DAG: checked, their signatures verified in batches, held until their parents are here.
// The one check for what peers send (pitfalls D2, D3, D6); what is made here or stands on the disk was checked before.
// Keeps: an id is the hash of what came; a bad signature or payload condemns that copy, never the id (consensus 5.17);
// memory is bounded, for each sender too, so that one who floods takes room from nobody else; and whoever sends what
// nobody could have made from good vertices is named.

import type { SignatureVerifier } from '../crypto/verifier.ts';
import type { EntryProof } from '../ordering/entry-proof.ts';
import type { Epoch } from '../ordering/epoch.ts';
import type { ReadyVertex } from '../ordering/vertex-source.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import {
  decodeVertex,
  decodeVertexHeader,
  headerPart,
  type Vertex,
  type VertexHeader,
  vertexId,
  vertexSigningBytes,
} from '../wire/vertex.ts';
import type { EntryChecks } from './entry-checks.ts';
import { ForkCounts } from './fork-load.ts';
import { type Bound, SenderLoad } from './sender-load.ts';

const MIB = 1024 * 1024;
/** Vertices that may be checked or wait to be admitted at once. */
const MAX_UNDER_WAY: Bound = { count: 20_000, bytes: 64 * MIB };
/** Vertices that may wait for parents: of one sender, and in all. */
const MAX_WAITING_PER_SENDER: Bound = { count: 2000, bytes: 8 * MIB };
const MAX_WAITING: Bound = { count: 20_000, bytes: 64 * MIB };
/**
 * Forks of one seat in an epoch, after which more are taken only below vertices of others (consensus 5.12): so many of
 * 33 seats of a hundred fit one round of the DAG, and memory.
 */
const MAX_FORKS: Bound = { count: 256, bytes: 16 * MIB };
/** Vertices of the next epoch that are kept until it opens. */
const MAX_EARLY_PER_SENDER: Bound = { count: 2000, bytes: MIB };
const MAX_EARLY: Bound = { count: 20_000, bytes: 16 * MIB };

interface Held {
  key: string;
  vertex: Vertex;
  bytes: Uint8Array;
  from: string;
  proofs: readonly EntryProof[] | undefined;
  /** Another vertex has its number; undefined until its signature is known to be good. */
  isFork: boolean | undefined;
  /** Parents that are not here yet: it waits while there are any. */
  missing: number;
}

export interface InboxOptions {
  epoch(): Epoch;
  /** Was this vertex of the running epoch admitted. */
  isAdmitted(id: Uint8Array): boolean;
  /** Newest number of a seat among the admitted ones, and those of them whose number had been taken. */
  admittedBy(seat: number): { newest: number; forks: Bound };
  verifier: SignatureVerifier;
  entries: EntryChecks;
  /** Something can be taken. */
  onReady(): void;
  /** These are parents of what a peer sent, and not here. */
  onMissing(ids: readonly Uint8Array[], from: string): void;
  /** A fault that the sender alone answers for. */
  onFault(from: string, what: string): void;
}

export class Inbox {
  readonly #held = new Map<string, Held>();
  /** Parent -> those that wait for it. */
  readonly #waiting = new Map<string, Held[]>();
  #ready: Held[] = [];
  /** Ready or taken, and not admitted yet. */
  readonly #passed = new Set<string>();
  readonly #early = new Map<string, { bytes: Uint8Array; from: string }>();
  readonly #earlyLoad = new SenderLoad(MAX_EARLY_PER_SENDER, MAX_EARLY);
  readonly #waitingLoad = new SenderLoad(MAX_WAITING_PER_SENDER, MAX_WAITING);
  readonly #forkLoad = new ForkCounts();
  #bytes = 0;

  constructor(private readonly options: InboxOptions) {}

  /** Vertices that are held. */
  get size(): number {
    return this.#held.size;
  }

  /** Of them those that are checked or can be taken: they leave without anything else having to come. */
  get underWay(): number {
    return this.#held.size - this.#waitingLoad.all.count;
  }

  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  /** Is it worth asking a peer for more. */
  get hasRoom(): boolean {
    return (
      this.underWay < MAX_UNDER_WAY.count && this.#bytes - this.#waitingLoad.all.bytes < MAX_UNDER_WAY.bytes
    );
  }

  /** Ids of parents that are wanted, as hex. */
  missing(): string[] {
    return [...this.#waiting.keys()].filter((key) => !this.#held.has(key));
  }

  /**
   * A vertex that a peer sent. Costs a hash for one that is known. True when it is taken in to be checked. `isWantedOnly`:
   * take it only if others wait for it.
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
    if (this.#held.has(key) || this.#passed.has(key) || this.options.isAdmitted(id)) return false;
    const epoch = this.options.epoch();
    if (!equalBytes(header.epochId, epoch.id)) {
      this.#keepEarly(key, bytes, from);
      return false;
    }
    if (!this.hasRoom || (isWantedOnly && !this.#waiting.has(key))) return false;
    if (this.#isFlood(header, key)) return false;
    return this.#take(key, bytes, from, epoch);
  }

  #take(key: string, bytes: Uint8Array, from: string, epoch: Epoch): boolean {
    // The frame's buffer goes on to be used by the link.
    const own = bytes.slice();
    const vertex = decodeVertex(own, epoch.maxParents);
    if (!vertex || vertex.header.creator >= epoch.seats.length) {
      this.options.onFault(from, 'a vertex breaks a rule');
      return false;
    }
    const held: Held = { key, vertex, bytes: own, from, proofs: undefined, isFork: undefined, missing: 0 };
    this.#held.set(key, held);
    this.#bytes += own.length;
    void this.#check(held, epoch);
    return true;
  }

  // Of another epoch: the next one, which cannot be checked yet, or a past one.
  #keepEarly(key: string, bytes: Uint8Array, from: string): void {
    if (this.#early.has(key) || !this.#earlyLoad.hasRoom(from, bytes.length)) return;
    this.#early.set(key, { bytes: bytes.slice(), from });
    this.#earlyLoad.add(from, bytes.length);
  }

  async #check(held: Held, epoch: Epoch): Promise<void> {
    const { vertex, from } = held;
    const publicKey = epoch.seats[vertex.header.creator]!.key;
    const job = { publicKey, message: vertexSigningBytes(vertex.id), signature: vertex.signature };
    try {
      const [isGood, proofs] = await Promise.all([
        this.options.verifier.verify(job),
        this.options.entries.prove(vertex.entries),
      ]);
      if (this.#held.get(held.key) !== held) return;
      if (!isGood) {
        this.#release(held);
        this.options.onFault(from, 'a vertex has a bad signature');
        return;
      }
      if (this.#isFlood(vertex.header, held.key)) {
        this.#release(held);
        return;
      }
      held.proofs = proofs;
      held.isFork = this.#isFork(vertex.header);
      this.#forkLoad.add(vertex.header, held.isFork ? held.bytes.length : undefined);
      this.#place(held);
    } catch {
      // The verifier is full or closing: the vertex is fetched again, but not at once.
      if (this.#held.get(held.key) === held) this.#release(held);
    }
  }

  #isFork(header: VertexHeader): boolean {
    return header.seq <= this.options.admittedBy(header.creator).newest || this.#forkLoad.has(header);
  }

  // Left out: if a vertex of another seat comes that stands on it, it is asked for.
  #isFlood(header: VertexHeader, key: string): boolean {
    const { creator } = header;
    const loads = [this.options.admittedBy(creator).forks, this.#forkLoad.of(creator)] as const;
    const isFull = (unit: keyof Bound): boolean => loads[0][unit] + loads[1][unit] >= MAX_FORKS[unit];
    if (!isFull('count') && !isFull('bytes')) return false;
    return this.#isFork(header) && !this.#isBelowOthers(creator, key);
  }

  /** Does a vertex of another seat wait for this one of the creator, or for one that stands on it. */
  #isBelowOthers(creator: number, key: string): boolean {
    const open = [key];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const child of this.#waiting.get(at) ?? []) {
        if (child.vertex.header.creator !== creator) return true;
        open.push(child.key);
      }
    }
    return false;
  }

  #place(held: Held): void {
    const absent = held.vertex.header.parents
      .map((id) => ({ id, key: toHex(id) }))
      .filter(({ id, key }) => !this.#passed.has(key) && !this.options.isAdmitted(id));
    if (absent.length === 0) {
      this.#pass(held);
      return;
    }
    if (!this.#waitingLoad.hasRoom(held.from, held.bytes.length)) {
      this.#release(held);
      return;
    }
    held.missing = absent.length;
    this.#waitingLoad.add(held.from, held.bytes.length);
    for (const { key } of absent) {
      const others = this.#waiting.get(key);
      if (others) others.push(held);
      else this.#waiting.set(key, [held]);
    }
    const missing = absent.filter(({ key }) => !this.#held.has(key));
    if (missing.length > 0)
      this.options.onMissing(
        missing.map(({ id }) => id),
        held.from,
      );
  }

  /** True when this was the last parent that it waited for. */
  #isComplete(child: Held): boolean {
    child.missing -= 1;
    if (child.missing > 0) return false;
    this.#waitingLoad.remove(child.from, child.bytes.length);
    return true;
  }

  // Parents first: whoever waits for this one comes after it.
  #pass(first: Held): void {
    const open = [first];
    for (let held = open.shift(); held; held = open.shift()) {
      this.#ready.push(held);
      this.#passed.add(held.key);
      for (const child of this.#waiting.get(held.key) ?? []) {
        if (this.#isComplete(child)) open.push(child);
      }
      this.#waiting.delete(held.key);
    }
    this.options.onReady();
  }

  /** What can be admitted, in an order that has parents first; the caller admits it all before it takes again. */
  takeReady(most: number): ReadyVertex[] {
    const taken = this.#ready.splice(0, most);
    return taken.map((held) => {
      this.#release(held);
      return { vertex: held.vertex, bytes: held.bytes, proofs: held.proofs!, from: held.from };
    });
  }

  /** What was taken has been admitted, or refused by every node alike. */
  markAdmitted(ids: readonly Uint8Array[]): void {
    for (const id of ids) this.#passed.delete(toHex(id));
  }

  /** A vertex that was admitted another way: whoever waited for it may pass. */
  onAdmittedElsewhere(id: Uint8Array): void {
    const key = toHex(id);
    const children = this.#waiting.get(key);
    if (!children) return;
    this.#waiting.delete(key);
    for (const child of children) {
      if (this.#isComplete(child)) this.#pass(child);
    }
  }

  // Others may hold a good copy: if children here wait for it, it is among the missing again.
  #release(held: Held): void {
    this.#held.delete(held.key);
    this.#bytes -= held.bytes.length;
    if (held.isFork === undefined) return;
    this.#forkLoad.remove(held.vertex.header, held.isFork ? held.bytes.length : undefined);
  }

  /** A new epoch runs: what was for the last one is of no use, what came early can be checked now. */
  onEpoch(): void {
    // It runs since its seal was executed, a little before this is told: some may be held already.
    const early = [...this.#early.values(), ...this.#held.values()];
    this.#held.clear();
    this.#waiting.clear();
    this.#passed.clear();
    this.#ready = [];
    this.#bytes = 0;
    this.#waitingLoad.clear();
    this.#forkLoad.clear();
    this.#early.clear();
    this.#earlyLoad.clear();
    const { id } = this.options.epoch();
    for (const { bytes, from } of early) {
      const header = decodeVertexHeader(headerPart(bytes)!);
      if (header && equalBytes(header.epochId, id)) this.offer(bytes, from);
    }
  }
}

// A loose seat that takes part in consensus, never forks, and fills its vertices with what it likes: junk of any size,
// requests, or nothing. It follows the others from epoch to epoch by what they send.
// Keeps: every vertex is valid (consensus 5.1): over its own last one and the newest of the others that it has seen.

import { MAX_ANSWER_BYTES, MAX_VERTICES, type Message } from '../../host/net/messages.ts';
import { compareBytes, toHex } from '../../host/wire/bytes.ts';
import { decodeVertex, encodeVertex, MAX_PARENTS, makeVertex, type Vertex } from '../../host/wire/vertex.ts';
import { LooseSeat } from './loose-seat.ts';
import { type SimNetwork, seatKey } from './network.ts';

/** How often it makes a vertex, if others made some since its last one or it has entries. */
const TURN_MS = 40;
const HEAD_MS = 250;

export interface JunkPlan {
  /** Bytes of junk in a vertex. */
  bytes: number;
  /** Between two vertices with junk. */
  everyMs: number;
  /** How many of them. */
  count: number;
  /** One machine gets it, and the others have to fetch it there; else all get it. */
  isWithheld: boolean;
  /** Empty vertices a turn that bring nothing and want to become final. */
  idle?: number;
}

export class JunkSeat {
  readonly #peer: LooseSeat;
  readonly #machines: readonly string[];
  /** Newest vertex of each seat in the epoch that it follows. */
  #newest = new Map<number, Vertex>();
  #epoch: { number: number; id: Uint8Array } = { number: -1, id: new Uint8Array(32) };
  /** Vertices of others in the epoch, and own ones, by id. */
  #others = new Map<string, Uint8Array>();
  #own = new Map<string, Uint8Array>();
  #hasNews = false;
  #entries: Uint8Array[] = [];
  #plan: JunkPlan = { bytes: 0, everyMs: 0, count: 0, isWithheld: false };
  #nextJunkMs = 0;
  #isSilent = false;
  /** Vertices with junk, and those made in all. */
  readonly made = { junk: 0, all: 0 };

  constructor(
    private readonly net: SimNetwork,
    readonly seat: number,
  ) {
    this.#peer = new LooseSeat(net, seat, (machine, message) => this.#onMessage(machine, message));
    this.#machines = net.machines.map(({ name }) => name).filter((name) => name !== `n${seat}`);
  }

  /** Connects to all machines, again and again, and takes part. */
  start(): void {
    this.#turn();
    this.#sendHead();
    void this.#keepLinks();
  }

  /** Signs junk from now on. */
  spam(plan: JunkPlan): void {
    this.#plan = plan;
    this.#nextJunkMs = this.net.universe.nowMs;
  }

  /** Puts an entry into its next vertex. */
  submit(entry: Uint8Array): void {
    this.#entries.push(entry);
  }

  async fallSilent(): Promise<void> {
    this.#isSilent = true;
    await this.#peer.fallSilent();
  }

  async #keepLinks(): Promise<void> {
    while (!this.#isSilent) {
      for (const name of this.#machines) await this.#peer.connect(name).catch(() => {});
      await this.net.universe.pause(1000);
    }
  }

  #onMessage(machine: string, message: Message): void {
    switch (message.type) {
      case 'ping': {
        const nowMs = Math.floor(this.net.universe.nowMs);
        this.#peer.send(machine, { type: 'pong', nonce: message.nonce, wallMs: nowMs, usedMs: nowMs });
        break;
      }
      case 'vertices':
        for (const bytes of message.vertices) this.#see(message.epoch, bytes);
        break;
      case 'want': {
        for (const id of message.ids) {
          const vertex = this.#own.get(toHex(id)) ?? this.#others.get(toHex(id));
          const isServed = vertex && (!this.#plan.isWithheld || vertex.length < 10_000);
          if (isServed) this.#send([machine], vertex);
        }
        break;
      }
      case 'sync':
        if (message.epoch === this.#epoch.number && !this.#plan.isWithheld) {
          this.#peer.send(machine, this.#synced(message));
        }
        break;
      default:
    }
  }

  /** Own vertices from a position on: their numbers less 1. */
  #synced({ epoch, cursor, seqs }: Extract<Message, { type: 'sync' }>): Message {
    const own = [...this.#own.values()];
    const vertices: Uint8Array[] = [];
    let next = Math.max(cursor, seqs[this.seat] ?? 0);
    let bytes = 0;
    for (; next < own.length; next++) {
      bytes += own[next]!.length;
      if (vertices.length > 0 && (bytes > MAX_ANSWER_BYTES || vertices.length === MAX_VERTICES)) break;
      vertices.push(own[next]!);
    }
    return { type: 'synced', epoch, cursor: next, isEnd: next >= own.length, vertices };
  }

  #sendHead(): void {
    const { number: epoch } = this.#epoch;
    if (this.#isSilent) return;
    const seqs: number[] = [];
    for (const [seat, { header }] of this.#newest) seqs[seat] = header.seq;
    for (let seat = 0; seat < seqs.length; seat++) seqs[seat] ??= 0;
    for (const machine of this.#machines) {
      if (epoch < 0) continue;
      this.#peer.send(machine, {
        type: 'head',
        epoch,
        vertexCount: 0,
        block: 0,
        order: 0,
        signed: 0,
        from: { epoch: 0, order: 1, seq: 1 },
        seqs,
        isOpen: true,
      });
    }
    this.net.universe.after(HEAD_MS, () => this.#sendHead());
  }

  #see(epoch: number, bytes: Uint8Array): void {
    if (epoch < this.#epoch.number) return;
    const vertex = decodeVertex(bytes.slice());
    if (!vertex || vertex.header.creator === this.seat) return;
    if (epoch > this.#epoch.number) {
      this.#epoch = { number: epoch, id: vertex.header.epochId };
      this.#newest = new Map();
      this.#own = new Map();
      this.#others = new Map();
    }
    this.#others.set(toHex(vertex.id), bytes.slice());
    const { creator, seq } = vertex.header;
    if (seq <= (this.#newest.get(creator)?.header.seq ?? 0)) return;
    this.#newest.set(creator, vertex);
    this.#hasNews = true;
  }

  #turn(): void {
    if (this.#isSilent) return;
    const { universe } = this.net;
    const entries = this.#entries.splice(0);
    const { bytes, everyMs, count } = this.#plan;
    const isJunk = this.made.junk < count && universe.nowMs >= this.#nextJunkMs;
    if (isJunk) {
      entries.push(new Uint8Array(bytes).fill(this.made.junk));
      this.#nextJunkMs += everyMs;
    }
    if (this.#epoch.number < 0) this.#entries.push(...entries);
    else if (this.#hasNews || entries.length > 0) this.#make(entries, isJunk);
    if (this.#own.size > 0) for (let i = this.#plan.idle ?? 0; i > 0; i--) this.#make([], false, true);
    universe.after(TURN_MS, () => this.#turn());
  }

  #make(entries: readonly Uint8Array[], isJunk: boolean, isIdle = false): void {
    this.#hasNews = false;
    const own = this.#newest.get(this.seat);
    const others = [...this.#newest.values()]
      .filter(({ header }) => header.creator !== this.seat)
      .slice(0, MAX_PARENTS - 1);
    const parents = [...(own ? [own] : []), ...others];
    const vertex = makeVertex(
      {
        work: isIdle || entries.length > 0,
        creator: this.seat,
        seq: (own?.header.seq ?? 0) + 1,
        lamport: 1 + Math.max(0, ...parents.map(({ header }) => header.lamport)),
        timeMs: Math.floor(this.net.universe.nowMs),
        epochId: this.#epoch.id,
        parents: [...(own ? [own.id] : []), ...others.map(({ id }) => id).sort(compareBytes)],
      },
      entries,
      (message) => seatKey(this.seat).sign(message),
    );
    const bytes = encodeVertex(vertex);
    this.#newest.set(this.seat, vertex);
    this.#own.set(toHex(vertex.id), bytes);
    this.made.all += 1;
    const first = this.#machines[this.made.junk % this.#machines.length]!;
    if (isJunk) this.made.junk += 1;
    this.#send(isJunk && this.#plan.isWithheld ? [first] : this.#machines, bytes);
  }

  #send(machines: readonly string[], vertex: Uint8Array): void {
    const message: Message = { type: 'vertices', epoch: this.#epoch.number, vertices: [vertex] };
    for (const machine of machines) this.#peer.send(machine, message);
  }
}

// The network between machines: links that deliver in order, with delay, loss (which stalls what is behind it, as TCP
// does), limited width, and cuts in one or both directions.
// Keeps: a wire carries one byte after the other, whatever links share it, so what is large delays what follows.

import type { Link, LinkHandlers, Transport, TransportKey } from '../../host/world/transport.ts';
import type { Universe } from './universe.ts';

/** One direction between two machines. */
export interface Wire {
  delayMs: number;
  jitterMs: number;
  lossPercent: number;
  /** Bytes a millisecond; Infinity: no limit. */
  width: number;
  isCut: boolean;
}

/** A wire at work. */
interface LiveWire extends Wire {
  /** When it has carried all that it was given. */
  freeAtMs: number;
  /** Messages that it carried, that a cut held back, and packets that it lost. */
  passed: number;
  held: number;
  lost: number;
}

export const GOOD_WIRE: Wire = { delayMs: 20, jitterMs: 5, lossPercent: 0, width: 12_500, isCut: false };

/** How long a lost packet holds up what is behind it. */
const RETRANSMIT_MS = 220;
/** How often something tries to pass a cut. */
const RETRY_MS = 250;
/** After so long without passing, the sockets of both ends give up. */
const GIVE_UP_MS = 40_000;
/** A wire takes more while less than this is before it. */
const AHEAD_MS = 1;
/** A change of the width counts from the next so many bytes on. */
const SLICE_BYTES = 64 * 1024;
/** Bytes on their way above which a link takes no more. */
const FULL_BYTES = 4 * 1024 * 1024;

/** May change what one end sends: undefined drops it. For seats that do not follow the protocol. */
export type Filter = (message: Uint8Array, to: string) => readonly Uint8Array[];

/** An end of the network: a process that listens or dials. */
export interface Port {
  /** Machine it runs on. */
  machine: string;
  key: Pick<TransportKey, 'publicKey'>;
  isAlive(): boolean;
  /** Runs something as the process: at once, or when it is no longer paused. */
  enter(run: () => void): void;
  filter?: Filter | undefined;
}

export class Wires {
  readonly #wires = new Map<string, LiveWire>();
  readonly #listeners = new Map<string, SimTransport>();
  /** Messages and bytes that were delivered, by machine that sent them. */
  readonly delivered = new Map<string, { messages: number; bytes: number }>();

  constructor(
    readonly universe: Universe,
    private readonly standard: Wire = GOOD_WIRE,
  ) {}

  /** From one machine to another; changes count from now on. */
  wire(from: string, to: string): LiveWire {
    const name = `${from}>${to}`;
    const known = this.#wires.get(name);
    if (known) return known;
    const made = { ...this.standard, freeAtMs: 0, passed: 0, held: 0, lost: 0 };
    this.#wires.set(name, made);
    return made;
  }

  /** Both directions. */
  between(a: string, b: string): readonly [LiveWire, LiveWire] {
    return [this.wire(a, b), this.wire(b, a)];
  }

  /** What these wires, or all of them, have counted. */
  sum(what: 'passed' | 'held' | 'lost', wires: Iterable<LiveWire> = this.#wires.values()): number {
    let sum = 0;
    for (const wire of wires) sum += wire[what];
    return sum;
  }

  listen(address: string, transport: SimTransport): void {
    this.#listeners.set(address, transport);
  }

  unlisten(address: string, transport: SimTransport): void {
    if (this.#listeners.get(address) === transport) this.#listeners.delete(address);
  }

  listener(address: string): SimTransport | undefined {
    const found = this.#listeners.get(address);
    return found?.port.isAlive() ? found : undefined;
  }

  /** Time for a packet from one machine to another, without what is before it; undefined: it does not pass now. */
  passMs(from: string, to: string): number | undefined {
    const { dice } = this.universe;
    const wire = this.wire(from, to);
    const { delayMs, jitterMs, lossPercent } = wire;
    if (wire.isCut) {
      wire.held += 1;
      return undefined;
    }
    wire.passed += 1;
    let ms = delayMs + (jitterMs > 0 ? dice.below(jitterMs * 10) / 10 : 0);
    while (lossPercent > 0 && dice.chance(lossPercent)) {
      wire.lost += 1;
      ms += RETRANSMIT_MS;
    }
    return ms;
  }

  count(from: string, bytes: number): void {
    const sum = this.delivered.get(from) ?? { messages: 0, bytes: 0 };
    this.delivered.set(from, { messages: sum.messages + 1, bytes: sum.bytes + bytes });
  }
}

/** One end of a link. */
class SimLink implements Link {
  readonly traffic = { sent: 0, received: 0 };
  other!: SimLink;
  #handlers: LinkHandlers | undefined;
  #early: Uint8Array[] = [];
  #closedFor: string | undefined;
  /** This end has closed the link, and the other one has not heard of it. */
  #isClosing = false;
  /** Nothing that is sent now arrives before this. */
  #lastAtMs = 0;
  #underWay = 0;
  #queue: Uint8Array[] = [];
  /** Bytes of the first in the queue that the wire has taken. */
  #takenBytes = 0;
  /** Something is to go on later. */
  #isWaiting = false;
  #stuckSinceMs: number | undefined;

  constructor(
    private readonly wires: Wires,
    readonly own: Port,
    private readonly peer: Port,
    readonly peerKey: Uint8Array,
    readonly isDialed: boolean,
    readonly address: string,
  ) {}

  get isWritable(): boolean {
    return this.#closedFor === undefined && this.#underWay <= FULL_BYTES;
  }

  send(message: Uint8Array): void {
    if (this.#closedFor !== undefined || !this.own.isAlive()) return;
    const messages = this.own.filter ? this.own.filter(message, this.peer.machine) : [message];
    for (const one of messages) {
      this.traffic.sent += one.length;
      this.#underWay += one.length;
      this.#queue.push(one);
    }
    this.#move();
  }

  /** Sends what waits, as far as the wire lets it; then what the end of the link has to say. */
  #move(): void {
    if (this.#isWaiting) return;
    const { universe } = this.wires;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const wire = this.wires.wire(this.own.machine, this.peer.machine);
      const busyMs = wire.freeAtMs - universe.nowMs;
      if (busyMs > AHEAD_MS) {
        this.#moveAfter(busyMs);
        return;
      }
      const bytes = Math.min(SLICE_BYTES, next.length - this.#takenBytes);
      const isLast = this.#takenBytes + bytes === next.length;
      const ms = isLast || wire.isCut ? this.wires.passMs(this.own.machine, this.peer.machine) : 0;
      if (ms === undefined) {
        this.#stuck();
        return;
      }
      this.#stuckSinceMs = undefined;
      wire.freeAtMs = Math.max(universe.nowMs, wire.freeAtMs) + bytes / wire.width;
      this.#takenBytes += bytes;
      if (isLast) this.#send(next, wire.freeAtMs + ms);
    }
    if (this.#isClosing) this.#tellClosed();
  }

  /** The first in the queue has left, and arrives at this time if nothing before it is later. */
  #send(message: Uint8Array, atMs: number): void {
    const { universe } = this.wires;
    this.#queue.shift();
    this.#takenBytes = 0;
    this.#lastAtMs = Math.max(this.#lastAtMs, atMs);
    universe.after(this.#lastAtMs - universe.nowMs, () => {
      this.#underWay -= message.length;
      this.wires.count(this.own.machine, message.length);
      this.other.#arrive(message);
    });
  }

  #moveAfter(ms: number): void {
    this.#isWaiting = true;
    this.wires.universe.after(ms, () => {
      this.#isWaiting = false;
      this.#move();
    });
  }

  /** The wire is cut: sockets try for a while. */
  #stuck(): void {
    const { nowMs } = this.wires.universe;
    this.#stuckSinceMs ??= nowMs;
    if (nowMs - this.#stuckSinceMs <= GIVE_UP_MS) {
      this.#moveAfter(RETRY_MS);
      return;
    }
    this.#isClosing = false;
    this.#lost('the connection timed out');
    this.other.#lost('the connection timed out');
  }

  #arrive(message: Uint8Array): void {
    if (this.#closedFor !== undefined) return;
    if (!this.own.isAlive()) {
      // Nobody is there: the system answers with a reset.
      this.other.#lost('the other end is gone');
      return;
    }
    this.traffic.received += message.length;
    this.own.enter(() => {
      if (this.#closedFor !== undefined) return;
      if (this.#handlers) this.#handlers.onMessage(message.slice());
      else this.#early.push(message);
    });
  }

  open(handlers: LinkHandlers): void {
    this.#handlers = handlers;
    for (const message of this.#early.splice(0)) handlers.onMessage(message);
    if (this.#closedFor !== undefined) handlers.onClose(this.#closedFor);
  }

  #lost(reason: string): void {
    if (this.#closedFor !== undefined) return;
    this.#closedFor = reason;
    // What was sent before this end closed the link still leaves.
    if (!this.#isClosing) this.#queue = [];
    this.own.enter(() => this.#handlers?.onClose(reason));
  }

  close(reason: string): void {
    if (this.#closedFor !== undefined) return;
    this.#isClosing = true;
    this.#lost(reason);
    this.#move();
  }

  #tellClosed(): void {
    this.#isClosing = false;
    const ms = this.wires.passMs(this.own.machine, this.peer.machine) ?? GIVE_UP_MS;
    const behind = Math.max(0, this.#lastAtMs - this.wires.universe.nowMs);
    this.wires.universe.after(Math.max(ms, behind), () => this.other.#lost('the other end closed the link'));
  }

  /** The process of this end died: the system tells the other end. */
  reset(): void {
    const ms = this.wires.passMs(this.own.machine, this.peer.machine);
    if (ms !== undefined) this.wires.universe.after(ms, () => this.other.#lost('connection reset'));
    this.#isClosing = false;
    this.#queue = [];
    this.#lost('the process is gone');
  }

  get isClosed(): boolean {
    return this.#closedFor !== undefined;
  }

  static pair(wires: Wires, dialer: Port, listener: Port, address: string): readonly [SimLink, SimLink] {
    const near = new SimLink(wires, dialer, listener, listener.key.publicKey, true, address);
    const far = new SimLink(wires, listener, dialer, dialer.key.publicKey, false, `${dialer.machine}:0`);
    near.other = far;
    far.other = near;
    return [near, far];
  }
}

/** The transport of one process. */
export class SimTransport implements Transport {
  onLink: (link: Link) => void = () => {};
  isKnown: (address: string) => boolean = () => false;
  #address: string | undefined;
  #links: SimLink[] = [];

  constructor(
    private readonly wires: Wires,
    readonly port: Port,
  ) {}

  async listen(host: string, port: number): Promise<number> {
    this.#address = `${host}:${port}`;
    this.wires.listen(this.#address, this);
    return port;
  }

  async dial(host: string, port: number): Promise<Link> {
    const { universe } = this.wires;
    const address = `${host}:${port}`;
    const target = this.wires.listener(address);
    const there = target && this.wires.passMs(this.port.machine, target.port.machine);
    const back = target && this.wires.passMs(target.port.machine, this.port.machine);
    if (!target || there === undefined || back === undefined) {
      await universe.pause(there === undefined && target ? 5000 : 1);
      throw new Error(`nobody answers at ${address}`);
    }
    // Connection and handshake take two round trips.
    await universe.pause(2 * (there + back));
    if (!target.port.isAlive() || this.wires.listener(address) !== target)
      throw new Error(`${address} went away`);
    const [near, far] = SimLink.pair(this.wires, this.port, target.port, address);
    this.#keep(near);
    target.#keep(far);
    target.port.enter(() => target.onLink(far));
    return near;
  }

  #keep(link: SimLink): void {
    this.#links = this.#links.filter(({ isClosed }) => !isClosed);
    this.#links.push(link);
  }

  /** The process died. */
  reset(): void {
    if (this.#address) this.wires.unlisten(this.#address, this);
    for (const link of this.#links) link.reset();
  }

  async close(): Promise<void> {
    if (this.#address) this.wires.unlisten(this.#address, this);
    for (const link of this.#links) link.close('the transport is closed');
  }
}

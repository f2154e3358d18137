// The network between machines: links that deliver in order, with delay, loss (which stalls what is behind it, as TCP
// does), limited width, and cuts in one or both directions.
// Keeps: a wire carries one byte after the other, whatever links share it, so what is large delays what follows.

import { type HandshakePlace, HandshakePlaces } from '../../host/world/handshake-places.ts';
import type { Link, Transport, TransportKey } from '../../host/world/transport.ts';
import { SimLink } from './link.ts';
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

/** An accepted socket whose other end is silent is closed after this (protocol 12.8). */
const FIRST_FRAME_MS = 3000;

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
  /** The end of each that dialed. */
  #links: SimLink[] = [];
  readonly #addresses = new Map<string, string>();
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

  /** IP address of a machine. */
  addressOf(machine: string): string {
    const known = this.#addresses.get(machine);
    if (known !== undefined) return known;
    const made = `10.1.0.${this.#addresses.size + 1}`;
    this.#addresses.set(machine, made);
    return made;
  }

  /** Both directions. */
  between(a: string, b: string): readonly [LiveWire, LiveWire] {
    return [this.wire(a, b), this.wire(b, a)];
  }

  dialed(link: SimLink): void {
    this.#links = [...this.#links.filter(({ isClosed }) => !isClosed), link];
  }

  /** Links between two machines that are up. */
  linksBetween(a: string, b: string): SimLink[] {
    return this.#links.filter((link) => !link.isClosed && link.isBetween(a, b));
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

/** The transport of one process. */
export class SimTransport implements Transport {
  onLink: (link: Link) => void = () => {};
  isKnown: (address: string) => boolean = () => false;
  #address: string | undefined;
  #links: SimLink[] = [];
  readonly #places: HandshakePlaces;

  constructor(
    private readonly wires: Wires,
    readonly port: Port,
  ) {
    this.#places = new HandshakePlaces({ monotonicMs: () => wires.universe.nowMs });
  }

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
    // Connection and handshake take two round trips; the accepting end has a frame after three ways.
    await universe.pause(there);
    const place = target.#accept(this.wires.addressOf(this.port.machine));
    await universe.pause(there + back);
    if (place) place.isSilent = false;
    await universe.pause(back);
    if (!place?.isHeld) throw new Error(`${address} closed the connection`);
    place.leave();
    if (!target.port.isAlive() || this.wires.listener(address) !== target)
      throw new Error(`${address} went away`);
    const [near, far] = SimLink.pair(this.wires, this.port, target.port, address);
    this.wires.dialed(near);
    this.#keep(near);
    target.#keep(far);
    target.port.enter(() => target.onLink(far));
    return near;
  }

  /** A place in the handshake; `isHeld` until it goes to somebody else. Undefined: there is none. */
  #accept(address: string): (HandshakePlace & { isHeld: boolean }) | undefined {
    const place = this.#places.take(address, this.isKnown(address), () => {
      held.isHeld = false;
    });
    const held = Object.assign(place ?? { isSilent: true, leave() {} }, { isHeld: true });
    return place && held;
  }

  /** A socket from this address in which nothing is ever said; false: it was not accepted. */
  knock(address: string, onClose: () => void): boolean {
    let isOpen = true;
    const end = (): void => {
      if (isOpen) onClose();
      isOpen = false;
    };
    const place = this.#places.take(address, this.isKnown(address), end);
    if (!place) return false;
    this.wires.universe.after(FIRST_FRAME_MS, () => {
      place.leave();
      end();
    });
    return true;
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

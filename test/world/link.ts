// One end of a link between two processes: what is sent leaves when the wire takes it, and arrives in order.
// Keeps: what was sent before a close still arrives; what a process had under way when it died does not.

import type { Link, LinkHandlers } from '../../host/world/transport.ts';
import type { Port, Wires } from './wires.ts';

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

export class SimLink implements Link {
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
  /** Nothing passes, though the wire is whole. */
  #isStuck = false;

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
      if (this.#isStuck) {
        this.#stuck();
        return;
      }
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

  /** The connection breaks: what is under way is lost, and both ends hear of it. */
  break(): void {
    for (const end of [this, this.other]) {
      end.#queue = [];
      end.#isClosing = false;
      end.#lost('connection reset');
    }
  }

  /** Nothing passes any more in either direction, or it does again. */
  stick(isStuck: boolean): void {
    this.#isStuck = isStuck;
    this.other.#isStuck = isStuck;
  }

  isBetween(a: string, b: string): boolean {
    const ends = [this.own.machine, this.peer.machine];
    return ends.includes(a) && ends.includes(b);
  }

  get isClosed(): boolean {
    return this.#closedFor !== undefined;
  }

  static pair(wires: Wires, dialer: Port, listener: Port, address: string): readonly [SimLink, SimLink] {
    const near = new SimLink(wires, dialer, listener, listener.key.publicKey, true, address);
    const far = new SimLink(
      wires,
      listener,
      dialer,
      dialer.key.publicKey,
      false,
      `${wires.addressOf(dialer.machine)}:0`,
    );
    near.other = far;
    far.other = near;
    return [near, far];
  }
}

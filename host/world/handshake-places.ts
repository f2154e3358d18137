// Who may be in the handshake of an incoming link: sockets whose other end has not proven a key, and those whose link was
// refused, until they are closed.
// Keeps: at most 64 strangers and 64 sockets of known addresses at a time, of them 16 of one address. Neither takes the
// places of the other, and whoever sends nothing never keeps a newcomer out. A handshake costs a millisecond of the main thread,
// and whoever sends its first 35 bytes next to nothing: so many of both begin in a second, and no network begins nearly all.
// Only the address and what was sent are known here, so this decides who waits, never who is a peer.

import { Tally } from '../tally.ts';
import { ipKey, networkKey } from '../wire/ip-key.ts';
import { Allowance } from './allowance.ts';
import type { Clock } from './clock.ts';
import { Lately } from './lately.ts';

/** Source: protocol 12.8, for strangers and for known addresses each. */
export const MAX_HANDSHAKES = 64;
/** Of them of one address. */
export const MAX_HANDSHAKES_PER_ADDRESS = 16;
/** How many may begin in a second, and at once, of strangers and of known addresses each. */
export const HANDSHAKES_PER_SECOND = 40;
export const HANDSHAKES_AT_ONCE = 400;
/** Of what is left of these a network has its share, counting what it began in the last so many ms or twice as many. */
const STRETCH_MS = 10_000;

/** The place of one socket. */
export interface HandshakePlace {
  /** No whole frame of the handshake has arrived, or the link was refused. */
  isSilent: boolean;
  /** Gives the place back; a second call changes nothing. */
  leave(): void;
}

interface Held {
  address: string;
  network: string;
  isSilent: boolean;
  evict(): void;
}

/** How many may begin now. */
class Pace {
  readonly #begun: Lately;
  readonly #allowance: Allowance;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#begun = new Lately(clock, STRETCH_MS);
    this.#allowance = new Allowance(clock, { atOnce: HANDSHAKES_AT_ONCE, perSecond: HANDSHAKES_PER_SECOND });
  }

  admit(network: string): boolean {
    if (!this.#begun.hasShare(network, this.#allowance.left) || !this.#allowance.spend(1)) return false;
    this.#begun.add(network);
    return true;
  }
}

/** The places of strangers, or those of known addresses. */
class Room {
  /** Oldest first. */
  readonly #held = new Set<Held>();
  readonly #pace: Pace;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#pace = new Pace(clock);
  }

  admit(newcomer: Held): boolean {
    return this.#pace.admit(newcomer.network) && this.#place(newcomer);
  }

  #place(newcomer: Held): boolean {
    const ofAddress = [...this.#held].filter(({ address }) => address === newcomer.address);
    if (ofAddress.length >= MAX_HANDSHAKES_PER_ADDRESS) {
      return this.#replace(
        ofAddress.find(({ isSilent }) => isSilent),
        newcomer,
      );
    }
    if (this.#held.size >= MAX_HANDSHAKES) return this.#replace(this.#victimFor(newcomer), newcomer);
    this.#held.add(newcomer);
    return true;
  }

  remove(held: Held): void {
    this.#held.delete(held);
  }

  #replace(victim: Held | undefined, newcomer: Held): boolean {
    if (!victim) return false;
    this.#held.delete(victim);
    this.#held.add(newcomer);
    victim.evict();
    return true;
  }

  /**
   * The oldest silent socket of the fullest network. Where all of that network have sent a frame, its oldest gives way to a
   * smaller network only: a flood must not end the handshakes of others, nor they those of each other.
   */
  #victimFor(newcomer: Held): Held | undefined {
    const sizes = new Tally<string>();
    for (const { network } of [...this.#held, newcomer]) sizes.add(network);
    const most = Math.max(...[...sizes.keys()].map((network) => sizes.of(network)));
    const fullest = [...this.#held].filter(({ network }) => sizes.of(network) === most);
    const silent = fullest.find(({ isSilent }) => isSilent);
    return silent ?? (most > sizes.of(newcomer.network) ? fullest[0] : undefined);
  }
}

export class HandshakePlaces {
  readonly #strangers: Room;
  readonly #known: Room;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#strangers = new Room(clock);
    this.#known = new Room(clock);
  }

  /**
   * A place for an accepted socket; undefined: there is none. `isKnown`: seats are expected at this address. `evict` is
   * called when the place goes to a newcomer.
   */
  take(remoteAddress: string, isKnown: boolean, evict: () => void): HandshakePlace | undefined {
    const room = isKnown ? this.#known : this.#strangers;
    const address = ipKey(remoteAddress);
    const held: Held = { address, network: networkKey(address), isSilent: true, evict };
    if (!room.admit(held)) return undefined;
    return Object.assign(held, { leave: () => room.remove(held) });
  }
}

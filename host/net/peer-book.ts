// Connected peers: accepts or refuses links, exchanges hellos, and disconnects whose key is banned.
// Keeps: only seats and allowed observers, with the same protocol, chain and genesis; one peer for each key, with one link, or
// with two where each node dialed one (pitfall D7); a peer that breaks rules is disconnected, and no other is affected.

import type { Logger } from '../log.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Clock } from '../world/clock.ts';
import type { Link } from '../world/transport.ts';
import { BanList } from './ban-list.ts';
import { type Hello, helloFault, helloOf } from './hello.ts';
import { decodeMessage, type Message } from './messages.ts';
import { Peer } from './peer.ts';
import { PeerCredits } from './peer-credit.ts';

/** Source: protocol 12.8. */
const MAX_PEERS = 50;
/** Of them observers: the rest is for seats. */
const MAX_OBSERVERS = 25;
/** Links of one key without a hello: both ends may dial two addresses each. */
const MAX_UNGREETED_PER_KEY = 4;
/** Points of faults, of the 100 that ban a key. A malformed message bans at once. */
export const BAD_VERTEX = 25;
export const BAD_SIGNATURE = 50;
export const BAD_SEATS = 50;

export interface PeerBookOptions {
  clock: Clock;
  log: Logger;
  genesis: Genesis;
  isObserver: boolean;
  /** Keys of observers that may connect, hex; '*' = everybody. */
  observers: readonly string[];
  /** Seat of a key, now or from the next epoch on. */
  seatOf(key: Uint8Array): number | undefined;
  /** Did the manifest give this key a seat: it may connect, to learn that it was rotated away. */
  isInManifest(key: Uint8Array): boolean;
  /** Hellos were exchanged. */
  onPeer(peer: Peer): void;
  onGone(peer: Peer): void;
  /** One of its two links was closed, or brings nothing: what was under way on it is lost. */
  onLinkLost(peer: Peer): void;
  /** Any message but hello and bye, from such a peer. */
  onMessage(peer: Peer, message: Message): void;
}

export class PeerBook {
  readonly #peers = new Map<string, Peer>();
  /** Links whose hello has not arrived. */
  readonly #ungreeted = new Set<Peer>();
  /** By key, so that reconnecting clears nothing. */
  readonly #bans: BanList;
  readonly #credits: PeerCredits;
  #isStopped = false;
  readonly counts = { faults: 0, bans: 0 };

  constructor(private readonly options: PeerBookOptions) {
    const others = (): number => [...this.#peers.values()].filter(({ seat }) => seat === undefined).length;
    this.#credits = new PeerCredits(options.clock, others);
    this.#bans = new BanList(options.clock, (key) => this.#isPriced(key));
  }

  /** Peers that have exchanged hellos. */
  all(): Iterable<Peer> {
    return this.#peers.values();
  }

  /** Keys of seats may have changed. */
  onEpoch(): void {
    for (const peer of this.#peers.values()) peer.seat = this.options.seatOf(peer.link.peerKey);
  }

  get size(): number {
    return this.#peers.size;
  }

  get(key: string): Peer | undefined {
    return this.#peers.get(key);
  }

  stop(): void {
    this.#isStopped = true;
    for (const peer of [...this.#ungreeted, ...this.#peers.values()]) dismiss(peer, 'the node is stopping');
  }

  /** A link whose other end has proven its key. */
  welcome(link: Link): void {
    const seat = this.options.seatOf(link.peerKey);
    const peer = new Peer(
      link,
      this.options.clock,
      this.#credits.of(toHex(link.peerKey), seat !== undefined),
    );
    peer.seat = seat;
    const refusal = this.#isStopped ? 'the node is stopping' : this.#refusalOf(peer);
    if (refusal !== undefined) {
      dismiss(peer, refusal);
      return;
    }
    this.#ungreeted.add(peer);
    link.open({
      onMessage: (bytes) => this.#onFrame(link, peer, bytes),
      onClose: (reason) => this.#onClosed(link, peer, reason),
    });
    peer.send(helloOf(this.options.genesis, this.options.isObserver));
  }

  #refusalOf(peer: Peer): string | undefined {
    if (this.#bans.isBanned(peer.key)) return 'banned for a while';
    const all = [...this.#peers.values(), ...this.#ungreeted];
    if (all.length >= MAX_PEERS) return `this node has ${MAX_PEERS} peers already`;
    const ofKey = [...this.#ungreeted].filter(({ key }) => key === peer.key);
    if (ofKey.length >= MAX_UNGREETED_PER_KEY) return 'too many unauthenticated connections for this key';
    if (peer.seat !== undefined || peer.link.isDialed) return undefined;
    const isOpen = this.options.observers.includes('*');
    if (!isOpen && !this.#isPriced(peer.key)) return 'key has no seat and is not in SERVICE_OBSERVERS';
    return all.filter(({ seat }) => seat === undefined).length >= MAX_OBSERVERS
      ? `this node has ${MAX_OBSERVERS} observers already`
      : undefined;
  }

  /** A key that is a seat's, or that an operator named: nobody has another one for nothing. */
  #isPriced(key: string): boolean {
    const { observers, seatOf, isInManifest } = this.options;
    if (observers.includes(key)) return true;
    const bytes = fromHex(key)!;
    return seatOf(bytes) !== undefined || isInManifest(bytes);
  }

  /** `opened`: what the link was opened as; it may have joined the peer of its key since. */
  #onFrame(link: Link, opened: Peer, bytes: Uint8Array): void {
    const peer = this.#ungreeted.has(opened) ? opened : this.#peers.get(opened.key);
    // Still in flight when the link was closed.
    if (!peer?.has(link)) return;
    const message = decodeMessage(bytes);
    if (message && peer.heard(link, message, bytes.length)) this.#onLinkLate(peer);
    if (!message) this.ban(peer, 'malformed message');
    else if (message.type === 'hello') this.#onHello(peer, message);
    else if (message.type === 'bye') this.#onBye(link, peer, message.reason);
    else if (peer.isReady) this.options.onMessage(peer, message);
    else this.ban(peer, 'a message came before the hello');
  }

  #onClosed(link: Link, opened: Peer, reason: string): void {
    const peer = this.#peers.get(opened.key);
    if (peer?.has(link) && peer.leave(link)) {
      this.options.log.info({ peer: peer.key, seat: peer.seat, reason }, 'one of two links to a peer gone');
      if (!this.#isStopped) this.options.onLinkLost(peer);
    } else this.#remove(peer?.has(link) ? peer : opened, reason);
  }

  #onLinkLate(peer: Peer): void {
    this.options.log.info({ peer: peer.key, seat: peer.seat }, 'one of two links to a peer brings nothing');
    this.options.onLinkLost(peer);
  }

  /** Nothing comes behind it: whoever said it again and again would fill the log. */
  #onBye(link: Link, peer: Peer, reason: string): void {
    const fields = { peer: peer.key, address: peer.link.address, reason: reason.slice(0, 200) };
    if (peer.isReady) this.options.log.info(fields, 'peer says goodbye');
    else this.options.log.warn(fields, 'a peer refused this node');
    link.close('the peer said goodbye');
  }

  #onHello(peer: Peer, hello: Hello): void {
    if (peer.isReady) {
      this.ban(peer, 'a second hello came');
      return;
    }
    const first = this.#peers.get(peer.key);
    const fault =
      helloFault(hello, this.options.genesis) ??
      (this.#bans.isBanned(peer.key) ? 'banned for a while' : undefined) ??
      (first && !first.canJoin(peer.link) ? 'this key is connected already' : undefined);
    if (fault !== undefined) {
      this.options.log.warn({ peer: peer.key, address: peer.link.address, fault }, 'peer refused');
      dismiss(peer, fault);
      return;
    }
    if (first) {
      peer.stop();
      this.#ungreeted.delete(peer);
      first.join(peer.link);
      return;
    }
    this.#ungreeted.delete(peer);
    peer.isObserver = hello.isObserver;
    peer.isReady = true;
    this.#peers.set(peer.key, peer);
    this.options.log.info({ peer: peer.key, seat: peer.seat, address: peer.link.address }, 'peer connected');
    peer.measure();
    this.options.onPeer(peer);
  }

  #remove(peer: Peer, reason: string): void {
    peer.stop();
    this.#ungreeted.delete(peer);
    if (this.#peers.get(peer.key) !== peer) return;
    this.#peers.delete(peer.key);
    this.options.log.info({ peer: peer.key, seat: peer.seat, reason }, 'peer gone');
    this.options.onGone(peer);
  }

  /** A fault that only the peer with this key is responsible for; `points` of 100. */
  reportFault(key: string, points: number, what: string): void {
    this.counts.faults += 1;
    this.options.log.warn({ peer: key, what }, 'a peer broke a rule');
    if (!this.#bans.blame(key, points)) return;
    this.#banned(key, what);
    const peer = this.#peers.get(key);
    if (peer) this.#disconnect(peer, what);
  }

  ban(peer: Peer, what: string): void {
    this.#bans.ban(peer.key);
    this.#banned(peer.key, what);
    this.#disconnect(peer, what);
  }

  #banned(key: string, what: string): void {
    this.counts.bans += 1;
    this.options.log.warn({ peer: key, what }, 'peer banned for 10 minutes');
  }

  #disconnect(peer: Peer, what: string): void {
    this.#remove(peer, what);
    dismiss(peer, what);
  }
}

function dismiss(peer: Peer, reason: string): void {
  peer.send({ type: 'bye', reason });
  peer.close(reason);
}

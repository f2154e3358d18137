// Who is connected: links are let in or sent away, greeted, measured by what they do, and kept out for a while.
// Keeps: only seats, and observers that are allowed, with equal protocol, chain and genesis; one link for a key (pitfall
// D7); a peer that breaks the rules is cut off, and no other pays for it.

import { PROTOCOL_VERSION } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Clock } from '../world/clock.ts';
import type { Link } from '../world/transport.ts';
import { decodeMessage, type Message } from './messages.ts';
import { Peer } from './peer.ts';

/** protocol 12.8. */
const MAX_PEERS = 50;
/** Of them observers: they leave room for seats. */
const MAX_OBSERVERS = 25;
/** Links of one key that wait for its hello: with both ends dialing two addresses each. */
const MAX_UNGREETED_PER_KEY = 4;
const BAN_MS = 10 * 60_000;
/** Keys that are remembered for their faults. */
const MAX_KEYS = 10_000;
/** Faults that ban a key; one point is forgiven a minute. */
const BAN_SCORE = 100;
const FORGIVEN_EACH_MS = 60_000;
/** A second link of a key within this time of the first is the other half of both having dialed. */
const CROSSING_MS = 3000;

type Hello = Extract<Message, { type: 'hello' }>;

export interface PeerBookOptions {
  clock: Clock;
  log: Logger;
  genesis: Genesis;
  /** Own key. */
  publicKey: Uint8Array;
  isObserver: boolean;
  /** Keys of observers that may connect, hex; '*' = everybody. */
  observers: readonly string[];
  /** Seat of a key, now or from the next epoch on. */
  seatOf(key: Uint8Array): number | undefined;
  /** A peer was greeted. */
  onPeer(peer: Peer): void;
  onGone(peer: Peer): void;
  /** Anything but hello and bye, from a peer that was greeted. */
  onMessage(peer: Peer, message: Message): void;
}

export class PeerBook {
  readonly #peers = new Map<string, Peer>();
  /** Links whose hello has not come. */
  readonly #ungreeted = new Set<Peer>();
  /** Key -> until when it stays out, by the monotonic clock. */
  readonly #bans = new Map<string, number>();
  /** By key, since a new link forgives nothing. */
  readonly #faults = new Map<string, { points: number; atMs: number }>();
  #isStopped = false;
  readonly counts = { faults: 0, bans: 0 };

  constructor(private readonly options: PeerBookOptions) {}

  /** Greeted peers. */
  all(): Iterable<Peer> {
    return this.#peers.values();
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
    const peer = new Peer(link, this.options.clock);
    peer.seat = this.options.seatOf(link.peerKey);
    const refusal = this.#isStopped ? 'the node is stopping' : this.#refusalOf(peer);
    if (refusal !== undefined) {
      dismiss(peer, refusal);
      return;
    }
    this.#ungreeted.add(peer);
    link.open({
      onMessage: (bytes) => this.#onFrame(peer, bytes),
      onClose: (reason) => this.#remove(peer, reason),
    });
    const { genesis, isObserver } = this.options;
    const { chainId, hash } = genesis;
    peer.send({ type: 'hello', protocol: PROTOCOL_VERSION, chainId, genesisHash: hash, isObserver });
  }

  #refusalOf(peer: Peer): string | undefined {
    if (this.#isBanned(peer.key)) return 'banned for a while';
    const all = [...this.#peers.values(), ...this.#ungreeted];
    if (all.length >= MAX_PEERS) return `this node has ${MAX_PEERS} peers already`;
    const ofKey = [...this.#ungreeted].filter(({ key }) => key === peer.key);
    if (ofKey.length >= MAX_UNGREETED_PER_KEY) return 'this key has enough links without a hello';
    if (peer.seat !== undefined || peer.link.isDialed) return undefined;
    const { observers } = this.options;
    if (!observers.includes('*') && !observers.includes(peer.key))
      return 'this key has no seat and is no allowed observer';
    return all.filter(({ seat }) => seat === undefined).length >= MAX_OBSERVERS
      ? `this node has ${MAX_OBSERVERS} observers already`
      : undefined;
  }

  #isBanned(key: string): boolean {
    const until = this.#bans.get(key);
    return until !== undefined && until > this.options.clock.monotonicMs();
  }

  #onFrame(peer: Peer, bytes: Uint8Array): void {
    // What was under way when the link was closed.
    if (!this.#ungreeted.has(peer) && this.#peers.get(peer.key) !== peer) return;
    peer.heard();
    const message = decodeMessage(bytes);
    if (!message) this.ban(peer, 'a frame is no message');
    else if (message.type === 'hello') this.#onHello(peer, message);
    else if (message.type === 'bye') this.#onBye(peer, message.reason);
    else if (peer.isReady) this.options.onMessage(peer, message);
    else this.ban(peer, 'something came before the hello');
  }

  #onBye(peer: Peer, reason: string): void {
    const told = { peer: peer.key, address: peer.link.address, reason: reason.slice(0, 200) };
    if (peer.isReady) this.options.log.info(told, 'peer says goodbye');
    else this.options.log.warn(told, 'a peer refuses this node');
  }

  #onHello(peer: Peer, hello: Hello): void {
    if (peer.isReady) {
      this.ban(peer, 'a second hello came');
      return;
    }
    const fault =
      helloFault(hello, this.options.genesis) ??
      (this.#isBanned(peer.key) ? 'banned for a while' : undefined) ??
      (this.#hasRival(peer) ? 'this key is connected already' : undefined);
    if (fault !== undefined) {
      this.options.log.warn({ peer: peer.key, address: peer.link.address, fault }, 'peer refused');
      dismiss(peer, fault);
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

  /**
   * A rival claim keeps the first link up. When both nodes dialed at once, both keep the link that the one with the
   * smaller key dialed.
   */
  #hasRival(peer: Peer): boolean {
    const first = this.#peers.get(peer.key);
    if (!first) return false;
    const isCrossing = this.options.clock.monotonicMs() - first.sinceMs < CROSSING_MS;
    if (!isCrossing || first.link.isDialed === peer.link.isDialed) return true;
    const dialsFirst = toHex(this.options.publicKey) < peer.key;
    if (peer.link.isDialed !== dialsFirst) return true;
    this.#remove(first, 'both nodes dialed: one link is enough');
    first.close('both nodes dialed: one link is enough');
    return false;
  }

  #remove(peer: Peer, reason: string): void {
    peer.stop();
    this.#ungreeted.delete(peer);
    if (this.#peers.get(peer.key) !== peer) return;
    this.#peers.delete(peer.key);
    this.options.log.info({ peer: peer.key, seat: peer.seat, reason }, 'peer gone');
    this.options.onGone(peer);
  }

  /** A fault that the peer with this key alone answers for; `points` of 100. */
  reportFault(key: string, points: number, what: string): void {
    this.counts.faults += 1;
    this.options.log.warn({ peer: key, what }, 'a peer broke a rule');
    const atMs = this.options.clock.monotonicMs();
    const before = this.#faults.get(key) ?? { points: 0, atMs };
    const forgiven = Math.floor((atMs - before.atMs) / FORGIVEN_EACH_MS);
    const sum = Math.max(0, before.points - forgiven) + points;
    if (sum < BAN_SCORE) {
      if (this.#faults.size >= MAX_KEYS) this.#faults.clear();
      this.#faults.set(key, { points: sum, atMs });
      return;
    }
    this.#keepOut(key, what);
    const peer = this.#peers.get(key);
    if (peer) this.#disconnect(peer, what);
  }

  ban(peer: Peer, what: string): void {
    this.#keepOut(peer.key, what);
    this.#disconnect(peer, what);
  }

  #keepOut(key: string, what: string): void {
    this.counts.bans += 1;
    this.#faults.delete(key);
    if (this.#bans.size >= MAX_KEYS) this.#bans.clear();
    this.#bans.set(key, this.options.clock.monotonicMs() + BAN_MS);
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

/** What of a hello does not fit this network; undefined when all does. */
export function helloFault(hello: Hello, genesis: Genesis): string | undefined {
  if (hello.protocol !== PROTOCOL_VERSION)
    return `protocol ${hello.protocol.slice(0, 20)}, not ${PROTOCOL_VERSION}`;
  if (hello.chainId !== genesis.chainId) return `chain ${hello.chainId.slice(0, 64)}, not ${genesis.chainId}`;
  if (!equalBytes(hello.genesisHash, genesis.hash))
    return 'another genesis: manifest or network parameters differ';
  return undefined;
}

// The network of a node: makes its parts, wires them, and is what the sequencer and operators see of them.
// Keeps: vertices leave the node after they are on disk; all that arrive take one check; every queue is bounded, and what
// a full link drops, its peer fetches.

import type { HostPort } from '../config/config.ts';
import type { SignatureVerifier, VerifyMany } from '../crypto/verifier.ts';
import type { Identities } from '../execution/identity.ts';
import type { Logger } from '../log.ts';
import { signedHeight } from '../ordering/checkpoints.ts';
import { type Epoch, includesHonest, isQuorumOf } from '../ordering/epoch.ts';
import type { ClockExchange } from '../ordering/guarded-clock.ts';
import type { Ordering } from '../ordering/ordering.ts';
import type { PayloadUse } from '../ordering/payload-use.ts';
import type { ReadyVertex, StoredVertex, VertexSource } from '../ordering/vertex-source.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Clock } from '../world/clock.ts';
import type { Store } from '../world/store.ts';
import type { Transport } from '../world/transport.ts';
import { Broadcast } from './broadcast.ts';
import { CatchUp } from './catch-up.ts';
import { CheckpointExchange, type StateDiverged } from './checkpoint-exchange.ts';
import { Dialer } from './dialer.ts';
import { EntryChecks } from './entry-checks.ts';
import { infoOf, type NetworkFigures, type PeerInfo, type SeatJunk } from './figures.ts';
import { FreshWord } from './fresh-word.ts';
import { Holding } from './holding.ts';
import { Inbox } from './inbox.ts';
import { Incoming } from './incoming.ts';
import type { JoinServer } from './join-server.ts';
import { KnownAddresses } from './known-addresses.ts';
import type { HeadMessage, HistoryFrom } from './messages.ts';
import { ParentFetcher } from './parent-fetcher.ts';
import { type Peer, seatsOf } from './peer.ts';
import { BAD_SIGNATURE, BAD_VERTEX, PeerBook } from './peer-book.ts';
import { RequestHandler } from './request-handler.ts';
import { SignatureFetcher } from './signature-fetcher.ts';
import { VertexChecks } from './vertex-checks.ts';
import { VertexServer } from './vertex-server.ts';

export interface NetworkOptions {
  transport: Transport;
  clock: Clock;
  /** The clocks that peers show each other. */
  clocks: ClockExchange;
  log: Logger;
  genesis: Genesis;
  /** The epoch that the network begins with. */
  firstEpoch: Epoch;
  store: Store;
  ids: Identities;
  ordering: Ordering;
  verifier: SignatureVerifier;
  verifyNow: VerifyMany;
  publicKey: Uint8Array;
  isObserver: boolean;
  joining: JoinServer;
  /** Keys of observers that may connect, hex; '*' = everybody. */
  observers: readonly string[];
  peers: readonly HostPort[];
  discover: HostPort | undefined;
  lookup(host: string): Promise<string[]>;
  random(): number;
  /** Vertices are ready to be admitted. */
  onReady(): void;
  /** May this node's seat sign. */
  isOpen(): boolean;
  /** Where this node's history begins. */
  from(): HistoryFrom;
  /** A seat reported its head. */
  onHead(seat: number, head: HeadMessage): void;
  /** The link to a seat was lost. */
  onSeatGone(seat: number): void;
  onDiverged(error: StateDiverged): void;
}

/** Of configured peers and of the discovery name. */
const hostsOf = ({ peers, discover }: NetworkOptions): string[] =>
  [...peers, ...(discover ? [discover] : [])].map(({ host }) => host);

export class Network implements VertexSource {
  readonly #book: PeerBook;
  readonly #holding: Holding;
  readonly #inbox: Inbox;
  readonly #catchUp: CatchUp;
  readonly #parentFetcher: ParentFetcher;
  readonly #broadcast: Broadcast;
  readonly #freshWord: FreshWord;
  readonly #exchange: CheckpointExchange;
  readonly #signatureFetcher: SignatureFetcher;
  readonly #dialer: Dialer;
  readonly #known: KnownAddresses;
  readonly #incoming: Incoming;
  #epoch: number;
  /** Traffic of links that are closed. */
  readonly #closedTraffic = { sent: 0, received: 0 };

  constructor(private readonly options: NetworkOptions) {
    const { ordering, ids, verifier, verifyNow, clock, log } = options;
    this.#epoch = ordering.epoch.number;
    this.#book = new PeerBook({
      clock,
      log,
      genesis: options.genesis,
      isObserver: options.isObserver,
      observers: options.observers,
      seatOf: (key) => this.#seatOf(key),
      isInManifest: (key) => {
        const hex = toHex(key);
        return options.genesis.manifest.entries.some((e) => e.consensus_public_key === hex);
      },
      onPeer: (peer) => this.#onPeer(peer),
      onGone: (peer) => this.#onGone(peer),
      onLinkLost: (peer) => {
        this.#tellNewest(peer);
        this.#catchUp.linkLost(peer);
      },
      onMessage: (peer, message) => this.#incoming.take(peer, message),
    });
    this.#holding = new Holding({
      clock,
      ownSeat: ordering.seat,
      connected: () => this.seats,
      isQuorum: (seats) => isQuorumOf(ordering.epoch, seats),
      isBehind: () => this.#catchUp.isBehind,
      hasUnfinishedWork: () => ordering.dag.hasUnfinishedWork,
      unordered: (seat) => ordering.dag.unorderedLoads[seat]!,
    });
    this.#inbox = new Inbox({
      holding: this.#holding,
      epoch: () => ordering.epoch,
      isAdmitted: (id) => ordering.dag.roundOf(id) !== undefined,
      admittedBy: (seat) => {
        const { newestSeqs: newest, forkLoads, forks } = ordering.dag;
        return {
          newest: newest[seat] ?? 0,
          incarnations: ordering.dag.incarnationsOf(seat),
          forks: forkLoads[seat] ?? { count: 0, bytes: 0 },
          isCheater: forks.has(seat),
        };
      },
      hasSeq: (seat, seq) => ordering.dag.hasSeq(seat, seq),
      checks: new VertexChecks(new EntryChecks(ids, verifier, verifyNow)),
      onReady: () => options.onReady(),
      onMissing: (missing, from) => {
        // They come from the bottom up then; walking down to them would cost as much again.
        if (!this.#catchUp.isFetchingWhole) this.#parentFetcher.request(missing, this.#book.get(from));
      },
      onFault: (from, what) => this.#book.reportFault(from, BAD_SIGNATURE, what),
    });
    this.#parentFetcher = new ParentFetcher({
      clock,
      random: () => options.random(),
      peers: () => this.#book.all(),
      missing: () => this.#inbox.missing(),
    });
    const peers = () => this.#book.all();
    const signed = () => signedHeight(options.store);
    this.#broadcast = new Broadcast({
      ...{ clock, ordering, signed, peers },
      isOpen: () => options.isOpen(),
      from: () => options.from(),
    });
    this.#signatureFetcher = new SignatureFetcher({ clock, random: () => options.random(), signed, peers });
    this.#catchUp = new CatchUp({
      clock,
      log,
      inbox: this.#inbox,
      progress: () => ({
        ...ordering.head,
        epoch: ordering.epoch.number,
        newest: this.#inbox.reached(ordering.dag.newestSeqs),
      }),
      includesHonest: (seats) => includesHonest(ordering.epoch, seats),
      peers: () => this.#book.all(),
    });
    this.#freshWord = new FreshWord({
      clock,
      peers,
      isQuorumWith: (seats) => isQuorumOf(ordering.epoch, [ordering.seat, ...seats]),
      includesHonest: (seats) => includesHonest(ordering.epoch, seats),
      own: () => ordering.settling(ordering.seat),
      settling: (seat, head) => this.#settling(seat, head),
    });
    this.#exchange = new CheckpointExchange({
      store: options.store,
      log,
      genesis: options.firstEpoch,
      genesisHash: options.genesis.hash,
      running: () => ordering.epoch,
      verify: (job) => verifier.verify(job),
      validatorIds: options.genesis.manifest.entries.map((e) => e.validator_id),
      onSigned: () => this.#broadcast.headChanged(),
      onDiverged: (error) => options.onDiverged(error),
    });
    this.#incoming = new Incoming({
      ...{ log, clocks: options.clocks, book: this.#book, inbox: this.#inbox, broadcast: this.#broadcast },
      ...{ catchUp: this.#catchUp, exchange: this.#exchange, freshWord: this.#freshWord },
      running: () => ordering.epoch,
      ...{ isObserver: options.isObserver, signatureFetcher: this.#signatureFetcher },
      requestHandler: new RequestHandler({
        log,
        vertices: new VertexServer(options.store, ordering),
        exchange: this.#exchange,
        joining: options.joining,
        epoch: () => this.#epoch,
      }),
      onHead: (seat, head) => options.onHead(seat, head),
    });
    options.transport.onLink = (link) => this.#book.welcome(link);
    this.#known = new KnownAddresses({ clock, log, hosts: hostsOf(options), lookup: options.lookup });
    options.transport.isKnown = (address) => this.#known.has(address);
    this.#dialer = new Dialer({
      transport: options.transport,
      clock,
      log,
      peers: options.peers,
      discover: options.discover,
      lookup: options.lookup,
      ownKey: toHex(options.publicKey),
      isConnected: (key) => this.#book.get(key)?.isDialed === true,
      random: () => options.random(),
      onLink: (link) => this.#book.welcome(link),
    });
  }

  start(): void {
    this.#known.start();
    this.#dialer.start();
    this.#parentFetcher.start();
  }

  async stop(): Promise<void> {
    this.#known.stop();
    this.#dialer.stop();
    this.#catchUp.stop();
    this.#parentFetcher.stop();
    this.#signatureFetcher.stop();
    this.#broadcast.stop();
    this.#freshWord.stop();
    this.#book.stop();
    await this.options.transport.close();
  }

  get peers(): PeerInfo[] {
    return [...this.#book.all()].map(infoOf);
  }

  /** Seats that are connected. */
  get seats(): number[] {
    return seatsOf(this.#book.all());
  }

  /** What each seat signs of no use, and what was done about it, since the start. */
  get junk(): readonly SeatJunk[] {
    const { heldCounts: counts } = this.#inbox;
    const { totals } = this.#holding;
    return [...this.options.ordering.epoch.seats.keys()].map((seat) => {
      const { held, dropped } = counts.get(seat) ?? { held: 0, dropped: 0 };
      return { seat, bytes: totals.get(seat) ?? 0, held, dropped };
    });
  }

  /** Vertices received, and faults, for operators. */
  get counts(): { vertices: number; faults: number; bans: number; waiting: number } {
    return { vertices: this.#incoming.vertices, ...this.#book.counts, waiting: this.#inbox.size };
  }

  get figures(): NetworkFigures {
    let { sent, received } = this.#closedTraffic;
    for (const { traffic } of this.#book.all()) {
      sent += traffic.sent;
      received += traffic.received;
    }
    return {
      sentBytes: sent,
      receivedBytes: received,
      vertices: this.#incoming.vertices,
      requests: this.#parentFetcher.requests + this.#catchUp.requests,
      ordersBehind: Math.max(0, this.#catchUp.gap.order - this.options.ordering.head.order),
    };
  }

  /** Asks every peer for its clocks. */
  probe(): void {
    for (const peer of this.#book.all()) peer.probe();
  }

  get isBehind(): boolean {
    return this.#catchUp.isBehind;
  }

  /**
   * The order to execute before anything is refused: whatever any node had answered is in it (protocol 1.6). Undefined: too few
   * are there to tell, or what they have signed is not ordered in time.
   */
  async othersOrder(): Promise<number | undefined> {
    const order = await this.#freshWord.ask();
    return order === undefined ? undefined : Math.max(order, this.options.ordering.head.order);
  }

  #settling(seat: number, { epoch, seqs }: HeadMessage): (() => boolean) | undefined {
    const { ordering } = this.options;
    const isHere =
      ordering.epoch.number > epoch ||
      (ordering.epoch.number === epoch && (ordering.dag.newestSeqs[seat] ?? 0) >= (seqs[seat] ?? 0));
    return isHere ? ordering.settling(seat) : undefined;
  }

  #onPeer(peer: Peer): void {
    if (peer.seat !== undefined) this.#known.onSeat(peer.key, peer.link.address);
    this.#tellNewest(peer);
  }

  #tellNewest(peer: Peer): void {
    this.#broadcast.tell(peer);
    for (const vote of this.#exchange.newestSignatures()) peer.send({ type: 'checkpoint', ...vote });
  }

  #onGone(peer: Peer): void {
    const { sent, received } = peer.traffic;
    this.#closedTraffic.sent += sent;
    this.#closedTraffic.received += received;
    this.#catchUp.peerLost(peer);
    if (peer.seat === undefined) return;
    this.options.clocks.forget(peer.seat);
    this.options.onSeatGone(peer.seat);
  }

  /** Something of this node's head has changed. */
  headChanged(): void {
    this.#broadcast.headChanged();
  }

  /** By the running table and by the state (a new key before its epoch). A key that was rotated away names no seat. */
  #seatOf(key: Uint8Array): number | undefined {
    const { ordering, ids } = this.options;
    for (const table of [ordering.epoch.seats, ids.state.seats()]) {
      const seat = table.findIndex((own) => equalBytes(own.key, key));
      if (seat >= 0) return seat;
    }
    return undefined;
  }

  // ------------------------------------------------------------ called by the sequencer

  get hasReady(): boolean {
    return this.#inbox.hasReady;
  }

  takeReady(max: number): ReadyVertex[] {
    return this.#inbox.takeReady(max);
  }

  markAdmitted(ids: readonly Uint8Array[]): void {
    this.#inbox.markAdmitted(ids);
    // What changes nothing here is not written at once, and no commit follows.
    this.#freshWord.progressed();
  }

  reportInvalid({ from }: ReadyVertex): void {
    this.#book.reportFault(from, BAD_VERTEX, 'a vertex is invalid');
  }

  onExecuted(uses: ReadonlyMap<number, PayloadUse>): void {
    this.#holding.executed(uses);
  }

  onCommitted(vertices: readonly StoredVertex[], checkpoints: readonly CheckpointDoc[]): void {
    const { ordering } = this.options;
    if (ordering.epoch.number !== this.#epoch) {
      this.#epoch = ordering.epoch.number;
      this.#exchange.onEpoch();
      this.#holding.onEpoch();
      this.#inbox.onEpoch();
      this.#book.onEpoch();
      this.#catchUp.headsChanged();
      // Nothing was ordered beyond the seal yet: the store is as of the opening of the epoch.
      this.options.joining.onSeal(this.#epoch);
    }
    for (const { id } of vertices) this.#inbox.onAdmittedElsewhere(id);
    this.#broadcast.vertices(vertices);
    this.#broadcast.signatures(this.#exchange.onCheckpoints(checkpoints, ordering.seat));
    this.#freshWord.progressed();
  }
}

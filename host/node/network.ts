// The network part of a node: whether it has one, its port, its links; and what health and metrics need of them.

import type { Config, HostPort } from '../config/config.ts';
import type { SignatureVerifier, VerifyMany } from '../crypto/verifier.ts';
import type { Identities } from '../execution/identity.ts';
import { JoinServer } from '../net/join-server.ts';
import type { HeadMessage, HistoryFrom } from '../net/messages.ts';
import { Network } from '../net/network.ts';
import { isQuorumAlone, isQuorumOf } from '../ordering/epoch.ts';
import type { ClockExchange } from '../ordering/guarded-clock.ts';
import type { Ordering } from '../ordering/ordering.ts';
import { NO_SOURCE, type VertexSource } from '../ordering/vertex-source.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Answer } from '../world/http.ts';
import type { Store } from '../world/store.ts';
import { firstEpoch, type LogSources } from './log.ts';

export interface NetworkSources extends LogSources {
  store: Store;
  ids: Identities;
  ordering: Ordering;
  verifier: SignatureVerifier;
  verifyNow: VerifyMany;
  clocks: ClockExchange;
  onReady(): void;
  isOpen(): boolean;
  from(): HistoryFrom;
  onHead(seat: number, head: HeadMessage): void;
  onSeatGone(seat: number): void;
  onFailure(error: Error): void;
}

/** What the rest of a node uses of its network. */
export interface NodeNetwork {
  source: VertexSource;
  network: Network | undefined;
  /** The state at seals, for joining nodes and auditors. */
  joining: JoinServer;
  /** Binds the port, then dials. Resolves with host:port, or why there is none. */
  start(): Promise<string>;
  stop(): Promise<void>;
  /** Are the connected seats and this one a quorum (protocol 4.10, health). */
  hasQuorum(): boolean;
  isBehind(): boolean;
  /** What others have executed by now; undefined: too few are there to tell. */
  othersOrder(): Answer<number | undefined>;
}

/** Has a node a network: more than one seat, or observers. */
const isNetworked = (config: Config, genesis: Genesis): boolean =>
  genesis.manifest.entries.length > 1 ||
  config.peers.length > 0 ||
  config.discover !== undefined ||
  config.observer ||
  config.observers.length > 0;

function alone({ ordering }: NetworkSources, joining: JoinServer): NodeNetwork {
  let epoch = ordering.epoch.number;
  return {
    source: {
      ...NO_SOURCE,
      onCommitted() {
        if (ordering.epoch.number === epoch) return;
        epoch = ordering.epoch.number;
        joining.onSeal(epoch);
      },
    },
    network: undefined,
    joining,
    start: () => Promise.resolve('off (a single node has no peers)'),
    stop: () => joining.stop(),
    hasQuorum: () => true,
    isBehind: () => false,
    othersOrder: () => 0,
  };
}

/** A fraction in 0..1 from 4 random bytes; spreads dial attempts. */
const fraction = (bytes: Uint8Array): number => Buffer.from(bytes).readUInt32LE() / 2 ** 32;

const format = ({ host }: HostPort, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

export function openNetwork(sources: NetworkSources): NodeNetwork {
  const { config, identity, genesis, ordering, world } = sources;
  const joining = new JoinServer({
    store: sources.store,
    log: sources.log,
    genesis: firstEpoch(sources),
    monotonicMs: () => world.clock.monotonicMs(),
  });
  if (!isNetworked(config, genesis)) return alone(sources, joining);
  const transport = world.transport(identity.linkKey());
  const network = new Network({
    transport,
    clock: world.clock,
    clocks: sources.clocks,
    log: sources.log,
    genesis,
    firstEpoch: firstEpoch(sources),
    store: sources.store,
    ids: sources.ids,
    ordering,
    verifier: sources.verifier,
    verifyNow: sources.verifyNow,
    publicKey: identity.publicKey,
    isObserver: config.observer,
    joining,
    observers: config.observers,
    peers: config.peers,
    discover: config.discover,
    lookup: (host) => world.names.lookup(host),
    random: () => fraction(world.randomBytes(4)),
    onReady: () => sources.onReady(),
    isOpen: () => sources.isOpen(),
    from: () => sources.from(),
    onHead: (seat, head) => sources.onHead(seat, head),
    onSeatGone: (seat) => sources.onSeatGone(seat),
    onDiverged: (error) => sources.onFailure(error),
  });
  return {
    source: network,
    network,
    joining,
    async start() {
      const port = await transport.listen(config.listen.host, config.listen.port);
      network.start();
      return format(config.listen, port);
    },
    async stop() {
      await joining.stop();
      await network.stop();
    },
    hasQuorum: () => isQuorumOf(ordering.epoch, [ordering.seat, ...network.seats]),
    isBehind: () => network.isBehind,
    othersOrder: () => (isQuorumAlone(ordering.epoch, ordering.seat) ? 0 : network.othersOrder()),
  };
}

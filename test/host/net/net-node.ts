// Whole nodes of a network without sockets: real cores, stores in memory, one clock, real signatures, links in memory.

import { readFileSync } from 'node:fs';
import { State } from '../../../host/core/state.ts';
import { openImplementation } from '../../../host/crypto/implementation.ts';
import { createInlineVerifier } from '../../../host/crypto/inline.ts';
import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import type { Executor } from '../../../host/execution/executor.ts';
import { Identities } from '../../../host/execution/identity.ts';
import { openLog } from '../../../host/execution/open-log.ts';
import * as recovery from '../../../host/execution/recovery.ts';
import { JoinServer } from '../../../host/net/join-server.ts';
import { Network } from '../../../host/net/network.ts';
import { openExecution } from '../../../host/node/execution.ts';
import { genesisEpoch } from '../../../host/ordering/epoch.ts';
import type { Ordering } from '../../../host/ordering/ordering.ts';
import { OPEN_GATE } from '../../../host/ordering/vertex-gate.ts';
import { Sequencer } from '../../../host/sequencer/sequencer.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { readHistory } from '../../../host/store/history.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import type { Genesis } from '../../../host/wire/genesis.ts';
import type { Store } from '../../../host/world/store.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemWorld } from '../../../host/world/system/world.ts';
import { FakeClock, freshCore, genesisOf } from '../one-node/harness.ts';
import { manifestOf } from './dag-fixture.ts';
import { MemoryNet, MemoryTransport } from './memory-transport.ts';

const consensus = new WebAssembly.Module(readFileSync('build/consensus.wasm'));
/** Clocks play no part here. */
const NO_CLOCKS = { reading: () => ({ wallMs: 0, usedMs: 0 }), onReading() {}, forget() {} };
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const verifyMany = openImplementation('wasm', systemWorld);

export interface NetNode {
  seat: number;
  key: KeyPair;
  store: Store;
  ids: Identities;
  ordering: Ordering;
  executor: Executor;
  sequencer: Sequencer;
  network: Network;
  transport: MemoryTransport;
  events: EventDoc[];
  failures: unknown[];
  stop(): Promise<void>;
}

/** State and order at the head of a stored log, through its snapshot or from genesis. */
async function restored(genesis: Genesis, store: Store, seat: number, key: KeyPair, useSnapshot: boolean) {
  await recovery.claimStore(store, genesis);
  const core = freshCore(genesis);
  const ids = new Identities(new State(core), store, genesis);
  const to = recovery.readHead(store);
  const from = useSnapshot ? recovery.readSnapshotMark(store) : undefined;
  if (from) await recovery.loadSnapshot(store, core, from);
  else recovery.applyGenesis(core, genesis);
  if (to.block === 0) await recovery.storeGenesisNames(store, ids.state, genesis);
  const ordering = await openLog({
    clock: systemClock,
    store,
    genesis,
    ids,
    module: consensus,
    seat,
    publicKey: key.publicKey,
    sign: (message) => key.sign(message),
    from,
    to,
    verify: verifyMany,
  });
  return { ids, ordering };
}

export class TestNetwork {
  readonly clock = new FakeClock();
  readonly net = new MemoryNet();
  readonly genesis: Genesis;
  readonly nodes: NetNode[] = [];

  constructor(readonly keys: readonly KeyPair[]) {
    this.genesis = genesisOf({ manifest: manifestOf(keys) });
  }

  /** Starts a node that dials all others; `seat`: -1 for an observer. */
  async start(
    seat: number,
    o: {
      store?: Store;
      key?: KeyPair;
      useSnapshot?: boolean;
      observers?: string[];
      onHead?(seat: number): void;
    } = {},
  ): Promise<NetNode> {
    const { genesis, clock } = this;
    const key = o.key ?? this.keys[seat]!;
    const store = o.store ?? new MemoryStore();
    const { ids, ordering } = await restored(genesis, store, seat, key, o.useSnapshot ?? true);
    const { executor } = await openExecution({
      store,
      genesis,
      ids,
      signer: {
        seat,
        validatorId: `v${seat + 1}`,
        publicKey: key.publicKey,
        sign: (message) => key.sign(message),
      },
      webhookSeat: seat,
      snapshotOrders: 50,
    });
    ordering.attach(executor, true);
    const transport = new MemoryTransport(this.net, key);
    const failures: unknown[] = [];
    const events: EventDoc[] = [];
    const network: Network = new Network({
      transport,
      clock,
      clocks: NO_CLOCKS,
      log: quiet as never,
      genesis,
      firstEpoch: genesisEpoch(genesis),
      store,
      ids,
      ordering,
      verifier: createInlineVerifier(verifyMany),
      verifyNow: verifyMany,
      from: () => {
        const { log, documents } = readHistory(store);
        return { epoch: log.epoch, order: log.order, seq: documents.seq };
      },
      publicKey: key.publicKey,
      isObserver: seat < 0,
      joining: new JoinServer({
        store,
        log: quiet as never,
        genesis: genesisEpoch(genesis),
        monotonicMs: () => clock.monotonicMs(),
      }),
      observers: o.observers ?? [],
      peers: [...this.net.listeners.keys()].map((address) => ({ host: address.split(':')[0]!, port: 1 })),
      discover: undefined,
      lookup: async () => [],
      random: () => 0.5,
      onReady: () => sequencer.wake(),
      isOpen: () => true,
      onHead: (from) => o.onHead?.(from),
      onSeatGone() {},
      onDiverged: (error) => failures.push(error),
    });
    const sequencer: Sequencer = new Sequencer({
      executor,
      ordering,
      ids,
      clock,
      log: quiet as never,
      source: network,
      gate: OPEN_GATE,
      isBehind: () => network.isBehind,
      maxQueued: 1000,
      onExecuted: (group) => events.push(...group.events),
      onLatency() {},
      onNoQuorum() {},
      onFailure: (error) => failures.push(error),
    });
    await sequencer.open();
    await transport.listen(seat < 0 ? `o${this.nodes.length}` : `v${seat}`, 1);
    network.start();
    const stop = async (): Promise<void> => {
      await sequencer.close();
      await network.stop();
      this.nodes.splice(this.nodes.indexOf(node), 1);
    };
    const node: NetNode = {
      seat,
      key,
      store,
      ids,
      ordering,
      executor,
      sequencer,
      network,
      transport,
      events,
      failures,
      stop,
    };
    this.nodes.push(node);
    return node;
  }

  /** Lets time pass until this holds; throws after a minute of it. */
  async until(holds: () => boolean, maxMs = 60_000): Promise<void> {
    for (let ms = 0; !holds(); ms += 50) {
      if (ms > maxMs) {
        const heads = this.nodes.map(
          ({ seat, executor: { head } }) =>
            `${seat}: block ${head.block} order ${head.order} seq ${head.seq} `,
        );
        const failures = this.nodes.flatMap((node) => node.failures);
        throw new Error(`it did not come to pass; ${heads.join(', ')}; ${failures.join(', ')}`);
      }
      await this.clock.advance(50);
    }
  }

  async close(): Promise<void> {
    for (const node of [...this.nodes]) await node.stop();
  }
}

export const rootOf = ({ ids }: Pick<NetNode, 'ids'>): string => toHex(ids.state.core.stateHash());

/** Root of a log that is executed again. */
export async function replayedRoot(
  { genesis }: TestNetwork,
  { store, seat, key }: NetNode,
  useSnapshot: boolean,
): Promise<string> {
  return rootOf(await restored(genesis, store, seat, key, useSnapshot));
}

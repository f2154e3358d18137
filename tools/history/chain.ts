// A single-seat chain inside this process, on a store of its own: the node's executor, core, recovery and documents,
// without its sockets. For making logs and for replaying them.
// Keeps: what is ordered here goes through the same calls as in a node, so a node can go on with the data.
// Signatures are not verified: entries come from the tools themselves.

import { readFile } from 'node:fs/promises';
import { Core } from '../../host/core/core.ts';
import { State } from '../../host/core/state.ts';
import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { useNativeHash } from '../../host/crypto/native-hash.ts';
import { Checkpoints } from '../../host/pipeline/checkpoints.ts';
import { genesisEpoch } from '../../host/pipeline/epoch.ts';
import { EventLists } from '../../host/pipeline/event-lists.ts';
import { type Executed, Executor } from '../../host/pipeline/executor.ts';
import type { SnapshotMark } from '../../host/pipeline/head.ts';
import { Identities } from '../../host/pipeline/identity.ts';
import { readEntry } from '../../host/pipeline/intake.ts';
import * as recovery from '../../host/pipeline/recovery.ts';
import { SingleSeat } from '../../host/pipeline/single-seat.ts';
import type { Store } from '../../host/store/store.ts';
import { buildGenesis, type Genesis } from '../../host/wire/genesis.ts';
import { singleSeatManifest } from '../../host/wire/manifest.ts';
import { paramWords } from '../../host/wire/params.ts';
import { builtPath } from '../load/built.ts';

/** Genesis of a testnet whose only seat is this key, as `vws start` without a manifest builds it. */
export function singleSeatGenesis(publicKeyHex: string): Genesis {
  return buildGenesis({ testnet: true, manifest: singleSeatManifest(publicKeyHex) });
}

/** A fresh core of this genesis, its genesis records not applied yet. */
export async function freshCore(genesis: Genesis): Promise<Core> {
  useNativeHash();
  return Core.create(await WebAssembly.compile(await readFile(builtPath('core.wasm'))), {
    chainId: genesis.chainId,
    testnet: genesis.testnet,
    launchTime: genesis.launchTime,
    params: paramWords(genesis.params),
  });
}

/** State at the head of a stored log, from its snapshot where there is one, as a node restores it. */
export async function restore(store: Store, genesis: Genesis): Promise<Identities> {
  const core = await freshCore(genesis);
  const ids = new Identities(new State(core), store, genesis.manifest);
  const mark = recovery.readSnapshotMark(store);
  if (mark) await recovery.loadSnapshot(store, core, mark);
  else recovery.applyGenesis(core, genesis);
  await recovery.replay(store, genesis, ids, mark ?? recovery.NO_HEAD, recovery.readHead(store), () => {});
  return ids;
}

export class Chain {
  private constructor(
    readonly genesis: Genesis,
    readonly store: Store,
    readonly ids: Identities,
    readonly executor: Executor,
    private readonly seat: SingleSeat,
  ) {}

  /** Opens or begins the chain of this key. `snapshotOrders`: vertices between two snapshots. */
  static async open(store: Store, identity: KeyPair, snapshotOrders: number): Promise<Chain> {
    const genesis = singleSeatGenesis(identity.publicKeyHex);
    await recovery.claimStore(store, genesis);
    const ids = await restore(store, genesis);
    const head = recovery.readHead(store);
    if (head.block === 0) await recovery.storeGenesisNames(store, ids.state, genesis);
    const sign = (message: Uint8Array): Uint8Array => identity.sign(message);
    const epoch = genesisEpoch(genesis);
    const totals = recovery.readTotals(store);
    const entry = genesis.manifest.entries[0]!;
    const signer = { validatorId: entry.validator_id, publicKey: identity.publicKey, sign };
    const executor = new Executor({
      state: ids.state,
      store,
      projection: {
        ids,
        lists: new EventLists(store),
        totals,
        chainId: genesis.chainId,
        genesisHash: genesis.hashHex,
        testnet: genesis.testnet,
      },
      checkpoints: new Checkpoints(ids.state, epoch, totals, signer),
      head,
      snapshotOrders,
      snapshotAt: recovery.readSnapshotMark(store)?.order ?? 0,
    });
    return new Chain(
      genesis,
      store,
      ids,
      executor,
      new SingleSeat(epoch, 0, sign, recovery.ownHead(store, head)),
    );
  }

  /** Orders these encoded entries in one vertex at `nowMs` and executes them. */
  order(entries: readonly Uint8Array[], nowMs: number): Promise<Executed> {
    const packed = entries.map((bytes) => ({
      input: readEntry(bytes, this.genesis.chainId, this.ids),
      bytes,
    }));
    return this.executor.execute(this.seat.makeBlock(packed, this.executor.head, nowMs));
  }

  /** Root of the state at the head, hex. */
  root(): string {
    return Buffer.from(this.ids.state.core.stateHash()).toString('hex');
  }

  get snapshotMark(): SnapshotMark | undefined {
    return recovery.readSnapshotMark(this.store);
  }
}

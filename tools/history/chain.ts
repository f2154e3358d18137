// A single-seat chain inside this process, on its own store: the node's executor, core, recovery and documents,
// without its sockets. For making logs and for replaying them.
// Keeps: entries are ordered by the same calls as in a node, so a node can continue with the data.
// Signatures are not verified: entries come from the tools themselves.

import { readFile } from 'node:fs/promises';
import { Core } from '../../host/core/core.ts';
import { State } from '../../host/core/state.ts';
import { openImplementation } from '../../host/crypto/implementation.ts';
import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { useNativeHash } from '../../host/crypto/native-hash.ts';
import type { Executed, Executor } from '../../host/execution/executor.ts';
import { Identities } from '../../host/execution/identity.ts';
import { readEntry } from '../../host/execution/intake.ts';
import { openLog } from '../../host/execution/open-log.ts';
import * as recovery from '../../host/execution/recovery.ts';
import { openExecution } from '../../host/node/execution.ts';
import type { SnapshotMark } from '../../host/ordering/head.ts';
import type { Ordering } from '../../host/ordering/ordering.ts';
import { buildGenesis, type Genesis } from '../../host/wire/genesis.ts';
import { singleSeatManifest } from '../../host/wire/manifest.ts';
import { paramWords } from '../../host/wire/params.ts';
import type { Store } from '../../host/world/store.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { systemWorld } from '../../host/world/system/world.ts';
import { builtPath } from '../load/built.ts';

/**
 * Genesis of a testnet whose only seat is this key and may vouch for agents without keys, as `vws start --no-auth`
 * without a manifest builds it.
 */
export function singleSeatGenesis(
  publicKeyHex: string,
  params: Readonly<Record<string, number>> = {},
): Genesis {
  const manifest = singleSeatManifest(publicKeyHex);
  return buildGenesis({ testnet: true, isOpenMode: true, manifest, overrides: params });
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

/** consensus.wasm as built. */
export const consensusModule = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(builtPath('consensus.wasm')));

/** What ordering needs and a mere reader of the log does not have. */
export type Sign = (message: Uint8Array) => Uint8Array;

/** State at the head of a stored log, from its snapshot where there is one, as a node restores it. */
export async function restore(
  store: Store,
  genesis: Genesis,
  sign: Sign,
): Promise<{ ids: Identities; ordering: Ordering }> {
  const core = await freshCore(genesis);
  const ids = new Identities(new State(core), store, genesis);
  const from = recovery.readSnapshotMark(store);
  if (from) await recovery.loadSnapshot(store, core, from);
  else recovery.applyGenesis(core, genesis);
  const module = await consensusModule();
  const to = recovery.readHead(store);
  return {
    ids,
    ordering: await openLog({
      clock: systemClock,
      store,
      genesis,
      ids,
      module,
      seat: 0,
      sign,
      from,
      to,
      verify: openImplementation('wasm', systemWorld),
    }),
  };
}

export class Chain {
  private constructor(
    readonly genesis: Genesis,
    readonly store: Store,
    readonly ids: Identities,
    readonly executor: Executor,
    private readonly ordering: Ordering,
  ) {}

  /**
   * Opens or creates the chain of this key. `snapshotOrders`: vertices between two snapshots. `params`: network parameters
   * other than the defaults, of which the node that continues must be told too.
   */
  static async open(
    store: Store,
    identity: KeyPair,
    snapshotOrders: number,
    params: Readonly<Record<string, number>> = {},
  ): Promise<Chain> {
    const genesis = singleSeatGenesis(identity.publicKeyHex, params);
    await recovery.claimStore(store, genesis);
    const sign: Sign = (message) => identity.sign(message);
    const { ids, ordering } = await restore(store, genesis, sign);
    const head = recovery.readHead(store);
    if (head.block === 0) await recovery.storeGenesisNames(store, ids.state, genesis);
    const entry = genesis.manifest.entries[0]!;
    const { publicKey } = identity;
    const signer = { seat: 0, validatorId: entry.validator_id, publicKey, sign };
    const { executor } = await openExecution({ store, genesis, ids, signer, snapshotOrders });
    ordering.attach(executor);
    return new Chain(genesis, store, ids, executor, ordering);
  }

  /** Orders these encoded entries at `nowMs` and executes them. */
  async order(entries: readonly Uint8Array[], nowMs: number): Promise<Executed> {
    this.ordering.offer(
      entries.map((bytes) => ({ bytes, input: readEntry(bytes, this.genesis.chainId, this.ids) })),
    );
    this.ordering.advance({ nowMs, causes: () => [] });
    const executed = (await this.executor.commit())!;
    // Nobody waits for single transactions here.
    this.ordering.takeDone(nowMs);
    return executed;
  }

  /** Root of the state at the head, hex. */
  root(): string {
    return Buffer.from(this.ids.state.core.stateHash()).toString('hex');
  }

  get snapshotMark(): SnapshotMark | undefined {
    return recovery.readSnapshotMark(this.store);
  }
}

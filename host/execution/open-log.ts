// Opens an ordering at the head of a stored log: for nodes, tools and tests.

import type { VerifyMany } from '../crypto/verifier.ts';
import type { BlockInput } from '../ordering/block.ts';
import { EmissionPolicy } from '../ordering/emission.ts';
import { genesisEpoch } from '../ordering/epoch.ts';
import { type Head, NO_HEAD, type SnapshotMark } from '../ordering/head.ts';
import { Ordering } from '../ordering/ordering.ts';
import { storedEpochs } from '../ordering/stored-epoch.ts';
import type { EpochLimits } from '../wire/block.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Clock } from '../world/clock.ts';
import type { Store } from '../world/store.ts';
import type { Identities } from './identity.ts';
import { readEntry } from './intake.ts';
import { type ReplayProgress, replay } from './replay.ts';

export interface LogOptions {
  clock: Pick<Clock, 'soon'>;
  store: Store;
  genesis: Genesis;
  /** Facts and state at `from`; at the head afterwards. */
  ids: Identities;
  /** consensus.wasm. */
  module: WebAssembly.Module;
  /** This node's seat. */
  seat: number;
  /** As of Ordering. */
  revision?: number | undefined;
  /** Key that `sign` signs with; undefined: the seat's. */
  publicKey?: Uint8Array;
  /** As of Ordering. */
  sign(message: Uint8Array, header: Uint8Array, epoch: number): Uint8Array;
  /** Snapshot that the state was loaded from; undefined: the genesis state. */
  from: SnapshotMark | undefined;
  /** Head of the log. */
  to: Head;
  /** Limits of an epoch; tests use smaller ones. */
  limits?: EpochLimits;
  /** Verifies signatures of entries whose block was not executed yet, and of proofs of equivocation. */
  verify: VerifyMany;
  onProgress?(progress: ReplayProgress): void;
  onBlock?(block: BlockInput): void;
}

/**
 * Replays the log after the snapshot. Errors: StoreError for a damaged log, EpochRefused for a seat table that can
 * order nothing.
 */
export function openLog(options: LogOptions): Promise<Ordering> {
  const { store, genesis, ids, onProgress, onBlock } = options;
  const from = options.from ?? NO_HEAD;
  const { epoch, epochBefore: before } = storedEpochs(
    store,
    genesis.hash,
    genesisEpoch(genesis, options.limits),
    from,
  );
  return replay({
    clock: options.clock,
    store,
    state: ids.state,
    from,
    to: options.to,
    verify: options.verify,
    order: (ledger) =>
      new Ordering({
        module: options.module,
        genesisHash: genesis.hash,
        state: ids.state,
        epoch,
        epochBefore: before,
        seat: options.seat,
        revision: options.revision,
        publicKey: options.publicKey,
        sign: options.sign,
        // A seat gains nothing by waiting: what arrives while a batch is written forms the next vertex.
        policy: new EmissionPolicy({ minIntervalMs: 0, maxParents: epoch.maxParents }),
        readEntry: (bytes, proof) => readEntry(bytes, genesis.chainId, ids, proof),
        verify: options.verify,
        onEpoch: ({ seats }) => ids.useSeatKeys(seats.map(({ key }) => key)),
        ledger,
      }),
    ...(onProgress ? { onProgress } : {}),
    ...(onBlock ? { onBlock } : {}),
  });
}

// An ordering at the head of a stored log: what a node, a tool and a test start with.

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
  /** Own seat. */
  seat: number;
  /** Key that `sign` signs with. Undefined: whatever key the seat has. */
  publicKey?: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
  /** Snapshot the state was loaded from; undefined: it is that of genesis. */
  from: SnapshotMark | undefined;
  /** Head of the log. */
  to: Head;
  /** Smaller limits of an epoch, for tests. */
  limits?: EpochLimits;
  /** Verifies signatures of entries whose block was not executed yet, and those of proofs of equivocation. */
  verify: VerifyMany;
  onProgress?(progress: ReplayProgress): void;
  onBlock?(block: BlockInput): void;
}

/**
 * Replays what lies behind the snapshot. Errors: StoreError for a damaged log, EpochRefused for a seat table that can
 * order nothing.
 */
export function openLog(o: LogOptions): Promise<Ordering> {
  const { store, genesis, ids, onProgress, onBlock } = o;
  const from = o.from ?? NO_HEAD;
  const { epoch, epochBefore: before } = storedEpochs(
    store,
    genesis.hash,
    genesisEpoch(genesis, o.limits),
    from,
  );
  return replay({
    clock: o.clock,
    store,
    state: ids.state,
    from,
    to: o.to,
    verify: o.verify,
    order: (ledger) =>
      new Ordering({
        module: o.module,
        genesisHash: genesis.hash,
        state: ids.state,
        epoch,
        epochBefore: before,
        seat: o.seat,
        publicKey: o.publicKey,
        sign: o.sign,
        // Alone, a seat gains nothing by waiting: what has arrived while a group was written forms the next vertex.
        policy: new EmissionPolicy({ minIntervalMs: 0, maxParents: epoch.maxParents }),
        readEntry: (bytes, proof) => readEntry(bytes, genesis.chainId, ids, proof),
        verify: o.verify,
        onEpoch: ({ seats }) => ids.useSeatKeys(seats.map(({ key }) => key)),
        ledger,
      }),
    ...(onProgress ? { onProgress } : {}),
    ...(onBlock ? { onBlock } : {}),
  });
}

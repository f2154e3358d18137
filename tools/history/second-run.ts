// The second run of the replay test, in a separate process: rebuilds the state from the log alone, from each kept
// snapshot, and as a node would, and prints where each way ended.
// Usage: second-run.js <final data directory> <key in hex> [<copy of the data directory> ...]; one JSON line per way.

import { State } from '../../host/core/state.ts';
import { openImplementation } from '../../host/crypto/implementation.ts';
import { Identities } from '../../host/execution/identity.ts';
import { openLog } from '../../host/execution/open-log.ts';
import * as recovery from '../../host/execution/recovery.ts';
import type { CheckpointDoc } from '../../host/store/documents.ts';
import { rowKey } from '../../host/store/prefixes.ts';
import { readJson } from '../../host/store/write-set.ts';
import { toHex } from '../../host/wire/bytes.ts';
import type { Genesis } from '../../host/wire/genesis.ts';
import type { Store } from '../../host/world/store.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import { systemWorld } from '../../host/world/system/world.ts';
import { consensusModule, freshCore, restore, singleSeatGenesis } from './chain.ts';

const verify = openImplementation('wasm', systemWorld);

/** Where a way of rebuilding the state ended. */
export interface Rebuilt {
  from: string;
  /** Order of the state before its first replayed vertex. */
  fromOrder: number;
  order: number;
  seq: number;
  root: string;
  /** Sum over all tables, walked in full. */
  supply: number;
  /** Checkpoints passed by the replay, each with a stored root equal to that of the state. */
  checkpoints: number;
  /** First checkpoint whose root differs. */
  wrongCheckpoint?: number;
  ms: number;
}

/** A mere replay creates no vertex. */
const noSign = (): never => {
  throw new Error('a replay signs nothing');
};

const rooted = (state: State): { order: number; seq: number; root: string; supply: number } => {
  const { order, seq } = state.header();
  return { order, seq, root: toHex(state.core.stateHash()), supply: state.fullSupply() };
};

/** Block by block from genesis, comparing the core's root at every checkpoint on the way. */
async function fromGenesis(store: Store, genesis: Genesis): Promise<Rebuilt> {
  const startedMs = performance.now();
  const core = await freshCore(genesis);
  const ids = new Identities(new State(core), store, genesis);
  recovery.applyGenesis(core, genesis);
  const to = recovery.readHead(store);
  const module = await consensusModule();
  let checkpoints = 0;
  let wrongCheckpoint: number | undefined;
  let next = checkpointAt(store, 1);
  const onBlock = (block: { index: number }): void => {
    if (next?.block_index !== block.index) return;
    checkpoints += 1;
    if (next.core_root !== toHex(core.stateHash())) wrongCheckpoint ??= next.height;
    next = checkpointAt(store, next.height + 1);
  };
  await openLog({
    clock: systemClock,
    store,
    genesis,
    ids,
    module,
    seat: 0,
    sign: noSign,
    from: undefined,
    to,
    verify,
    onBlock,
  });
  const ms = performance.now() - startedMs;
  return { from: 'genesis', fromOrder: 0, ...rooted(ids.state), checkpoints, wrongCheckpoint, ms };
}

const checkpointAt = (store: Store, height: number): CheckpointDoc | undefined =>
  readJson<CheckpointDoc>(store.get(rowKey.checkpoint(height)));

/** The snapshot of an earlier copy, then the rest of the final log. */
async function fromSnapshot(copyDir: string, store: Store, genesis: Genesis): Promise<Rebuilt> {
  const startedMs = performance.now();
  const core = await freshCore(genesis);
  const copy = await openStore(copyDir, 'auto', () => {});
  const mark = recovery.readSnapshotMark(copy);
  if (!mark) throw new Error(`${copyDir} contains no snapshot`);
  await recovery.loadSnapshot(copy, core, mark);
  await copy.close();
  const ids = new Identities(new State(core), store, genesis);
  const to = recovery.readHead(store);
  const module = await consensusModule();
  await openLog({
    clock: systemClock,
    store,
    genesis,
    ids,
    module,
    seat: 0,
    sign: noSign,
    from: mark,
    to,
    verify,
  });
  const ms = performance.now() - startedMs;
  return { from: 'snapshot', fromOrder: mark.order, ...rooted(ids.state), checkpoints: 0, ms };
}

/** As a node that starts on the final data. */
async function asNode(store: Store, genesis: Genesis): Promise<Rebuilt> {
  const startedMs = performance.now();
  await recovery.claimStore(store, genesis);
  const { state } = (await restore(store, genesis, noSign)).ids;
  const fromOrder = recovery.readSnapshotMark(store)?.order ?? 0;
  const ms = performance.now() - startedMs;
  return { from: 'restart', fromOrder, ...rooted(state), checkpoints: 0, ms };
}

async function main(): Promise<void> {
  const [finalDir = '', key = '', ...copies] = process.argv.slice(2);
  const genesis = singleSeatGenesis(key);
  const store = await openStore(finalDir, 'auto', () => {});
  const tell = (rebuilt: Rebuilt): void => console.log(JSON.stringify(rebuilt));
  tell(await fromGenesis(store, genesis));
  for (const copy of copies) tell(await fromSnapshot(copy, store, genesis));
  tell(await asNode(store, genesis));
  await store.close();
}

await main();

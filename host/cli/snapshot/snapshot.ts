// Makes, checks and restores snapshots: one way, that of a node that joins from a checkpoint (host/audit/begin-at-seal).
// Keeps: a file gets its name only after it was checked as a reader checks it; a store with a log is never changed; what
// is restored counts as data that was lost once, so that its seat signs nothing twice (consensus 5.12).

import { beginAtSeal, type SealOptions } from '../../audit/begin-at-seal.ts';
import { MAX_ANCHOR_MS } from '../../audit/freshness.ts';
import {
  BOUNDS,
  checkpointCode,
  LogFault,
  type LogSource,
  type Modules,
  type Pin,
} from '../../audit/index.ts';
import { PinCheck } from '../../audit/pin-check.ts';
import { openEd25519 } from '../../crypto/ed25519-wasm.ts';
import type { VerifyMany } from '../../crypto/verifier.ts';
import type { Scale } from '../../execution/open-core.ts';
import { claimStore } from '../../execution/recovery.ts';
import { type ProvenSeal, signaturesOf } from '../../net/join-seals.ts';
import { discardReceived, hasNoLog, isJoinUnfinished } from '../../net/join-store.ts';
import { isQuorumAlone } from '../../ordering/epoch.ts';
import { writeGate } from '../../ordering/stored-gate.ts';
import { readGenesis } from '../../proofs/genesis.ts';
import type { CheckpointDoc } from '../../store/documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { checkpointHash } from '../../wire/block.ts';
import { equalBytes, toHex } from '../../wire/bytes.ts';
import type { Genesis } from '../../wire/genesis.ts';
import type { Store } from '../../world/store.ts';
import type { RandomBytes } from '../../world/world.ts';
import { RecordingSource, SnapshotFault, SnapshotFile } from './snapshot-file.ts';

/** What reading a snapshot needs besides the file. */
export interface SnapshotTools {
  modules: Pick<Modules, 'core' | 'ed25519'>;
  randomBytes: RandomBytes;
  nowMs(): number;
  scale?: Scale | undefined;
}

/** What a snapshot is measured by; at least one of the two. */
export interface Anchor {
  genesisHash?: string | undefined;
  pin?: Pin | undefined;
}

/** What a snapshot has, all of it proven but for `bytes`. */
export interface SnapshotReport {
  chain_id: string;
  genesis_hash: string;
  /** The epoch that opens with this state. */
  epoch: number;
  checkpoint: number;
  checkpoint_code: string;
  order: number;
  time_ms: number;
  state_root: string;
  signers: number;
  seats: number;
  bytes: number;
  /** The newest point that does not come from the file is older than 30 days. */
  is_badly_anchored: boolean;
}

const UNBOUNDED = { sealBytes: BOUNDS.sealBytes, stateBytes: Number.MAX_SAFE_INTEGER };

function verifierOf({ modules, randomBytes }: SnapshotTools): VerifyMany {
  const ed25519 = openEd25519(modules.ed25519, randomBytes);
  return (jobs) => (jobs.length === 0 ? new Uint8Array(0) : ed25519.verifyBatch(jobs));
}

/** Fills an empty store. Errors: LogFault, SnapshotFault. */
async function fill(
  store: Store,
  genesis: Genesis,
  source: SealOptions['source'],
  tools: SnapshotTools,
  accept: (seals: readonly ProvenSeal[]) => Promise<void> = async () => {},
): Promise<readonly ProvenSeal[]> {
  await claimStore(store, genesis);
  if (isJoinUnfinished(store)) await discardReceived(store);
  if (!hasNoLog(store)) throw new SnapshotFault('the store has a log: restore into an empty data directory');
  const { modules, scale } = tools;
  const verify = verifierOf(tools);
  try {
    const seals = await beginAtSeal({
      ...{ genesis, source, store, modules, scale, verify, accept },
      bounds: UNBOUNDED,
      rows: 'all',
    });
    if (seals) return seals;
  } catch (error) {
    if (isJoinUnfinished(store)) await discardReceived(store);
    throw error;
  }
  throw new SnapshotFault(
    'there is no state to take yet: a node has one from the first seal after its start on, once other seats went on from it',
  );
}

interface Filled {
  genesis: Genesis;
  seals: readonly ProvenSeal[];
  bytes: number;
}

/** `anchorMs`: when the newest point was made that does not come from the file. */
function reportOf({ genesis, seals, bytes }: Filled, anchorMs: number, nowMs: number): SnapshotReport {
  const { statement, bytes: signed, signatures, sealed, opened } = seals.at(-1)!;
  return {
    chain_id: genesis.chainId,
    genesis_hash: genesis.hashHex,
    epoch: opened.number,
    checkpoint: statement.height,
    checkpoint_code: checkpointCode(checkpointHash(signed)),
    order: statement.order,
    time_ms: statement.timeMs,
    state_root: toHex(statement.stateRoot),
    signers: signaturesOf({ signatures }).length,
    seats: sealed.seats.length,
    bytes,
    is_badly_anchored: nowMs - anchorMs > MAX_ANCHOR_MS,
  };
}

/**
 * Records the state at the newest seal of a node into a new file; `store`: empty, only to check it. Errors: LogFault,
 * SnapshotFault, VwsError for a node that does not answer.
 */
export async function createSnapshot(
  source: LogSource,
  path: string,
  store: Store,
  tools: SnapshotTools,
): Promise<SnapshotReport> {
  const document = await source.genesis();
  const genesis = readGenesis(document, undefined);
  const recording = await RecordingSource.open(source, path, document);
  let seals: readonly ProvenSeal[];
  try {
    seals = await fill(store, genesis, recording, tools);
  } catch (error) {
    await recording.abandon();
    throw error;
  }
  const bytes = await recording.finish();
  return reportOf({ genesis, seals, bytes }, tools.nowMs(), tools.nowMs());
}

/**
 * Fills an empty store with the state of a snapshot, after every check: seals from genesis on, the root that was signed,
 * and the point that the caller knows from elsewhere. Errors: SnapshotFault, LogFault, those of the file system; the
 * store must not be used then.
 */
export async function restoreSnapshot(
  path: string,
  anchor: Anchor,
  store: Store,
  tools: SnapshotTools,
): Promise<SnapshotReport> {
  const file = await SnapshotFile.open(path);
  try {
    const genesis = readGenesis(await file.genesis(), undefined);
    if (anchor.genesisHash !== undefined && anchor.genesisHash !== genesis.hashHex)
      throw new SnapshotFault(`${path} is of network ${genesis.hashHex}, not of ${anchor.genesisHash}`);
    let anchorMs = Number.NaN;
    const seals = await fill(store, genesis, file, tools, async (found) => {
      anchorMs = await pinnedTime(anchor.pin, store, found);
      await holdLoneSeat(store, found.at(-1)!, tools);
    });
    return reportOf({ genesis, seals, bytes: file.bytes }, anchorMs, tools.nowMs());
  } finally {
    await file.close();
  }
}

/**
 * When the newest point was made that the caller knows from elsewhere: the pin, or genesis, at whose first seal the chain
 * begins. Errors: LogFault, SnapshotFault when the file lacks the pin.
 */
async function pinnedTime(pin: Pin | undefined, store: Store, seals: readonly ProvenSeal[]): Promise<number> {
  if (!pin) return seals[0]!.statement.timeMs;
  const check = new PinCheck(pin, {
    // Rows of checkpoints are the maker's word: one counts by its hash and its epoch, which the seals prove.
    at: async () => undefined,
    epochById: async (id) => seals.find(({ sealed }) => equalBytes(sealed.id, id))?.sealed,
  });
  const checkpoints = async (after: number) =>
    [readJson<CheckpointDoc>(store.get(rowKey.checkpoint(after + 1)))].filter((doc) => doc !== undefined);
  await check.check({ checkpoints }, seals.at(-1)!.statement.height);
  if (check.metMs === undefined)
    throw new SnapshotFault(`checkpoint ${pin.height}, which is pinned, is not in the snapshot`);
  return check.metMs;
}

/**
 * A seat that decides alone asks nobody what it signed after the seal: it goes on in an incarnation of its own. Other
 * seats are held by the gate, as after any loss of their store.
 */
async function holdLoneSeat(
  store: Store,
  { opened }: ProvenSeal,
  { randomBytes }: SnapshotTools,
): Promise<void> {
  if (!opened.seats.some((_, seat) => isQuorumAlone(opened, seat))) return;
  const incarnation = 1 + randomBytes(1)[0]!;
  await writeGate(store, { until: null, resumed: { incarnation, until: opened.number } });
}

/** The error of a snapshot in words for people: what a node could say is said of the file. */
export const snapshotFaultOf = (error: unknown): unknown =>
  error instanceof LogFault ? new SnapshotFault(`the snapshot is wrong: ${error.message}`) : error;

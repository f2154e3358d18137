// Restores a node to the head of its stored log: its seat, the core from snapshot and replay, and the ordering.

import { type Config, ConfigError } from '../config/config.ts';
import { type EpochRefusal, EpochRefused } from '../core/consensus.ts';
import type { Core } from '../core/core.ts';
import { buildFor } from '../core/simd.ts';
import { State } from '../core/state.ts';
import { openImplementation } from '../crypto/implementation.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import { Identities } from '../execution/identity.ts';
import { openCore, type Scale } from '../execution/open-core.ts';
import { openLog } from '../execution/open-log.ts';
import * as recovery from '../execution/recovery.ts';
import type { Logger } from '../log.ts';
import { type Epoch, genesisEpoch } from '../ordering/epoch.ts';
import { OBSERVER, type Ordering } from '../ordering/ordering.ts';
import { storedEpochs } from '../ordering/stored-epoch.ts';
import { equalBytes } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { ManifestError } from '../wire/manifest.ts';
import type { Clock } from '../world/clock.ts';
import type { Store } from '../world/store.ts';
import type { World } from '../world/world.ts';

export interface LogSources {
  /** Smaller tables and epochs, for simulated networks; all nodes of one must have the same. */
  scale?: Scale | undefined;
  /** Newest revision of the rules that this program is taken to know; tests only. */
  revision?: number | undefined;
  world: World;
  config: Config;
  identity: KeyPair;
  /** The key of the seat's operator, where it is not the node's. */
  operator?: KeyPair | undefined;
  genesis: Genesis;
  log: Logger;
}

const REFUSALS: Partial<Record<EpochRefusal, string>> = {
  no_weight: 'no seat has vote weight',
  weight_too_large: 'the seats have more vote weight than there is supply',
  too_few_participants: 'fewer seats than min_participants have vote weight',
  no_memory: 'there is not enough memory for its DAG',
};

/** The error for an operator when no epoch opens. */
const epochFault = (refused: EpochRefused, number: number): ConfigError =>
  new ConfigError(
    refused.reason === 'old_program'
      ? refused.message
      : `epoch ${number} cannot open: ${REFUSALS[refused.reason] ?? refused.reason}`,
  );

/** What an operator may not know whose seat was down when its key was rotated. */
const newKey = ({ number }: Epoch): string =>
  `, nor the key of a seat in epoch ${number}, where this node stands; a key that counts later begins with an empty data directory and --join checkpoint`;

/**
 * This node's seat in an epoch, or OBSERVER. Errors: ManifestError when it has none, ConfigError as `seatOf`.
 */
function seatIn(epoch: Epoch, { config, genesis, identity }: LogSources): number {
  const seat = config.observer
    ? OBSERVER
    : epoch.seats.findIndex(({ key }) => equalBytes(key, identity.publicKey));
  if (seat < 0 && !config.observer) {
    const own = genesis.manifest.entries.find((e) => e.consensus_public_key === identity.publicKeyHex);
    const why = own ? `; seat ${own.validator_id} has another key since a rotation` : newKey(epoch);
    throw new ManifestError(`validator not in manifest: ${identity.publicKeyHex}${why}`);
  }
  const weighted = epoch.seats.filter(({ weight }) => weight > 0n).length;
  if (weighted === 0) throw epochFault(new EpochRefused('no_weight'), epoch.number);
  if (weighted < epoch.minParticipants) {
    throw epochFault(new EpochRefused('too_few_participants'), epoch.number);
  }
  return seat;
}

/**
 * Checks a new network before anything is stored for it. A state that is joined names the keys itself, as a stored one does.
 * Errors as `seatOf`.
 */
export function checkNew(sources: LogSources): void {
  const { config, world } = sources;
  if (config.join === 'checkpoint' || world.stores.exists(config.dataDir)) return;
  seatIn(firstEpoch(sources), sources);
}

/**
 * This node's seat, by the keys of the running epoch: after a rotation they are in the stored state, not in the manifest
 * (protocol 12.3). Claims an empty store. Errors: StoreError for a store of another network, ManifestError for a key without seat,
 * ConfigError for a network whose order this node cannot make alone.
 */
export async function seatOf(sources: LogSources, store: Store): Promise<number> {
  const { genesis } = sources;
  await recovery.claimStore(store, genesis);
  const { epoch } = storedEpochs(store, genesis.hash, firstEpoch(sources), recovery.readHead(store));
  return seatIn(epoch, sources);
}

/** The epoch that a network begins with. */
export const firstEpoch = ({ genesis, scale }: LogSources): Epoch => genesisEpoch(genesis, scale?.limits);

/** A fresh core. */
export const freshCore = async ({ genesis, world, scale }: LogSources): Promise<Core> =>
  openCore(genesis, await world.program.module(buildFor('core')), scale);

export interface OpenedLog {
  ids: Identities;
  ordering: Ordering;
}

/**
 * A core at the head of the stored log, and the ordering that continues from there.
 * Errors: StoreError for a damaged log, ConfigError when no epoch opens.
 */
export async function restoreLog(sources: LogSources, store: Store, seat: number): Promise<OpenedLog> {
  const { genesis, log, world } = sources;
  const core = await freshCore(sources);
  const state = new State(core);
  const ids = new Identities(state, store, genesis);
  const head = recovery.readHead(store);
  const stored = recovery.readSnapshotMark(store);
  const mark = await recovery.usableSnapshot(store, core);
  if (stored && !mark)
    log.warn({ order: stored.order }, 'snapshot of another version: replaying the whole log');
  if (mark) {
    log.info({ order: mark.order }, 'loading the snapshot');
    await recovery.loadSnapshot(store, core, mark);
  } else recovery.applyGenesis(core, genesis);
  if (head.block === 0) await recovery.storeGenesisNames(store, state, genesis);
  const ordering = await openLog({
    ...(sources.scale ? { limits: sources.scale.limits } : {}),
    clock: world.clock,
    store,
    genesis,
    ids,
    module: await world.program.module('consensus.wasm'),
    seat,
    revision: sources.revision,
    publicKey: sources.identity.publicKey,
    sign: (_, header, epoch) => sources.identity.signVertex(header, epoch),
    from: mark,
    to: head,
    verify: openImplementation(sources.config.verifier, world),
    onProgress: progressLog(log, world.clock, mark?.block ?? 0),
  }).catch((error) => {
    throw error instanceof EpochRefused ? epochFault(error, mark?.epoch ?? 0) : error;
  });
  if (ordering.halt) throw epochFault(ordering.halt, ordering.epoch.number + 1);
  log.info({ block: head.block, order: head.order, snapshot: mark?.order ?? 0 }, 'state restored');
  return { ids, ordering };
}

/** Logs the progress of a replay every few seconds. */
function progressLog(
  log: Logger,
  clock: Clock,
  from: number,
): (progress: { block: number; to: number }) => void {
  const startedMs = clock.monotonicMs();
  let loggedMs = startedMs;
  return ({ block, to }) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - loggedMs < 2000) return;
    loggedMs = nowMs;
    const rate = (block - from) / Math.max(1, nowMs - startedMs);
    const secondsLeft = rate > 0 ? Math.round((to - block) / rate / 1000) : undefined;
    log.info({ block, to, secondsLeft }, 'replaying the log');
  };
}

// The ordering and the state of a node at the head of its stored log: which seat it orders for, the core restored from
// snapshot and replay.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import { type EpochRefusal, EpochRefused } from './core/consensus.ts';
import { Core } from './core/core.ts';
import { State } from './core/state.ts';
import type { KeyPair } from './crypto/key-pair.ts';
import type { Logger } from './log.ts';
import { genesisEpoch, isQuorumAlone } from './pipeline/epoch.ts';
import { Identities } from './pipeline/identity.ts';
import { openLog } from './pipeline/open-log.ts';
import type { Ordering } from './pipeline/ordering.ts';
import * as recovery from './pipeline/recovery.ts';
import type { Store } from './store/store.ts';
import type { Genesis } from './wire/genesis.ts';
import { paramWords } from './wire/params.ts';

export interface LogSources {
  config: Config;
  identity: KeyPair;
  genesis: Genesis;
  log: Logger;
}

const REFUSALS: Partial<Record<EpochRefusal, string>> = {
  no_weight: 'no seat has vote weight',
  weight_too_large: 'the seats have more vote weight than there is supply',
  too_few_participants: 'fewer seats than min_participants have vote weight',
  no_memory: 'there is not enough memory for its event DAG',
};

/** What an operator is told when no epoch opens. */
export const epochFault = (refused: EpochRefused, number: number): ConfigError =>
  new ConfigError(`epoch ${number} cannot open: ${REFUSALS[refused.reason] ?? refused.reason}`);

/** A built module beside the compiled host, or in build/ when the host runs from its sources. */
async function loadModule(name: string): Promise<WebAssembly.Module> {
  const places = [`../${name}`, `../build/${name}`].map((p) => fileURLToPath(new URL(p, import.meta.url)));
  const path = places.find(existsSync);
  if (!path) throw new Error(`build/${name} is missing: run npm run build`);
  return WebAssembly.compile(await readFile(path));
}

/** Own seat. Errors: ConfigError for a network whose order this node cannot make alone. */
export function seatOf(o: LogSources): number {
  const { genesis, identity, config } = o;
  const epoch = genesisEpoch(genesis);
  const seat = genesis.manifest.entries.findIndex((e) => e.consensus_public_key === identity.publicKeyHex);
  if (config.peers.length > 0 || config.discover) {
    throw new ConfigError('this version runs a single node: it takes no peers');
  }
  const weighted = epoch.seats.filter(({ weight }) => weight > 0n).length;
  if (weighted === 0) throw epochFault(new EpochRefused('no_weight'), 0);
  if (weighted < epoch.minParticipants) throw epochFault(new EpochRefused('too_few_participants'), 0);
  if (!isQuorumAlone(epoch, seat)) {
    throw new ConfigError(
      'this version runs a single node: its seat must hold 66.7 percent of the weight and min_participants be 1',
    );
  }
  return seat;
}

export interface OpenedLog {
  ids: Identities;
  ordering: Ordering;
  /** Order up to which the stored snapshot goes. */
  snapshotAt: number;
}

/**
 * A core at the head of the stored log, and the ordering that goes on from there.
 * Errors: StoreError for a store that is not this node's or damaged, ConfigError when no epoch opens.
 */
export async function restoreLog(o: LogSources, store: Store, seat: number): Promise<OpenedLog> {
  const { genesis, log } = o;
  await recovery.claimStore(store, genesis);
  const core = Core.create(await loadModule('core.wasm'), {
    chainId: genesis.chainId,
    testnet: genesis.testnet,
    launchTime: genesis.launchTime,
    params: paramWords(genesis.params),
  });
  const state = new State(core);
  const ids = new Identities(state, store, genesis.manifest);
  const head = recovery.readHead(store);
  const stored = recovery.readSnapshotMark(store);
  const mark = await recovery.usableSnapshot(store, core);
  if (stored && !mark)
    log.warn({ order: stored.order }, 'snapshot of another version: replaying the whole log');
  if (mark) await recovery.loadSnapshot(store, core, mark);
  else recovery.applyGenesis(core, genesis);
  if (head.block === 0) await recovery.storeGenesisNames(store, state, genesis);
  const ordering = await openLog({
    store,
    genesis,
    ids,
    module: await loadModule('consensus.wasm'),
    seat,
    sign: (message) => o.identity.sign(message),
    from: mark,
    to: head,
    onProgress: progressLog(log, mark?.block ?? 0),
  }).catch((error) => {
    throw error instanceof EpochRefused ? epochFault(error, mark?.epoch ?? 0) : error;
  });
  if (ordering.halt) throw epochFault(ordering.halt, ordering.epoch.number + 1);
  log.info({ block: head.block, order: head.order, snapshot: mark?.order ?? 0 }, 'state restored');
  return { ids, ordering, snapshotAt: mark?.order ?? 0 };
}

/** Tells every few seconds how far a replay has come. */
function progressLog(log: Logger, from: number): (progress: { block: number; to: number }) => void {
  const startedMs = systemClock.monotonicMs();
  let toldMs = startedMs;
  return ({ block, to }) => {
    const nowMs = systemClock.monotonicMs();
    if (nowMs - toldMs < 2000) return;
    toldMs = nowMs;
    const rate = (block - from) / Math.max(1, nowMs - startedMs);
    const secondsLeft = rate > 0 ? Math.round((to - block) / rate / 1000) : undefined;
    log.info({ block, to, secondsLeft }, 'replaying the log');
  };
}

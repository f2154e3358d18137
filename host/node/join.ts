// How a node with an empty store begins: from a checkpoint that its peers prove, or from genesis.
// Keeps: a store with a log is never changed here; the data of an interrupted join is discarded before anything reads it.

import type { Config, HostPort } from '../config/config.ts';
import { openImplementation } from '../crypto/implementation.ts';
import { claimStore } from '../execution/recovery.ts';
import type { Logger } from '../log.ts';
import { join } from '../net/join.ts';
import { discardReceived, hasNoLog, isJoinUnfinished } from '../net/join-store.ts';
import { type Store, StoreError, UNCHANGED } from '../world/store.ts';
import type { Names } from '../world/world.ts';
import { DiskWatch } from './disk-watch.ts';
import { freshCore, type LogSources } from './log.ts';

/** A node without peers joins nobody: it would begin a new history. */
const NO_WAY_ON = `a restore or a join was begun here and did not end. ${UNCHANGED}; run vws snapshot restore again, or give --peer`;

/** Errors: StoreError, JoinFailed when the operator requires a checkpoint and no peer has one. */
export async function joinNetwork(sources: LogSources, store: Store): Promise<void> {
  const { config, genesis, identity, log, world } = sources;
  await claimStore(store, genesis);
  if (isJoinUnfinished(store)) {
    if (config.peers.length === 0 && !config.discover) throw new StoreError(NO_WAY_ON);
    log.warn('discarding data of an unfinished join');
    await discardReceived(store);
  }
  if (config.join === 'replay' || !hasNoLog(store)) return;
  const addresses = await addressesOf(config, world.names, log);
  if (addresses.length === 0) return;
  const transport = world.transport(identity.linkKey());
  try {
    await join({
      transport,
      clock: world.clock,
      genesis,
      ownKey: identity.publicKeyHex,
      store,
      log,
      addresses,
      isWanted: config.join === 'checkpoint',
      verify: openImplementation(config.verifier, world),
      roomBytes: () => new DiskWatch(world, config.dataDir).roomBytes,
      openCore: () => freshCore(sources),
      ...(sources.scale ? { limits: sources.scale.limits } : {}),
    });
  } finally {
    await transport.close();
  }
}

async function addressesOf({ peers, discover }: Config, names: Names, log: Logger): Promise<HostPort[]> {
  if (!discover) return peers;
  try {
    const found = await names.lookup(discover.host);
    return [...peers, ...found.map((address) => ({ host: address, port: discover.port }))];
  } catch (error) {
    log.warn({ host: discover.host, err: error }, 'cannot resolve the discovery host');
    return peers;
  }
}

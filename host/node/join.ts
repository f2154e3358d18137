// How a node with an empty store begins: from a checkpoint that its peers prove, or with nothing.
// Keeps: a store with a log is never touched here; what an interrupted join left is thrown away before anything reads it.

import type { Config, HostPort } from '../config/config.ts';
import { openImplementation } from '../crypto/implementation.ts';
import { claimStore } from '../execution/recovery.ts';
import type { Logger } from '../log.ts';
import { join } from '../net/join.ts';
import { discardReceived, hasNoLog, isJoinUnfinished } from '../net/join-store.ts';
import type { Store } from '../world/store.ts';
import type { Names } from '../world/world.ts';
import { type LogSources, openCore } from './log.ts';

/** Errors: StoreError, JoinFailed when the operator wants a checkpoint and no peer has one. */
export async function joinNetwork(o: LogSources, store: Store): Promise<void> {
  const { config, genesis, identity, log, world } = o;
  await claimStore(store, genesis);
  if (isJoinUnfinished(store)) {
    log.warn('an earlier start was joining and did not get to its end: what it received is thrown away');
    await discardReceived(store);
  }
  if (config.join === 'replay' || !hasNoLog(store)) return;
  const addresses = await addressesOf(config, world.names, log);
  if (addresses.length === 0) return;
  const key = { publicKey: identity.publicKey, secretKey: identity.linkSecret() };
  const transport = world.transport(key);
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
      openCore: () => openCore(genesis, world.program),
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
    log.warn({ host: discover.host, err: error }, 'the name of peers does not resolve');
    return peers;
  }
}

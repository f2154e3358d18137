// Composition root: opens the store, builds the parts of a node (parts.ts), starts them in order and stops them in reverse.

import { SOFTWARE_VERSION } from '../config/config.ts';
import { useNativeHash } from '../crypto/native-hash.ts';
import type { Store } from '../world/store.ts';
import { joinNetwork } from './join.ts';
import { Failure, Stops } from './lifecycle.ts';
import { checkNew } from './log.ts';
import { openNodeStore } from './node-store.ts';
import { buildOwnValidator, buildParts, type NodeOptions } from './parts.ts';

export type { NodeOptions } from './parts.ts';

export interface RunningNode {
  /** agent_id of the seat's operator: the node's identity in the ledger. */
  operatorAgentId: string;
  apiAddress: string;
  listenAddress: string;
  stop(): Promise<void>;
  /** Resolves when the node cannot continue: the process should end with exit code 1. */
  failed: Promise<Error>;
}

/**
 * Starts a node. Resolves when it is ready to take writes.
 * Errors: ConfigError for what this version can't order, StoreError for a store that is not this node's or damaged.
 */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { config, log, world } = options;
  useNativeHash();
  checkNew(options);
  const stops = new Stops();
  const store = await openNodeStore({ config, log, world });
  stops.add(() => store.close());
  try {
    await joinNetwork(options, store);
    return await startParts(options, store, stops);
  } catch (error) {
    await stops.all();
    throw error;
  }
}

async function startParts(options: NodeOptions, store: Store, stops: Stops): Promise<RunningNode> {
  const { config, identity, genesis, log } = options;
  const failure = new Failure(log);
  const parts = await buildParts(options, store, failure, stops);
  const { state, feed, webhooks, net, sequencer, api, history, trend, clock } = parts;
  stops.add(() => state.builds.end());
  stops.add(() => state.market.end());
  stops.add(() => webhooks.close());
  await webhooks.load();
  await sequencer.open();
  stops.add(async () => {
    if (!failure.isFailed) await state.executor.close();
  });
  const listenAddress = await net.start();
  stops.add(() => net.stop());
  history.start();
  stops.add(() => history.stop());
  trend.start();
  stops.add(() => trend.stop());
  clock.start();
  stops.add(() => clock.stop());
  const port = await api.listen();
  stops.add(() => api.close());
  state.builds.behind(options.world.clock, (error) => failure.fail(error));
  // Stopped first: no more writes are taken, and those in flight are answered before sockets close.
  stops.add(() => sequencer.close());
  if (config.autovalidator) {
    const ownValidator = buildOwnValidator(options, parts);
    feed.ownValidator = ownValidator;
    await ownValidator.start();
    stops.add(() => ownValidator.stop());
  }
  const { chainId, hashHex } = genesis;
  log.info(
    {
      ...{ version: SOFTWARE_VERSION, chain: chainId, genesis: hashHex, node: identity.publicKeyHex },
      ...{ seat: state.seat < 0 ? undefined : state.seat, data: config.dataDir, listen: listenAddress, port },
      ...{ driver: api.driverName(), store: store.engine, workers: config.workers },
    },
    'ready',
  );
  const host = config.api.host.includes(':') ? `[${config.api.host}]` : config.api.host;
  return {
    operatorAgentId: genesis.manifest.entries[state.seat]?.operator_agent_id ?? identity.publicKeyHex,
    apiAddress: `http://${host}:${port}`,
    listenAddress,
    stop: () => stops.all(),
    failed: failure.failed,
  };
}

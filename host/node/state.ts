// The state of a node: the core at the head of its log, the ordering, the executor that writes, and the views for reads.

import { ConfigError } from '../config/config.ts';
import type { State } from '../core/state.ts';
import type { Identities } from '../execution/identity.ts';
import type { Ordering } from '../ordering/ordering.ts';
import type { ProgramRunner } from '../programs/runner.ts';
import { ActiveAgents } from '../views/active-agents.ts';
import { IndexBuilds } from '../views/index-builds.ts';
import { Leaderboards } from '../views/leaderboards.ts';
import { Market } from '../views/market/market.ts';
import { PendingIndex } from '../views/pending-index.ts';
import { ByteReader } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Store } from '../world/store.ts';
import { type Execution, openExecution } from './execution.ts';
import { type LogSources, restoreLog } from './log.ts';

export interface NodeState extends Execution {
  store: Store;
  genesis: Genesis;
  /** This node's seat, or OBSERVER. */
  seat: number;
  ids: Identities;
  state: State;
  ordering: Ordering;
  pending: PendingIndex;
  boards: Leaderboards;
  active: ActiveAgents;
  market: Market;
  /** Builds boards, active and market; what a small node has is built. */
  builds: IndexBuilds;
}

/** Errors: ConfigError when the autovalidator is on and the key that it signs with is not that of the seat's operator. */
function checkAutovalidator(
  { config, identity, operator: given }: LogSources,
  operator: string | undefined,
): void {
  const { publicKeyHex } = given ?? identity;
  if (!config.autovalidator || operator === publicKeyHex) return;
  if (operator === undefined)
    throw new ConfigError('SERVICE_AUTOVALIDATOR needs a seat, and this node has none: start it without');
  throw new ConfigError(
    given
      ? `SERVICE_OPERATOR_KEY has the key ${publicKeyHex}, and the operator of this seat is ${operator}`
      : `SERVICE_AUTOVALIDATOR signs with the key of the seat's operator, ${operator}, which is not the key of this node: ` +
          "name its file with SERVICE_OPERATOR_KEY, or start without. After a rotation of the node's key that is the old key file",
  );
}

/** Restores the log and builds the views. `runner`: for the order. Errors: those of restoreLog, ConfigError. */
export async function openState(
  sources: LogSources,
  store: Store,
  seat: number,
  runner: ProgramRunner,
): Promise<NodeState> {
  const { config, identity, genesis } = sources;
  const entry = genesis.manifest.entries[seat];
  checkAutovalidator(sources, entry?.operator_agent_id);
  const { ids, ordering } = await restoreLog(sources, store, seat);
  const { state } = ids;
  const execution = await openExecution({
    store,
    genesis,
    ids,
    signer: {
      seat,
      validatorId: entry?.validator_id ?? '',
      publicKey: identity.publicKey,
      sign: (message) => identity.sign(message),
    },
    webhookSeat: seat,
    snapshotOrders: config.snapshotOrders,
    snapshotsAtSeals: true,
    runner,
  });
  ordering.attach(execution.executor, true);
  const { day_secs: daySecs } = genesis.params;
  const boards = new Leaderboards(state, ids.order, daySecs);
  const active = new ActiveAgents(state);
  const seed = new ByteReader(sources.world.randomBytes(4)).u32();
  const market = new Market(store, state, ids.order, daySecs, sources.world.clock, seed);
  const builds = new IndexBuilds([
    ids.order.load(store),
    active.build(),
    boards.build(),
    market.build(),
    market.indexTexts(),
  ]);
  await builds.atOnce();
  const pending = new PendingIndex(state);
  return {
    ...{ store, genesis, seat, ids, state, ordering, pending, boards, active, market, builds },
    ...execution,
  };
}

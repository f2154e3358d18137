// What a node holds: the core at the head of its log, the ordering, the executor that writes, and the views that answer.

import { type Config, ConfigError } from './config.ts';
import type { State } from './core/state.ts';
import { Market } from './market/market.ts';
import { type LogSources, restoreLog } from './node-log.ts';
import { ActiveAgents } from './pipeline/active-agents.ts';
import { CaseIndex } from './pipeline/case-index.ts';
import { Checkpoints } from './pipeline/checkpoints.ts';
import { EventLists } from './pipeline/event-lists.ts';
import { Executor } from './pipeline/executor.ts';
import type { Head } from './pipeline/head.ts';
import type { Identities } from './pipeline/identity.ts';
import { Leaderboards } from './pipeline/leaderboards.ts';
import type { Ordering } from './pipeline/ordering.ts';
import { PendingIndex } from './pipeline/pending-index.ts';
import * as recovery from './pipeline/recovery.ts';
import { TaskIndex } from './pipeline/task-index.ts';
import type { Totals } from './store/documents.ts';
import type { Store } from './store/store.ts';
import type { Genesis } from './wire/genesis.ts';

export interface NodeState {
  store: Store;
  genesis: Genesis;
  /** Own seat, OBSERVER without one. */
  seat: number;
  ids: Identities;
  state: State;
  ordering: Ordering;
  executor: Executor;
  /** Where the log stood when it was opened. */
  head: Head;
  totals: Totals;
  lists: EventLists;
  tasks: TaskIndex;
  cases: CaseIndex;
  pending: PendingIndex;
  boards: Leaderboards;
  active: ActiveAgents;
  market: Market;
}

/** Errors: ConfigError for an own validator without a seat of the own key. */
function checkAutovalidator(config: Config, operator: string | undefined, ownKey: string): void {
  if (!config.autovalidator || operator === ownKey) return;
  throw new ConfigError('SERVICE_AUTOVALIDATOR needs a seat whose operator_agent_id is the key of this node');
}

/** Restores the log and builds the views. Errors: those of restoreLog, ConfigError. */
export async function openState(o: LogSources, store: Store, seat: number): Promise<NodeState> {
  const { config, identity, genesis } = o;
  const entry = genesis.manifest.entries[seat];
  checkAutovalidator(config, entry?.operator_agent_id, identity.publicKeyHex);
  const { ids, ordering, snapshotAt } = await restoreLog(o, store, seat);
  const { state } = ids;
  const totals = recovery.readTotals(store);
  const head = recovery.readHead(store);
  const [lists, tasks, cases] = [new EventLists(store), new TaskIndex(store), new CaseIndex(store)];
  const { chainId, hashHex, testnet, params } = genesis;
  const executor = new Executor({
    state,
    store,
    projection: {
      ids,
      lists,
      totals,
      chainId,
      genesisHash: hashHex,
      testnet,
      params,
      taskIndex: tasks,
      caseIndex: cases,
      seat,
    },
    checkpoints: new Checkpoints(state, totals, {
      seat,
      validatorId: entry?.validator_id ?? '',
      publicKey: identity.publicKey,
      sign: (message) => identity.sign(message),
    }),
    head,
    snapshotOrders: config.snapshotOrders,
    snapshotAt,
    snapshotsAtSeals: true,
  });
  ordering.attach(executor, true);
  await ids.order.load(store);
  const market = new Market(store, state, ids.order, params.day_secs);
  await market.load();
  return {
    store,
    genesis,
    seat,
    ids,
    state,
    ordering,
    executor,
    head,
    totals,
    lists,
    tasks,
    cases,
    pending: new PendingIndex(state),
    boards: new Leaderboards(state, ids.order, params.day_secs),
    active: new ActiveAgents(state),
    market,
  };
}

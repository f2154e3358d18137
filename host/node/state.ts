// What a node holds: the core at the head of its log, the ordering, the executor that writes, and the views that answer.

import { type Config, ConfigError } from '../config/config.ts';
import type { State } from '../core/state.ts';
import { Executor } from '../execution/executor.ts';
import type { Identities } from '../execution/identity.ts';
import * as recovery from '../execution/recovery.ts';
import { Checkpoints } from '../ordering/checkpoints.ts';
import type { Head } from '../ordering/head.ts';
import type { Ordering } from '../ordering/ordering.ts';
import type { Totals } from '../store/documents.ts';
import { ActiveAgents } from '../views/active-agents.ts';
import { CaseIndex } from '../views/cases/case-index.ts';
import { EventLists } from '../views/events/event-lists.ts';
import { Leaderboards } from '../views/leaderboards.ts';
import { Market } from '../views/market/market.ts';
import { PendingIndex } from '../views/pending-index.ts';
import { Projector } from '../views/projector.ts';
import { TaskIndex } from '../views/tasks/task-index.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Store } from '../world/store.ts';
import { type LogSources, restoreLog } from './log.ts';

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
    ids,
    totals,
    views: new Projector(store, {
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
    }),
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

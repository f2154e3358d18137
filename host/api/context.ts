// The data available to read handlers: state, store, derived indexes, and facts about this node.

import type { State } from '../core/state.ts';
import type { Identities } from '../execution/identity.ts';
import type { JoinServer } from '../net/join-server.ts';
import type { EpochKeys } from '../ordering/epoch-keys.ts';
import type { Ordering } from '../ordering/ordering.ts';
import type { Totals } from '../store/documents.ts';
import type { CaseIndex } from '../views/cases/case-index.ts';
import type { EventLists } from '../views/events/event-lists.ts';
import type { Leaderboards } from '../views/leaderboards.ts';
import type { Market } from '../views/market/market.ts';
import type { PendingIndex } from '../views/pending-index.ts';
import type { TaskIndex } from '../views/tasks/task-index.ts';
import type { ValidatorTable } from '../views/validators/validator-table.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Store } from '../world/store.ts';

/** `reason`: what the operator has to know of a node that is not healthy. */
export interface NodeHealth {
  status: 'healthy' | 'degraded' | 'syncing';
  reason?: string | undefined;
}

export interface ReadContext {
  state: State;
  store: Store;
  ids: Identities;
  pending: PendingIndex;
  boards: Leaderboards;
  market: Market;
  lists: EventLists;
  tasks: TaskIndex;
  cases: CaseIndex;
  validators: ValidatorTable;
  epochKeys: EpochKeys;
  /** The state at seals, for joining nodes and auditors. */
  joining: JoinServer;
  totals: Totals;
  genesis: Genesis;
  version: string;
  protocolVersion: string;
  noAuth: boolean;
  /** This node's seat in the manifest. */
  seat: number;
  /** The DAG of the running epoch. */
  dag(): Pick<Ordering['dag'], 'tips' | 'maxRound' | 'roundOf' | 'memoryBytes'>;
  uptimeSecs(): number;
  /** Key of this node, hex. */
  nodeKey: string;
  /** Whether the node can order and write now. */
  health(): NodeHealth;
  /** Order numbers by which peers are ahead, while this node catches up. */
  ordersBehind(): number | undefined;
  /** Connected peers. */
  peers(): readonly { seat: number | undefined; latencyMs: number | undefined }[];
  renderMetrics(): Promise<string> | string;
  pages: { docs: string; docsHeaders: Record<string, string>; openapi: string };
}

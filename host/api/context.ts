// What read handlers may look at: state, store, derived indexes, and a few facts about this node.

import type { State } from '../core/state.ts';
import type { EventLists } from '../pipeline/event-lists.ts';
import type { Identities } from '../pipeline/identity.ts';
import type { Leaderboards } from '../pipeline/leaderboards.ts';
import type { PendingIndex } from '../pipeline/pending-index.ts';
import type { OwnHead } from '../pipeline/single-seat.ts';
import type { Totals } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import type { Genesis } from '../wire/genesis.ts';

export interface ReadContext {
  state: State;
  store: Store;
  ids: Identities;
  pending: PendingIndex;
  boards: Leaderboards;
  lists: EventLists;
  totals: Totals;
  genesis: Genesis;
  version: string;
  protocolVersion: string;
  noAuth: boolean;
  /** This node's seat in the manifest. */
  seat: number;
  ownHead(): OwnHead | undefined;
  uptimeSecs(): number;
  /** Can the node order and write now. */
  isHealthy(): boolean;
  renderMetrics(): Promise<string> | string;
  pages: { home: string; docs: string; openapi: string };
}

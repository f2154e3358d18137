// The data available to read handlers: state, store, derived indexes, and facts about this node.

import type { State } from '../core/state.ts';
import type { Identities } from '../execution/identity.ts';
import type { PeerInfo } from '../net/figures.ts';
import type { JoinServer } from '../net/join-server.ts';
import type { EpochKeys } from '../ordering/epoch-keys.ts';
import type { Ordering } from '../ordering/ordering.ts';
import type { DocumentRoot } from '../store/document-root.ts';
import type { Totals } from '../store/documents.ts';
import type { History } from '../store/history.ts';
import type { TrendSample, TrendSpan } from '../store/trend-rows.ts';
import type { CaseIndex } from '../views/cases/case-index.ts';
import type { EventLists } from '../views/events/event-lists.ts';
import type { Hidden } from '../views/hidden.ts';
import type { Leaderboards } from '../views/leaderboards.ts';
import type { Market } from '../views/market/market.ts';
import type { PendingIndex } from '../views/pending-index.ts';
import type { TaskIndex } from '../views/tasks/task-index.ts';
import type { ValidatorTable } from '../views/validators/validator-table.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { HttpRequest } from '../world/http.ts';
import type { Store } from '../world/store.ts';
import type { OwnAddress } from './own-host.ts';
import type { Reply } from './route.ts';

/** `reason`: what the operator has to know of a node that is not healthy. */
export interface NodeHealth {
  status: 'healthy' | 'degraded' | 'syncing';
  reason?: string | undefined;
}

/** Whether a node should be sent requests; `reasons`: everything that speaks against it. */
export interface Readiness {
  isReady: boolean;
  reasons: readonly string[];
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
  /** The tree of documents at the newest checkpoint. */
  documents: DocumentRoot;
  genesis: Genesis;
  version: string;
  softwareVersion: string;
  /** Newest revision of the rules that this program knows. */
  revision: number;
  protocolVersion: string;
  noAuth: boolean;
  /** Under which names and URL clients reach this node. */
  address: OwnAddress;
  /** This node's seat in the manifest. */
  seat: number;
  /** The DAG of the running epoch. */
  dag(): Pick<Ordering['dag'], 'tips' | 'maxRound' | 'roundOf' | 'memoryBytes'>;
  uptimeSecs(): number;
  /** Key of this node, hex. */
  nodeKey: string;
  /** Whether the node can order and write now. */
  health(): NodeHealth;
  /** Whether requests should be sent here now. */
  readiness(): Readiness;
  /** Order numbers by which peers are ahead, while this node catches up. */
  ordersBehind(): number | undefined;
  /** Connected peers. */
  peers(): readonly Pick<PeerInfo, 'key' | 'seat' | 'latencyMs' | 'from'>[];
  /** Where the history of this node begins. */
  history(): History;
  /** Which contents this node does not show. */
  hidden: Hidden;
  /** Neither this node nor one that is connected has the whole log. */
  isUnarchived(): boolean;
  /** Samples of what this node executed and how it was, oldest first. */
  trend(span: TrendSpan): TrendSample[];
  renderMetrics(): Promise<string> | string;
  /** Answers a request of the Model Context Protocol. */
  mcp(request: HttpRequest): Promise<Reply>;
  /** The description of the API, and the page that shows it. */
  pages(): { docs: string; docsHeaders: Record<string, string>; openapi: string };
}

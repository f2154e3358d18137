// Sets up the executor of a node on its store: the views that derive rows from outcomes, checkpoints, snapshots.
// Nodes, tools and tests all open it here.

import { Executor } from '../execution/executor.ts';
import type { Identities } from '../execution/identity.ts';
import * as recovery from '../execution/recovery.ts';
import { type CheckpointSigner, Checkpoints } from '../ordering/checkpoints.ts';
import type { Head } from '../ordering/head.ts';
import type { ProgramRunner } from '../programs/runner.ts';
import { DocumentRoot } from '../store/document-root.ts';
import type { Totals } from '../store/documents.ts';
import { CaseIndex } from '../views/cases/case-index.ts';
import { EventLists } from '../views/events/event-lists.ts';
import { recoverLists } from '../views/events/list-recovery.ts';
import { Projector } from '../views/projector.ts';
import { TaskIndex } from '../views/tasks/task-index.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Store } from '../world/store.ts';

export interface ExecutionOptions {
  store: Store;
  genesis: Genesis;
  /** With the state at the head of the log. */
  ids: Identities;
  /** How this node signs checkpoints. */
  signer: CheckpointSigner;
  /** Seat whose webhooks this node sends; undefined: none. */
  webhookSeat?: number;
  /** Vertices between two snapshots. */
  snapshotOrders: number;
  snapshotsAtSeals?: boolean;
  /** Runs the programs of contracts on other threads; without it they run on this one. */
  runner?: ProgramRunner;
}

export interface Execution {
  executor: Executor;
  /** Head of the log when it was opened. */
  head: Head;
  totals: Totals;
  documents: DocumentRoot;
  lists: EventLists;
  tasks: TaskIndex;
  cases: CaseIndex;
}

export async function openExecution({
  store,
  genesis,
  ids,
  signer,
  webhookSeat,
  ...others
}: ExecutionOptions): Promise<Execution> {
  const { chainId, hashHex: genesisHash, testnet, params } = genesis;
  const { state } = ids;
  const head = recovery.readHead(store);
  const totals = recovery.readTotals(store);
  const documents = new DocumentRoot(store, true);
  const [lists, tasks, cases] = [new EventLists(store), new TaskIndex(store), new CaseIndex(store)];
  await recoverLists(store, lists, state, head.seq);
  const views = new Projector(store, {
    ...{ ids, documents, lists, totals, chainId, genesisHash, testnet, params },
    taskIndex: tasks,
    caseIndex: cases,
    keepsEvents: true,
    ...(webhookSeat === undefined ? {} : { seat: webhookSeat }),
  });
  const executor = new Executor({
    ...{ state, store, ids, totals, views, head },
    checkpoints: new Checkpoints(state, totals, signer),
    snapshotAt: recovery.readSnapshotMark(store)?.order ?? 0,
    ...others,
  });
  return { executor, head, totals, documents, lists, tasks, cases };
}

// Turns outcomes of the core into the documents that reads show: events, names, keys, tasks, activity.
// Keeps: documents are a function of the order alone; their rows are written in the same batch as the blocks they come
// from. Decides nothing: amounts and states are the core's. The documents of each operation are defined in projection/,
// one file for each domain.

import * as abi from '../../assembly/abi.ts';
import type { ImageOutcome, Outcome, Touched, TxOutcome } from '../core/outcomes.ts';
import type { DueRun } from '../core/state.ts';
import type { Derived, OutcomeConsumer } from '../execution/executor.ts';
import type { EntryInput, VertexInput } from '../ordering/block.ts';
import { DocumentSet } from '../store/document-root.ts';
import type { EventDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import type { ContractReportDoc } from '../store/task-documents.ts';
import { toHex } from '../wire/bytes.ts';
import { OPERATIONS, type OperationName, type ParsedOf } from '../wire/operations.ts';
import { PackedRows } from '../world/packed-rows.ts';
import type { Store } from '../world/store.ts';
import { Activity } from './projection/activity.ts';
import { projectCaseEvent } from './projection/case-events.ts';
import { CASE_PROJECTIONS } from './projection/cases.ts';
import { EventWriter, type Place, type ProjectorContext } from './projection/event-writer.ts';
import { LEDGER_PROJECTIONS } from './projection/ledger.ts';
import { MARKET_PROJECTIONS, projectRouted } from './projection/market.ts';
import { PLATFORM_PROJECTIONS } from './projection/platform.ts';
import { PROGRAM_PROJECTIONS } from './projection/programs.ts';
import { projectSettlement, projectSlash } from './projection/system.ts';
import { projectImage, projectTaskEvent } from './projection/task-events.ts';
import { TASK_PROJECTIONS } from './projection/tasks.ts';
import type { Projection, Projections } from './projection/types.ts';
import {
  projectSeatResumed,
  projectSeatWeight,
  projectValidatorStatus,
  VALIDATOR_PROJECTIONS,
} from './projection/validators.ts';

export type { ProjectorContext } from './projection/event-writer.ts';

/** A system event of the core. */
type SystemOutcome = Extract<Outcome, { kind: 'event' }>;

/** One projection for each operation; one table for each domain. */
const PROJECTIONS: Projections<OperationName> = {
  ...LEDGER_PROJECTIONS,
  ...TASK_PROJECTIONS,
  ...MARKET_PROJECTIONS,
  ...PLATFORM_PROJECTIONS,
  ...PROGRAM_PROJECTIONS,
  ...CASE_PROJECTIONS,
  ...VALIDATOR_PROJECTIONS,
};

/**
 * The document of a transaction as far as its projection does not complete it. One literal with all members: a spread in the
 * middle of one takes twice as long.
 */
function newEvent(
  { parsed, auth, signature }: EntryInput,
  { txId, seq, order, index }: TxOutcome,
  { vertex, timeSecs }: Place,
  agentId: string,
): EventDoc {
  const { name, args } = parsed!;
  const doc = {
    event_id: toHex(txId),
    event_type: OPERATIONS[name].event,
    auth: auth!,
    seq,
    agent_id: agentId,
    payload: { ...args },
    settlement_state: 'settled' as const,
    signature: signature!,
    vertex_hash: toHex(vertex.id),
    causal_refs: vertex.parents,
    causal_timestamp: vertex.round,
    order,
    index,
    timestamp: timeSecs,
  };
  if (signature !== undefined) return doc;
  const { signature: _, ...unsigned } = doc;
  return unsigned;
}

/** Projects the outcomes of a batch of blocks into rows of documents. */
export class Projector implements OutcomeConsumer {
  readonly #store: Store;
  readonly #context: ProjectorContext;
  #set!: DocumentSet;
  readonly #rows = new PackedRows();
  #events!: EventDoc[];
  #writer!: EventWriter;
  readonly #activity = new Activity();

  constructor(store: Store, context: ProjectorContext) {
    this.#store = store;
    this.#context = context;
    this.begin();
  }

  begin(): void {
    const events: EventDoc[] = [];
    this.#events = events;
    const { documents, ids, keepsEvents } = this.#context;
    this.#set = new DocumentSet(this.#store, documents, (agent) => ids.state.agentKey(agent), this.#rows);
    this.#writer = new EventWriter(this.#set, this.#context, this.#activity, (event) => {
      if (keepsEvents) events.push(event);
    });
  }

  /** A row, including the changes of the current batch. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#set.get(key);
  }

  beginBlock(): void {
    this.#writer.beginBlock();
  }

  outcome(outcome: Exclude<Outcome, ImageOutcome | Touched>, vertex: VertexInput, timeSecs: number): void {
    const place = { vertex, timeSecs };
    if (outcome.kind === 'tx') {
      if (outcome.code === abi.OK) this.#transaction(vertex.entries[outcome.index]!, outcome, place);
    } else this.#event(outcome, place);
  }

  #event(outcome: SystemOutcome, place: Place): void {
    const writer = this.#writer;
    switch (outcome.type) {
      case 'genesis': {
        const payload = { chain_id: writer.c.chainId, genesis_hash: writer.c.genesisHash };
        writer.system('genesis', outcome, payload, place);
        break;
      }
      case 'settlement':
        projectSettlement(outcome, writer, place);
        break;
      case 'slash':
        projectSlash(outcome, writer, place);
        break;
      case 'task_routed':
        projectRouted(outcome, writer, place);
        break;
      case 'validator_status':
        projectValidatorStatus(outcome, writer, place);
        break;
      case 'seat_resumed':
        projectSeatResumed(outcome, writer, place);
        break;
      case 'seat_weight':
        projectSeatWeight(outcome, writer, place);
        break;
      case 'replay_created':
      case 'replay_closed':
      case 'challenge_opened':
      case 'challenge_resolved':
        projectCaseEvent(outcome, writer, place);
        break;
      default:
        projectTaskEvent(outcome, writer, place);
    }
  }

  /** The outcome of a run, for its event and for a later replay. */
  checked({ task, number }: DueRun, report: ContractReportDoc): void {
    this.#set.putJson(rowKey.contractRun(task, number), report);
  }

  /** Takes over the image of a task, challenge or replay job at the end of a block. */
  image(outcome: ImageOutcome): void {
    if (outcome.kind === 'task') projectImage(outcome.image, this.#writer);
    else if (outcome.kind === 'challenge') this.#writer.cases.challenge(outcome.image);
    else this.#writer.cases.job(outcome.image);
  }

  #transaction(input: EntryInput, outcome: TxOutcome, place: Place): void {
    const writer = this.#writer;
    const parsed = input.parsed!;
    const agentIndex = outcome.words[0]!;
    // The name of a new agent is known only after its projection has stored it.
    const agentId = parsed.name === 'register' ? '' : writer.c.ids.agentId(agentIndex);
    const doc = newEvent(input, outcome, place, agentId);
    // The projection fits the name, which the type system cannot express for a table.
    const project = PROJECTIONS[parsed.name] as Projection<OperationName>;
    project({ parsed: parsed as ParsedOf<OperationName>, input, outcome, doc, place, writer });
    writer.store(doc, outcome.txId, agentIndex + 1);
  }

  #flush(): void {
    const { tasks, cases } = this.#writer;
    tasks.flush();
    cases.flush();
  }

  documentRoot(): Uint8Array {
    this.#flush();
    return this.#context.documents.update(this.#set);
  }

  end(isAll: boolean): Derived {
    this.#flush();
    this.#writer.end(isAll);
    this.#context.documents.endBatch(this.#set);
    return { rows: this.#set.ops(), events: this.#events };
  }
}

// Open events by deadline, with the filters of GET /v1/pending: type, agent, assigned validator.
// Derived from the core's items, rebuilt at start; a page and the number of matches need no scan, but of one agent's events where
// both agent and validator are given.
// Keeps: events of one deadline are in the order of their rows of the core, so every node lists the same. An event is in a list of its
// kind, in one of its kind and agent, and in one for each validator that was assigned; what a filter leaves open is merged. A new one
// mostly has the latest deadline and the highest row, so that it is appended to each.

import * as abi from '../../assembly/abi.ts';
import type { ItemBrief } from '../core/item-state.ts';
import type { Outcome } from '../core/outcomes.ts';
import type { State } from '../core/state.ts';
import { mergedSlice } from '../store/merged-slice.ts';
import { SortedIndex } from '../store/sorted-index.ts';
import { SortedLists } from '../store/sorted-lists.ts';
import { latin1 } from '../wire/latin1.ts';
import { grown } from './columns.ts';

/** Operations that may create an event that takes verdicts. */
const OPENING: ReadonlySet<number> = new Set([
  abi.OP_TRANSFER,
  abi.OP_GENERATION,
  abi.OP_TASK_SUBMIT,
  abi.OP_TASK_DISPUTE,
]);

interface PendingFilter {
  kind?: number;
  agent?: number;
  validator?: number;
}

/** Kinds of items (ABI): 1 to 4. */
const KINDS = [abi.ITEM_TRANSFER, abi.ITEM_GENERATION, abi.ITEM_SUBMISSION, abi.ITEM_DISPUTE];

/** Number of the list of a kind and its owner; a small integer for V8, since a row of agents or of validators is below 2^26. */
const listOf = (kind: number, owner: number): number => owner * (KINDS.length + 1) + kind;
/** Validators that are assigned to an item, at most. Source: ITEM_ASSIGNED of the ABI. */
const MAX_ASSIGNED = 7;
const ASSIGNED_WORDS = MAX_ASSIGNED + 1;
/** Owner of the lists that are of a kind alone. */
const ANY = 0;

/** What the lists need of open items, by row of the core, in columns: as objects they were half of a busy node's heap. */
class Rows {
  deadlines = new Float64Array();
  /** Micro-units. */
  amounts = new Float64Array();
  kinds = new Uint32Array();
  agents = new Uint32Array();
  /** How many validators were assigned, then who, MAX_ASSIGNED + 1 numbers for each row. */
  assigned = new Uint32Array();

  set(row: number, item: ItemBrief): void {
    this.deadlines = grown(this.deadlines, row);
    this.amounts = grown(this.amounts, row);
    this.kinds = grown(this.kinds, row);
    this.agents = grown(this.agents, row);
    const at = row * ASSIGNED_WORDS;
    this.assigned = grown(this.assigned, at + MAX_ASSIGNED);
    this.deadlines[row] = item.deadline;
    this.amounts[row] = item.amount;
    this.kinds[row] = item.kind;
    this.agents[row] = item.agent;
    this.assigned[at] = item.assigned.length;
    this.assigned.set(item.assigned, at + 1);
  }

  /** Validators that were assigned, by number. A view, good until a row is set. */
  assignedTo(row: number): Uint32Array {
    const at = row * ASSIGNED_WORDS;
    return this.assigned.subarray(at + 1, at + 1 + this.assigned[at]!);
  }

  /** Micro-units of a transfer; 0 for any other item. */
  transfer(row: number): number {
    return this.kinds[row] === abi.ITEM_TRANSFER ? this.amounts[row]! : 0;
  }
}

export class PendingIndex {
  readonly #rows = new Rows();
  /** Rows by event_id as latin1. */
  readonly #rowOf = new Map<string, number>();
  readonly #compare = (a: number, b: number): number =>
    this.#rows.deadlines[a]! - this.#rows.deadlines[b]! || a - b;
  readonly #byKind = new SortedLists<number>(this.#compare);
  readonly #byAgent = new SortedLists<number>(this.#compare);
  readonly #byValidator = new SortedLists<number>(this.#compare);

  #launchTime = 0;
  #transfersMicro = 0;

  constructor(private readonly state: State) {
    this.#load();
  }

  /** Lists everything anew: at a start, and when the chain's clock starts, which moves every deadline. */
  #load(): void {
    this.#launchTime = this.state.header().launchTime;
    for (const index of [this.#rowOf, this.#byKind, this.#byAgent, this.#byValidator]) index.clear();
    this.#transfersMicro = 0;
    for (const item of this.state.items()) this.#add(item);
  }

  #add(item: number): void {
    const brief = this.state.itemBrief(item)!;
    this.#rows.set(item, brief);
    this.#transfersMicro += this.#rows.transfer(item);
    this.#rowOf.set(latin1(brief.eventId), item);
    const { kind, agent, assigned } = brief;
    this.#byKind.insert(listOf(kind, ANY), item);
    this.#byAgent.insert(listOf(kind, agent), item);
    for (const validator of assigned) this.#byValidator.insert(listOf(kind, validator), item);
  }

  #drop(eventId: Uint8Array): void {
    const name = latin1(eventId);
    const item = this.#rowOf.get(name);
    if (item === undefined) return;
    const [kind, agent] = [this.#rows.kinds[item]!, this.#rows.agents[item]!];
    this.#byKind.remove(listOf(kind, ANY), item);
    this.#byAgent.remove(listOf(kind, agent), item);
    for (const validator of this.#rows.assignedTo(item))
      this.#byValidator.remove(listOf(kind, validator), item);
    this.#transfersMicro -= this.#rows.transfer(item);
    this.#rowOf.delete(name);
  }

  /** Whether the worker's answer to a listed dispute gave it another deadline. */
  #isMoved(eventId: Uint8Array, deadline: number): boolean {
    const item = this.#rowOf.get(latin1(eventId));
    return item !== undefined && this.#rows.deadlines[item] !== deadline;
  }

  /**
   * Applies a batch: adds opened events, removes settled ones, moves disputes whose deadline an answer changed. Core rows
   * may be reused within one batch.
   */
  apply(outcomes: readonly Outcome[]): void {
    if (this.state.header().launchTime !== this.#launchTime) {
      this.#load();
      return;
    }
    const opened: Uint8Array[] = [];
    for (const o of outcomes) {
      if (o.kind === 'event' && o.type === 'settlement') this.#drop(o.target);
      if (o.kind === 'event' && o.type === 'task_disputed') opened.push(o.id);
      if (o.kind === 'task' && o.image.disputeEvent) {
        const { disputeEvent: id, disputeDeadline } = o.image;
        if (this.#isMoved(id, disputeDeadline)) {
          this.#drop(id);
          opened.push(id);
        }
      }
      // A submission for an unassured task opens no event: no item is found for it.
      if (o.kind === 'tx' && OPENING.has(o.opcode) && o.code === abi.OK) opened.push(o.txId);
    }
    for (const id of opened) {
      const item = this.state.findItem(id);
      if (item !== undefined) this.#add(item);
    }
  }

  /** Amounts of transfers that wait for verdicts, micro-units. */
  get transfersMicro(): number {
    return this.#transfersMicro;
  }

  get size(): number {
    return this.#rowOf.size;
  }

  /** Items of a page and the number of matches. */
  page(filter: PendingFilter, offset: number, count: number): { items: number[]; total: number } {
    const lists = this.#listsOf(filter);
    const total = lists.reduce((sum, { size }) => sum + size, 0);
    return { items: mergedSlice(lists, this.#compare, offset, count), total };
  }

  #listsOf({ kind, agent, validator }: PendingFilter): SortedIndex[] {
    const kinds = KINDS.filter((one) => kind === undefined || one === kind);
    const of = (lists: SortedLists<number>, owner: number): SortedIndex[] =>
      kinds.flatMap((one) => lists.get(listOf(one, owner)) ?? []);
    if (agent === undefined)
      return validator === undefined ? of(this.#byKind, ANY) : of(this.#byValidator, validator);
    const lists = of(this.#byAgent, agent);
    if (validator === undefined) return lists;
    return lists.map((list) => {
      const both = new SortedIndex(this.#compare);
      both.fillSorted(
        list.chunks().flatMap((rows) => rows.filter((row) => this.#rows.assignedTo(row).includes(validator))),
      );
      return both;
    });
  }
}

// Open events by deadline, with the filters of GET /v1/pending: type, agent, assigned validator.
// Derived from the core's items, rebuilt at start; each list gives a page and its length without a scan.
// Keeps: events of one deadline are in the order of their rows of the core, so every node lists the same. An event is in eight
// lists and more; a new one mostly has the latest deadline and the highest row, so that it is appended to each.

import * as abi from '../../assembly/abi.ts';
import type { Outcome } from '../core/outcomes.ts';
import type { State } from '../core/state.ts';
import { SortedIndex } from '../store/sorted-index.ts';
import { toHex } from '../wire/bytes.ts';

interface Row {
  eventId: Uint8Array;
  deadline: number;
  kind: number;
  /** Micro-units. */
  amount: number;
  agent: number;
  assigned: number[];
}

/** Operations that may create an event that takes verdicts. */
const OPENING: ReadonlySet<number> = new Set([
  abi.OP_TRANSFER,
  abi.OP_GENERATION,
  abi.OP_TASK_SUBMIT,
  abi.OP_TASK_DISPUTE,
]);

const transferOf = ({ kind, amount }: Row): number => (kind === abi.ITEM_TRANSFER ? amount : 0);

interface PendingFilter {
  kind?: number;
  agent?: number;
  validator?: number;
}

export class PendingIndex {
  readonly #rows = new Map<number, Row>();
  readonly #rowOf = new Map<string, number>();
  readonly #lists = new Map<string, SortedIndex>();
  readonly #compare = (a: number, b: number): number =>
    this.#rows.get(a)!.deadline - this.#rows.get(b)!.deadline || a - b;

  #launchTime = 0;
  #transfersMicro = 0;

  constructor(private readonly state: State) {
    this.#load();
  }

  /** Lists everything anew: at a start, and when the chain's clock starts, which moves every deadline. */
  #load(): void {
    this.#launchTime = this.state.header().launchTime;
    for (const index of [this.#rows, this.#rowOf, this.#lists]) index.clear();
    this.#transfersMicro = 0;
    for (const item of this.state.items()) this.#add(item);
  }

  #names(row: Row): string[] {
    const [kind, agent] = [`k${row.kind}`, `a${row.agent}`];
    const names = ['', agent, kind, kind + agent];
    for (const v of row.assigned)
      for (const name of ['', agent, kind, kind + agent]) names.push(`${name}v${v}`);
    return names;
  }

  #add(item: number): void {
    const s = this.state.item(item);
    if (!s) return;
    const row = {
      eventId: s.eventId,
      deadline: s.deadline,
      kind: s.kind,
      amount: s.amount,
      agent: s.agent,
      assigned: s.assigned,
    };
    this.#rows.set(item, row);
    this.#transfersMicro += transferOf(row);
    this.#rowOf.set(toHex(s.eventId), item);
    for (const name of this.#names(row)) {
      const known = this.#lists.get(name);
      const list = known ?? new SortedIndex(this.#compare);
      if (!known) this.#lists.set(name, list);
      list.insert(item);
    }
  }

  #drop(eventId: string): void {
    const item = this.#rowOf.get(eventId);
    if (item === undefined) return;
    for (const name of this.#names(this.#rows.get(item)!)) {
      const list = this.#lists.get(name)!;
      list.remove(item);
      if (list.size === 0) this.#lists.delete(name);
    }
    this.#transfersMicro -= transferOf(this.#rows.get(item)!);
    this.#rows.delete(item);
    this.#rowOf.delete(eventId);
  }

  /** Whether the worker's answer to a listed dispute gave it another deadline. */
  #isMoved(eventId: string, deadline: number): boolean {
    const item = this.#rowOf.get(eventId);
    return item !== undefined && this.#rows.get(item)!.deadline !== deadline;
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
      if (o.kind === 'event' && o.type === 'settlement') this.#drop(toHex(o.target));
      if (o.kind === 'event' && o.type === 'task_disputed') opened.push(o.id);
      if (o.kind === 'task' && o.image.disputeEvent) {
        const { disputeEvent: id, disputeDeadline } = o.image;
        if (this.#isMoved(toHex(id), disputeDeadline)) {
          this.#drop(toHex(id));
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
    return this.#rows.size;
  }

  /** Items of a page and the number of matches; each combination of filters has its own list. */
  page(f: PendingFilter, offset: number, count: number): { items: number[]; total: number } {
    const part = (letter: string, n: number | undefined): string => (n === undefined ? '' : letter + n);
    const list = this.#lists.get(part('k', f.kind) + part('a', f.agent) + part('v', f.validator));
    return { items: list?.slice(offset, count) ?? [], total: list?.size ?? 0 };
  }
}

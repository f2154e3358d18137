// Open events by deadline, with the filters of GET /v1/pending: by type, agent, and assigned validator.
// Derived from the core's items, rebuilt at start; each list answers a page and its length without a scan.

import * as abi from '../../assembly/abi.ts';
import type { Outcome } from '../core/outcomes.ts';
import type { State } from '../core/state.ts';
import { SortedIndex } from '../store/sorted-index.ts';
import { compareBytes, toHex } from '../wire/bytes.ts';

interface Row {
  eventId: Uint8Array;
  deadline: number;
  kind: number;
  agent: number;
  assigned: number[];
}

export interface PendingFilter {
  kind?: number;
  agent?: number;
  validator?: number;
}

export class PendingIndex {
  readonly #rows = new Map<number, Row>();
  readonly #rowOf = new Map<string, number>();
  readonly #lists = new Map<string, SortedIndex>();
  readonly #compare = (a: number, b: number): number => {
    if (a === b) return 0;
    const [x, y] = [this.#rows.get(a)!, this.#rows.get(b)!];
    return x.deadline - y.deadline || compareBytes(x.eventId, y.eventId);
  };

  constructor(private readonly state: State) {
    for (const item of state.items()) this.#add(item);
  }

  #names(row: Row): string[] {
    const kinds = ['', `k${row.kind}`];
    const agents = ['', `a${row.agent}`];
    const names: string[] = [];
    for (const k of kinds) for (const a of agents) names.push(k + a);
    for (const v of row.assigned) names.push(`v${v}`);
    return names;
  }

  #add(item: number): void {
    const s = this.state.item(item);
    if (!s) return;
    const row = {
      eventId: s.eventId,
      deadline: s.deadline,
      kind: s.kind,
      agent: s.agent,
      assigned: s.assigned,
    };
    this.#rows.set(item, row);
    this.#rowOf.set(toHex(s.eventId), item);
    for (const name of this.#names(row)) {
      const list = this.#lists.get(name) ?? new SortedIndex(this.#compare);
      list.insert(item);
      this.#lists.set(name, list);
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
    this.#rows.delete(item);
    this.#rowOf.delete(eventId);
  }

  /** Follows a group: opened events come in, settled ones leave. Core rows may be reused inside one group. */
  apply(outcomes: readonly Outcome[]): void {
    const opened: Uint8Array[] = [];
    for (const o of outcomes) {
      if (o.kind === 'event' && o.type === 'settlement') this.#drop(toHex(o.target));
      const opens = o.kind === 'tx' && (o.opcode === abi.OP_TRANSFER || o.opcode === abi.OP_GENERATION);
      if (opens && o.code === abi.OK) opened.push(o.txId);
    }
    for (const id of opened) {
      const item = this.state.findItem(id);
      if (item !== undefined) this.#add(item);
    }
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Items of a page and how many match. With a validator besides other filters the validator's list is filtered. */
  page(f: PendingFilter, offset: number, count: number): { items: number[]; total: number } {
    const name = (f.kind === undefined ? '' : `k${f.kind}`) + (f.agent === undefined ? '' : `a${f.agent}`);
    if (f.validator === undefined) {
      const list = this.#lists.get(name);
      return { items: list?.slice(offset, count) ?? [], total: list?.size ?? 0 };
    }
    const list = this.#lists.get(`v${f.validator}`);
    if (!list) return { items: [], total: 0 };
    if (name === '') return { items: list.slice(offset, count), total: list.size };
    const matching = list.slice(0, list.size).filter((item) => {
      const row = this.#rows.get(item)!;
      return (
        (f.kind === undefined || row.kind === f.kind) && (f.agent === undefined || row.agent === f.agent)
      );
    });
    return { items: matching.slice(offset, offset + count), total: matching.length };
  }
}

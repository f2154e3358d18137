// Capabilities of the router in memory: the lists that GET /v1/router/agents pages through.
// Keeps: a capability stands in the lists of each of its categories and of all, each for any state and for its own,
// so every filter is a list of its own and a page costs the page. Rebuilt at start.

import type { CapabilityDoc } from '../../store/market-documents.ts';
import { SortedIndex } from '../../store/sorted-index.ts';
import type { Page } from './listing-index.ts';

interface Held {
  registeredAt: number;
  lists: string[];
}

/** Name of a list; '' stands for any category. */
const listName = (category: string, available: boolean | undefined): string =>
  `${available ?? 'any'}:${category}`;

export class CapabilityIndex {
  readonly #held = new Map<number, Held>();
  readonly #lists = new Map<string, SortedIndex>();

  /** `compareAgents`: by agent_id. */
  constructor(private readonly compareAgents: (a: number, b: number) => number) {}

  readonly #compare = (a: number, b: number): number =>
    this.#held.get(a)!.registeredAt - this.#held.get(b)!.registeredAt || this.compareAgents(a, b);

  /** What an agent's capability now is; undefined: removed. */
  set(agent: number, doc: CapabilityDoc | undefined): void {
    this.#remove(agent);
    if (!doc) return;
    const lists = ['', ...doc.categories].flatMap((category) => [
      listName(category, undefined),
      listName(category, doc.available),
    ]);
    this.#held.set(agent, { registeredAt: doc.registered_at, lists });
    for (const name of lists) {
      const list = this.#lists.get(name) ?? new SortedIndex(this.#compare);
      this.#lists.set(name, list);
      list.insert(agent);
    }
  }

  #remove(agent: number): void {
    for (const name of this.#held.get(agent)?.lists ?? []) {
      const list = this.#lists.get(name)!;
      list.remove(agent);
      if (list.size === 0) this.#lists.delete(name);
    }
    this.#held.delete(agent);
  }

  /** By registration, ties by agent_id. `category` '': any. */
  page(category: string, available: boolean | undefined, offset: number, count: number): Page {
    const list = this.#lists.get(listName(category, available));
    return { agents: list?.slice(offset, count) ?? [], total: list?.size ?? 0 };
  }
}

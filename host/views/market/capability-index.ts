// Capabilities of the router in memory: the lists for GET /v1/router/agents. Rebuilt at start.
// Keeps: a capability is in the lists of each of its categories and of all categories, in each case once for any
// availability and once for its own. So every filter has its own list, and the cost of a page depends on its size only.

import type { CapabilityDoc } from '../../store/market-documents.ts';
import { SortedLists } from '../../store/sorted-lists.ts';
import type { Page } from './listing-index.ts';

interface Entry {
  registeredAt: number;
  lists: string[];
}

/** Name of a list; '' means any category. */
const listName = (category: string, available: boolean | undefined): string =>
  `${available ?? 'any'}:${category}`;

export class CapabilityIndex {
  readonly #entries = new Map<number, Entry>();
  /** `compareAgents`: by agent_id. */
  constructor(private readonly compareAgents: (a: number, b: number) => number) {}

  readonly #compare = (a: number, b: number): number =>
    this.#entries.get(a)!.registeredAt - this.#entries.get(b)!.registeredAt || this.compareAgents(a, b);
  readonly #lists = new SortedLists<string>(this.#compare);

  /** Sets or replaces an agent's capability; undefined removes it. */
  set(agent: number, doc: CapabilityDoc | undefined): void {
    this.#remove(agent);
    if (!doc) return;
    const lists = ['', ...doc.categories].flatMap((category) => [
      listName(category, undefined),
      listName(category, doc.available),
    ]);
    this.#entries.set(agent, { registeredAt: doc.registered_at, lists });
    for (const name of lists) this.#lists.insert(name, agent);
  }

  #remove(agent: number): void {
    for (const name of this.#entries.get(agent)?.lists ?? []) this.#lists.remove(name, agent);
    this.#entries.delete(agent);
  }

  /** A page in order of registration, ties by agent_id. `category` '': any. */
  page(category: string, available: boolean | undefined, offset: number, count: number): Page {
    const list = this.#lists.get(listName(category, available));
    return { agents: list?.slice(offset, count) ?? [], total: list?.size ?? 0 };
  }
}

// The marketplace without tasks: indexes of listings and capabilities over the stored documents.
// Keeps: the indexes match the store; they are filled from it at start and updated after each batch.

import type { State } from '../../core/state.ts';
import type { IdOrder } from '../../execution/id-order.ts';
import type { EventDoc } from '../../store/documents.ts';
import type { CapabilityDoc, ListingDoc, MarketTotals } from '../../store/market-documents.ts';
import { rangeOf, readU32, rowKey } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { agentKey } from '../../wire/ids.ts';
import type { Store } from '../../world/store.ts';
import { CapabilityIndex } from './capability-index.ts';
import { Discovery } from './discovery.ts';
import { ListingIndex } from './listing-index.ts';
import { Standing } from './standing.ts';

const LISTING_EVENTS = new Set<string>(['service_listed', 'service_unlisted']);
const CAPABILITY_EVENTS = new Set<string>([
  'router_registered',
  'router_unregistered',
  'router_availability',
]);

export class Market {
  readonly listings: ListingIndex;
  readonly capabilities: CapabilityIndex;
  readonly discovery: Discovery;
  readonly #standing: Standing;

  constructor(
    private readonly store: Store,
    private readonly state: State,
    order: IdOrder,
    daySecs: number,
  ) {
    const compare = (a: number, b: number): number => order.compare(a, b);
    this.listings = new ListingIndex(compare);
    this.capabilities = new CapabilityIndex(compare);
    this.#standing = new Standing(state, daySecs);
    this.discovery = new Discovery(this.listings, this.#standing);
  }

  get nowSecs(): number {
    return Math.floor(this.state.header().timeMs / 1000);
  }

  /** Reads every listing and capability once, at start. */
  async load(): Promise<void> {
    for await (const [key, value] of this.store.scan(rangeOf('L'))) {
      this.#putListing(readU32(key, 1), readJson<ListingDoc>(value)!);
    }
    for await (const [key, value] of this.store.scan(rangeOf('C'))) {
      this.capabilities.set(readU32(key, 1), readJson<CapabilityDoc>(value)!);
    }
  }

  listing(agent: number): ListingDoc | undefined {
    return readJson<ListingDoc>(this.store.get(rowKey.listing(agent)));
  }

  capability(agent: number): CapabilityDoc | undefined {
    return readJson<CapabilityDoc>(this.store.get(rowKey.capability(agent)));
  }

  /** Number of routes ever made. */
  get routes(): number {
    return readJson<MarketTotals>(this.store.get(rowKey.totals('market')))?.routes ?? 0;
  }

  /** Call after a batch is durable. `touched`: agents whose rows changed. */
  apply(events: readonly EventDoc[], touched: readonly number[]): void {
    for (const event of events) {
      const isListing = LISTING_EVENTS.has(event.event_type);
      if (!isListing && !CAPABILITY_EVENTS.has(event.event_type)) continue;
      const agent = this.state.findAgent(agentKey(event.agent_id))!;
      if (isListing) this.#putListing(agent, this.listing(agent)!);
      else this.capabilities.set(agent, this.capability(agent));
    }
    for (const agent of touched) {
      const row = this.listings.rowOf(agent);
      if (row !== undefined) this.#standing.read(row, agent, this.nowSecs);
    }
  }

  #putListing(agent: number, doc: ListingDoc): void {
    const row = this.listings.set(agent, doc);
    if (row !== undefined) this.#standing.read(row, agent, this.nowSecs);
  }
}

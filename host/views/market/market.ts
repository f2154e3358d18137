// The marketplace without tasks: indexes of listings and capabilities over the stored documents.
// Keeps: the indexes match the store; they are filled from it at start and updated after each batch. The texts of many listings
// are indexed behind the start, a few in each turn of the event loop; until all are, nothing may be searched by text.

import type { State } from '../../core/state.ts';
import type { IdOrder } from '../../execution/id-order.ts';
import type { EventDoc } from '../../store/documents.ts';
import type { CapabilityDoc, ListingDoc, MarketTotals } from '../../store/market-documents.ts';
import { rangeOf, readU32, rowKey } from '../../store/prefixes.ts';
import { readJson, readJsons } from '../../store/write-set.ts';
import { agentKey } from '../../wire/ids.ts';
import type { Clock } from '../../world/clock.ts';
import type { Store } from '../../world/store.ts';
import { CapabilityIndex } from './capability-index.ts';
import { Discovery } from './discovery.ts';
import { ListingIndex } from './listing-index.ts';
import { Standing } from './standing.ts';

/** Listings whose texts are indexed before the node is ready: some 100 ms. */
const INDEXED_AT_ONCE = 2_000;
/** Work of one turn of the event loop behind the start, ms; and the listings that are read together. */
const TURN_MS = 4;
const READ_TOGETHER = 32;

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

  /** Reads every listing and capability once, at start. `atOnce`: texts of listings that are indexed now. */
  async load(atOnce = INDEXED_AT_ONCE): Promise<void> {
    let count = 0;
    for await (const [key, value] of this.store.scan(rangeOf('L'))) {
      this.#putListing(readU32(key, 1), readJson<ListingDoc>(value)!, count++ >= atOnce);
    }
    for await (const [key, value] of this.store.scan(rangeOf('C'))) {
      this.capabilities.set(readU32(key, 1), readJson<CapabilityDoc>(value)!);
    }
  }

  /** May listings be searched by text: all texts are indexed. */
  get isSearchable(): boolean {
    return this.listings.textsLeft === 0;
  }

  /** Indexes the texts that `load` left, in many turns of the event loop. Returns how to end that early. */
  indexTexts(clock: Pick<Clock, 'monotonicMs' | 'soon'>): () => void {
    let isEnded = false;
    const turn = (): void => {
      if (isEnded) return;
      const endMs = clock.monotonicMs() + TURN_MS;
      while (!this.isSearchable && clock.monotonicMs() < endMs) this.#indexSome();
      if (!this.isSearchable) clock.soon(turn);
    };
    turn();
    return () => {
      isEnded = true;
    };
  }

  #indexSome(): void {
    const agents = this.listings.agentsLeft(READ_TOGETHER);
    const docs = readJsons<ListingDoc>(
      this.store,
      agents.map((agent) => rowKey.listing(agent)),
    );
    for (const [i, agent] of agents.entries()) this.listings.indexText(agent, docs[i]!);
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

  #putListing(agent: number, doc: ListingDoc, later = false): void {
    const row = this.listings.set(agent, doc, later);
    if (row !== undefined) this.#standing.read(row, agent, this.nowSecs);
  }
}

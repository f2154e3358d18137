// The marketplace without tasks: indexes of listings and capabilities over the stored documents.
// Keeps: the indexes match the store; they are built from it at a start, in steps, and updated after each batch. What changes
// while a list is built is noted and put in at its end. Texts are indexed last: until all are, nothing may be searched by text. Those
// that change later are indexed behind their batch (text-line.ts): at once, unless too many do.

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
import { type LineClock, TextLine } from './text-line.ts';

/** Rows that are read in a step of a build, and listings whose texts are indexed in one. */
const ROWS_OF_STEP = 256;
const TEXTS_OF_STEP = 32;

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
  readonly #textLine: TextLine;
  /** Agents whose listing or capability changed while the lists are built. */
  readonly #changedListings = new Set<number>();
  readonly #changedCapabilities = new Set<number>();
  #isListed = false;

  constructor(
    private readonly store: Store,
    private readonly state: State,
    order: IdOrder,
    daySecs: number,
    clock: LineClock,
    /** Of the hashes of texts, which no stranger may know. */
    seed = 0,
  ) {
    const compare = (a: number, b: number): number => order.compare(a, b);
    this.listings = new ListingIndex(compare, seed);
    this.capabilities = new CapabilityIndex(compare);
    this.#standing = new Standing(state, daySecs);
    this.discovery = new Discovery(this.listings, this.#standing);
    this.#textLine = new TextLine(clock, {
      index: (agent) => this.#indexText(agent),
      tidy: () => this.listings.text.tidy(),
    });
  }

  #indexText(agent: number): void {
    const doc = this.listing(agent);
    if (doc) this.listings.indexText(agent, doc);
  }

  /** Ends what goes on behind batches. */
  end(): void {
    this.#textLine.end();
  }

  get nowSecs(): number {
    return Math.floor(this.state.header().timeMs / 1000);
  }

  /** All listings and capabilities are in their lists. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** May listings be searched by text: all texts are indexed. */
  get isSearchable(): boolean {
    return this.#isListed && this.listings.textsLeft === 0;
  }

  /** Reads every listing and capability once; the ids of their agents are in the order. In steps. */
  async *build(): AsyncGenerator<void, void> {
    const { listings, store } = this;
    const { nowSecs } = this;
    let rows = 0;
    for await (const [key, value] of store.scan(rangeOf('L'))) {
      const agent = readU32(key, 1);
      const row = listings.load(agent, readJson<ListingDoc>(value)!);
      if (row !== undefined) this.#standing.load(row, agent, nowSecs);
      if (++rows % ROWS_OF_STEP === 0) yield;
    }
    const sorted = yield* listings.sortLoaded();
    yield* this.#standing.sortLoaded(sorted);
    yield* this.discovery.sortLoaded(sorted);
    for await (const [key, value] of store.scan(rangeOf('C'))) {
      this.capabilities.set(readU32(key, 1), readJson<CapabilityDoc>(value)!);
      if (++rows % ROWS_OF_STEP === 0) yield;
    }
    yield* this.#putChanged();
    this.#isListed = true;
    this.#textLine.work();
  }

  /** What changed since the rows were read; more may, until there is nothing left. */
  *#putChanged(): Generator<void, void> {
    while (this.#changedListings.size + this.#changedCapabilities.size > 0) {
      for (const agent of [...this.#changedListings].slice(0, ROWS_OF_STEP)) {
        this.#changedListings.delete(agent);
        this.#putListing(agent);
      }
      for (const agent of [...this.#changedCapabilities].slice(0, ROWS_OF_STEP)) {
        this.#changedCapabilities.delete(agent);
        this.capabilities.set(agent, this.capability(agent));
      }
      yield;
    }
  }

  /**
   * Indexes the texts of the listings that `build` has listed, in steps. They are scanned, which fills no cache: one that changes
   * meanwhile is not left any more.
   */
  async *indexTexts(): AsyncGenerator<void, void> {
    const { listings, store } = this;
    if (listings.textsLeft === 0) return;
    let texts = 0;
    for await (const [key, value] of store.scan(rangeOf('L'))) {
      const agent = readU32(key, 1);
      if (!listings.isTextLeft(agent)) continue;
      listings.indexText(agent, readJson<ListingDoc>(value)!);
      if (++texts % TEXTS_OF_STEP === 0) yield;
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
      if (!this.#isListed) (isListing ? this.#changedListings : this.#changedCapabilities).add(agent);
      else if (isListing) this.#putListing(agent);
      else this.capabilities.set(agent, this.capability(agent));
    }
    for (const agent of touched) {
      if (!this.#isListed) {
        if (this.listings.rowOf(agent) !== undefined) this.#changedListings.add(agent);
        continue;
      }
      const row = this.listings.rowOf(agent);
      if (row !== undefined) this.#standing.read(row, agent, this.nowSecs);
    }
    if (this.#isListed) this.#textLine.work();
  }

  #putListing(agent: number): void {
    const row = this.listings.list(agent, this.listing(agent)!);
    if (row === undefined) return;
    this.#textLine.add(agent);
    this.#standing.read(row, agent, this.nowSecs);
  }
}

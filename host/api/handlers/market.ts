// Listings, discovery, capabilities, routes (protocol 3.8, 4.5, 4.6).

import { readCapability, readRouter } from '../../core/market-state.ts';
import { ServiceError } from '../../errors.ts';
import {
  type CapabilityDoc,
  type ListingDoc,
  ROUTES_KEPT,
  type RouteDoc,
} from '../../store/market-documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJsons } from '../../store/write-set.ts';
import type { DiscoveryQuery } from '../../views/market/discovery.ts';
import { ANY } from '../../views/market/listing-index.ts';
import { trackRecord } from '../../views/market/track-record.ts';
import { normalName } from '../../wire/category.ts';
import { agentKey } from '../../wire/ids.ts';
import type { ReadContext } from '../context.ts';
import { needsBuilt } from '../needs-built.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { ratio } from './agents.ts';

const NEWCOMER_THRESHOLD = 10;
const NEWCOMER_ALLOCATION_BP = 2000;

type Query = ReadArgs['query'];

const text = (query: Query, name: string): string => String(query[name] ?? '');
/** The category of a filter in normal form; ANY when absent. */
const category = (query: Query): string =>
  query.category === undefined ? ANY : normalName(text(query, 'category'));

/** The text that is searched. Errors: `not_ready` until listings, or for a text that is not empty their texts, are indexed. */
function searched(c: ReadContext, query: Query): string {
  const found = text(query, 'q');
  needsBuilt(found === '' ? c.market.isListed : c.market.isSearchable);
  return found;
}

/** The stored documents of several agents. */
function documents<Doc>(
  c: ReadContext,
  keyOf: (agent: number) => Uint8Array,
  agents: readonly number[],
): Doc[] {
  return readJsons<Doc>(c.store, agents.map(keyOf)).map((doc) => doc!);
}

export function search(c: ReadContext, { page, query }: ReadArgs): Reply {
  const found = c.market.listings.search(searched(c, query), category(query), page.offset, page.size);
  return { body: documents<ListingDoc>(c, rowKey.listing, found.agents), total: found.total };
}

export function listing(c: ReadContext, { path }: ReadArgs): Reply {
  const agent = c.ids.find(agentKey(path.agent_id!));
  const doc = agent && c.market.listing(agent.index);
  if (!doc) throw new ServiceError('listing_not_found');
  return { body: doc };
}

export function categories(c: ReadContext, { page }: ReadArgs): Reply {
  needsBuilt(c.market.isListed);
  const { counts, total } = c.market.listings.categories(page.offset, page.size);
  return { body: counts, total };
}

export function discover(c: ReadContext, { page, query }: ReadArgs): Reply {
  const { market } = c;
  const wanted: DiscoveryQuery = {
    query: searched(c, query),
    category: category(query),
    maxBudget: query.max_budget as number | undefined,
    minReputationBp: (query.min_reputation as number | undefined) ?? 0,
    inFull: query.sort === 'reputation',
  };
  const { rows, total } = market.discovery.page(wanted, page.offset, page.size, market.nowSecs);
  const docs = documents<ListingDoc>(
    c,
    rowKey.listing,
    rows.map((row) => row.agent),
  );
  const body = rows.map((row, i) => {
    const record = trackRecord(c.state.records(row.agent));
    const { agent_id, name, category, price_tok } = docs[i]!;
    return {
      agent_id,
      service_name: name,
      category,
      price_tok,
      relevance_score: ratio(row.relevanceBp),
      completion_rate: ratio(row.completionBp),
      price_efficiency: ratio(row.priceBp),
      composite_score: ratio(row.compositeBp),
      reputation_score: row.reputationBp,
      backing: row.backingBp,
      tasks_completed: record.completed,
      avg_delivery_secs: record.avgDeliverySecs,
      overall_rank: row.rank,
    };
  });
  return { body, total };
}

function capabilityBody(c: ReadContext, agent: number, doc: CapabilityDoc): Record<string, unknown> {
  const record = trackRecord(c.state.records(agent));
  return {
    agent_id: doc.agent_id,
    description: doc.description,
    categories: doc.categories,
    tags: doc.tags,
    price_per_task: doc.price_per_task,
    max_concurrent: doc.max_concurrent,
    active_tasks: readCapability(c.state.core, agent)?.activeTasks ?? 0,
    tasks_completed: record.completed,
    avg_delivery_secs: record.avgDeliverySecs,
    registered_at: doc.registered_at,
    available: doc.available,
    has_webhook: doc.webhook !== undefined,
    avg_score: ratio(record.avgScoreBp),
    completion_rate: ratio(record.completionBp),
  };
}

export function capabilities(c: ReadContext, { page, query }: ReadArgs): Reply {
  needsBuilt(c.market.isListed);
  const available = query.available === undefined ? undefined : query.available === 'true';
  const found = c.market.capabilities.page(category(query), available, page.offset, page.size);
  const docs = documents<CapabilityDoc>(c, rowKey.capability, found.agents);
  return { body: found.agents.map((agent, i) => capabilityBody(c, agent, docs[i]!)), total: found.total };
}

export function routes(c: ReadContext, { page }: ReadArgs): Reply {
  const made = c.market.routes;
  const total = Math.min(made, ROUTES_KEPT);
  const count = Math.max(0, Math.min(page.size, total - page.offset));
  const keys = Array.from({ length: count }, (_, i) => rowKey.route(made - 1 - page.offset - i));
  return { body: readJsons<RouteDoc>(c.store, keys), total };
}

export function routerStats(c: Pick<ReadContext, 'state'>): Reply {
  const router = readRouter(c.state.core);
  return {
    body: {
      registered_agents: router.registered,
      available_agents: router.available,
      total_routed: router.routed,
      pending_tasks: router.pending,
      newcomer_routes: router.newcomerRoutes,
      newcomer_threshold: NEWCOMER_THRESHOLD,
      newcomer_allocation_bp: NEWCOMER_ALLOCATION_BP,
    },
  };
}

// Documents for listings, capabilities and routes, and the webhook deliveries for which this node's seat is responsible.
// Keeps: webhook URLs and secrets are stored in the capability and the delivery only, never in an event.

import type { TaskRoutedEvent } from '../../core/task-events.ts';
import {
  type CapabilityDoc,
  type DeliveryDoc,
  type ListingDoc,
  type MarketTotals,
  ROUTES_KEPT,
  type RouteDoc,
} from '../../store/market-documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import type { WriteSet } from '../../store/write-set.ts';
import { toHex } from '../../wire/bytes.ts';
import { categoryList, listingCategory } from '../../wire/category.ts';
import type { MARKET_OPERATIONS } from '../../wire/operations/market.ts';
import type { EventWriter, Place } from './event-writer.ts';
import type { ExecutedTx, Projections } from './types.ts';

/** Keys of the acting agent's documents. */
const ownListing = ({ outcome }: ExecutedTx): Uint8Array => rowKey.listing(outcome.words[0]!);
const ownCapability = ({ outcome }: ExecutedTx): Uint8Array => rowKey.capability(outcome.words[0]!);

export const MARKET_PROJECTIONS: Projections<keyof typeof MARKET_OPERATIONS> = {
  routerRegister(tx) {
    const { args } = tx.parsed;
    const { webhook_url: url, webhook_secret: secret, ...open } = args;
    const doc: CapabilityDoc = {
      agent_id: tx.doc.agent_id,
      description: args.description ?? '',
      categories: categoryList(args.categories),
      tags: args.tags ?? [],
      price_per_task: args.price_per_task ?? 0,
      max_concurrent: args.max_concurrent ?? 1,
      available: true,
      registered_at: tx.doc.timestamp,
      ...(url ? { webhook: { url, ...(secret ? { secret } : {}), seat: tx.place.vertex.seat } } : {}),
    };
    tx.writer.set.putJson(ownCapability(tx), doc);
    tx.doc.payload = { ...open, categories: doc.categories, available: true };
  },
  routerRemove(tx) {
    tx.writer.set.delete(ownCapability(tx));
  },
  routerAvailable(tx) {
    const key = ownCapability(tx);
    const doc = tx.writer.set.getJson<CapabilityDoc>(key)!;
    tx.writer.set.putJson(key, { ...doc, available: tx.parsed.args.available });
  },
  serviceList(tx) {
    const { args } = tx.parsed;
    const key = ownListing(tx);
    const old = tx.writer.set.getJson<ListingDoc>(key);
    const doc: ListingDoc = {
      agent_id: tx.doc.agent_id,
      name: args.name,
      description: args.description ?? '',
      category: listingCategory(args.category),
      tags: args.tags ?? [],
      price_tok: args.price_tok ?? 0,
      active: args.active ?? true,
      created_at: old?.created_at ?? tx.doc.timestamp,
      updated_at: tx.doc.timestamp,
      ...(args.endpoint === undefined ? {} : { endpoint: args.endpoint }),
      ...(args.agent_card === undefined ? {} : { agent_card: args.agent_card }),
    };
    tx.writer.set.putJson(key, doc);
    tx.doc.payload = { ...args, category: doc.category, active: doc.active };
  },
  serviceUnlist(tx) {
    const key = ownListing(tx);
    const old = tx.writer.set.getJson<ListingDoc>(key)!;
    const doc: ListingDoc = { ...old, active: false, updated_at: tx.doc.timestamp };
    tx.writer.set.putJson(key, doc);
    tx.doc.payload = { name: doc.name, category: doc.category, active: false };
  },
};

function storeRoute(set: WriteSet, route: RouteDoc): void {
  const key = rowKey.totals('market');
  const { routes } = set.getJson<MarketTotals>(key) ?? { routes: 0 };
  set.putJson(rowKey.route(routes), route);
  if (routes >= ROUTES_KEPT) set.delete(rowKey.route(routes - ROUTES_KEPT));
  set.putJson(key, { routes: routes + 1 } satisfies MarketTotals);
}

/** A task was routed: writes the event, the route, and a delivery if the agent registered its webhook at this seat. */
export function projectRouted(o: TaskRoutedEvent, writer: EventWriter, place: Place): void {
  const { set, c } = writer;
  const task = toHex(o.task);
  const agent = c.ids.agentId(o.agent);
  const score = { match_score: o.scoreBp, is_newcomer: o.isNewcomer };
  const payload = { task_id: task, routed_to: agent, ...score };
  writer.system('task_routed', o, payload, place, { task_id: task });
  storeRoute(set, {
    task_id: task,
    agent_id: agent,
    reason: o.reason,
    ...score,
    routed_at: place.timeSecs,
  });
  const webhook = set.getJson<CapabilityDoc>(rowKey.capability(o.agent))?.webhook;
  if (!webhook || webhook.seat !== c.seat) return;
  const delivery: DeliveryDoc = {
    delivery_id: toHex(o.id),
    task_id: task,
    agent_id: agent,
    url: webhook.url,
    ...(webhook.secret === undefined ? {} : { secret: webhook.secret }),
    issued_at: place.timeSecs,
    attempts: 0,
    next_ms: 0,
  };
  set.putJson(rowKey.delivery(o.seq), delivery);
}

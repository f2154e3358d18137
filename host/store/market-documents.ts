// The stored documents of the marketplace other than tasks: listings, capabilities, routes, webhook deliveries.

import type { AgentCard } from '../wire/agent-card.ts';

/** The Listing object (protocol 3.8), one for each agent that ever had one. */
export interface ListingDoc {
  agent_id: string;
  name: string;
  description: string;
  category: string;
  tags: string[];
  /** Whole tokens. */
  price_tok: number;
  active: boolean;
  created_at: number;
  updated_at: number;
  endpoint?: string;
  /** As the agent signed it; whether its key did is checked when it is served. */
  agent_card?: AgentCard;
}

interface Webhook {
  url: string;
  /** As given, encrypted or plain; decrypted only to sign (webhooks/secret.ts). */
  secret?: string;
  /** Seat whose vertex carried the registration: only its node delivers (protocol 10). */
  seat: number;
}

/** A capability; the core has only its terms. */
export interface CapabilityDoc {
  agent_id: string;
  description: string;
  categories: string[];
  tags: string[];
  price_per_task: number;
  max_concurrent: number;
  available: boolean;
  registered_at: number;
  webhook?: Webhook;
}

/** The Route object (protocol 3.8). */
export interface RouteDoc {
  task_id: string;
  agent_id: string;
  reason: 'best_match' | 'newcomer';
  match_score: number;
  is_newcomer: boolean;
  routed_at: number;
}

/** A webhook delivery that is not finished. */
export interface DeliveryDoc {
  /** event_id of task_routed. */
  delivery_id: string;
  task_id: string;
  agent_id: string;
  url: string;
  secret?: string;
  issued_at: number;
  /** Attempts made, and the wall-clock time of the next one in ms; 0 = at once. */
  attempts: number;
  next_ms: number;
}

/** Counters of the marketplace's views, written in the same batch as the events. */
export interface MarketTotals {
  /** Number of routes ever written; the last ROUTES_KEPT of them are stored. */
  routes: number;
}
export const ROUTES_KEPT = 1000;

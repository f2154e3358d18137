// Listings, discovery, router (DECISIONS 4.5, 4.6). `agentId` in a path is the acting agent's own id.

import type { BodyOf } from './bodies.ts';
import { type Calls, type Query, type Rebuild, segment } from './calls.ts';
import type * as o from './objects.ts';

const listing = (agentId: string): string => `/v1/registry/${segment(agentId)}`;
const capability = (agentId: string): string => `/v1/router/register/${segment(agentId)}`;

export class MarketCalls {
  constructor(private readonly calls: Calls) {}

  search = (query?: Query) => this.calls.get<o.Listing[]>('/v1/registry/search', query);
  listing = async (agentId: string) => this.calls.get<o.Listing>(listing(agentId));
  categories = () => this.calls.get<Record<string, number>>('/v1/registry/categories');
  discover = (query?: Query) => this.calls.get<o.DiscoverRow[]>('/v1/discover', query);
  routableAgents = (query?: Query) => this.calls.get<o.Capability[]>('/v1/router/agents', query);
  routes = (query?: Query) => this.calls.get<o.Route[]>('/v1/router/routes', query);
  routerStats = () => this.calls.get<o.RouterStats>('/v1/router/stats');

  /** Puts up the agent's listing in place of an earlier one. */
  list = (body: BodyOf<'serviceList'>) =>
    this.calls.write<o.Listing>('POST', '/v1/registry', body, (event) => this.listing(event.agent_id));

  /** Takes the listing down; it stays readable, inactive. */
  unlist = async (agentId: string) =>
    this.calls.write<o.ServiceUnlisted>('DELETE', listing(agentId), {}, (event) => ({
      ...own(event),
      active: false,
    }));

  /**
   * Offers to be given tasks. A webhook secret stands in the ordered write, which all nodes hold and show in the log: use it
   * for nothing else, and act on a delivery only after reading the task from a node.
   */
  register = (body: BodyOf<'routerRegister'>) =>
    this.calls.write<o.RouterRegistered>('POST', '/v1/router/register', body, (event) => ({
      ...own(event),
      categories: event.payload.categories as string[],
      status: 'registered',
    }));

  unregister = async (agentId: string) =>
    this.calls.write<o.RouterUnregistered>('DELETE', capability(agentId), {}, (event) => ({
      ...own(event),
      status: 'unregistered',
    }));

  setAvailable = async (agentId: string, available: boolean) =>
    this.calls.write<o.RouterAvailability>(
      'PUT',
      `/v1/router/availability/${segment(agentId)}`,
      { available },
      (event) => ({ ...own(event), available }),
    );
}

const own = (event: Parameters<Rebuild<unknown>>[0]) => ({
  event_id: event.event_id,
  agent_id: event.agent_id,
});

// Listings, discovery, router (protocol 4.5, 4.6). `agentId` in a path is the id of the acting agent.

import { fromHex } from '../wire/bytes.ts';
import type { BodyOf } from './bodies.ts';
import { type Calls, type Query, type Rebuild, segment } from './calls.ts';
import type * as o from './objects.ts';
import { seatKeyHex } from './seat-key.ts';
import { badCall } from './vws-error.ts';

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

  /** Publishes the agent's listing, replacing an earlier one. */
  list = (body: BodyOf<'serviceList'>) =>
    this.calls.write<o.Listing>('POST', '/v1/registry', body, (event) => this.listing(event.agent_id));

  /** Withdraws the listing; it stays readable, as inactive. */
  unlist = async (agentId: string) =>
    this.calls.write<o.ServiceUnlisted>('DELETE', listing(agentId), {}, (event) => ({
      ...idsOf(event),
      active: false,
    }));

  /**
   * Registers for routed tasks. A webhook secret of 1 to 39 bytes is encrypted to the seat of this node, which
   * delivers; an encrypted one is sent as it is. After a rotation of the seat's key nothing can decrypt it: register
   * again. A longer secret can only be sent in plain text, with `write`, visible to everyone who reads the log.
   */
  register = async (body: BodyOf<'routerRegister'>) =>
    this.calls.write<o.RouterRegistered>(
      'POST',
      '/v1/router/register',
      await this.withSealedSecret(body),
      (event) => ({
        ...idsOf(event),
        categories: event.payload.categories as string[],
        status: 'registered',
      }),
    );

  unregister = async (agentId: string) =>
    this.calls.write<o.RouterUnregistered>('DELETE', capability(agentId), {}, (event) => ({
      ...idsOf(event),
      status: 'unregistered',
    }));

  setAvailable = async (agentId: string, available: boolean) =>
    this.calls.write<o.RouterAvailability>(
      'PUT',
      `/v1/router/availability/${segment(agentId)}`,
      { available },
      (event) => ({ ...idsOf(event), available }),
    );

  private async withSealedSecret(body: BodyOf<'routerRegister'>): Promise<BodyOf<'routerRegister'>> {
    const { webhook_secret: secret } = body;
    if (typeof secret !== 'string') return body;
    // Encryption is most of a client's size, and hardly any caller needs it.
    const { isSealedSecret, sealWebhookSecret } = await import('./sealed.ts');
    if (isSealedSecret(secret)) return body;
    const agent = this.calls.ownKey || body.agent_id;
    if (!agent) throw badCall('a webhook secret is encrypted for an agent: give its agent_id');
    const [{ agent_id }, seatKey] = await Promise.all([
      this.calls.get<o.Agent>(`/v1/agents/${segment(agent)}`),
      seatKeyHex(this.calls),
    ]);
    if (!seatKey) throw badCall('this node has no seat to encrypt a webhook secret to');
    const key = fromHex(seatKey) ?? new Uint8Array();
    const sealed = sealWebhookSecret(key, agent_id, secret, (n) => this.calls.randomBytes(n));
    return { ...body, webhook_secret: sealed };
  }
}

const idsOf = (event: Parameters<Rebuild<unknown>>[0]) => ({
  event_id: event.event_id,
  agent_id: event.agent_id,
});

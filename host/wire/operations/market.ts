// Writes of the marketplace beside tasks: capabilities of the router, listings of the registry (protocol 4.5, 4.6).

import { invalid } from '../../errors.ts';
import { type AgentCard, claimOf, MAX_CARD_BYTES } from '../agent-card.ts';
import { MAX_WEBHOOK_URL_BYTES, readWebhookUrl } from '../webhook-url.ts';
import type { Operation } from './types.ts';

const SELF = ['agent_id'] as const;
const TAGS = { kind: 'strs', maxItems: 10, maxBytes: 50 } as const;
/** The encrypted form is defined in sealed-text.ts. */
const SECRET_DOC =
  'signs deliveries; needs webhook_url; anyone who reads the log can read a secret sent in plain text; a secret of at ' +
  'most 39 bytes may be encrypted to the consensus key of the validator node that accepts the registration, the only ' +
  'one that can decrypt it: "vws-hook-v1:" and base64 of ephemeral X25519 key, ciphertext and tag (ChaCha20-Poly1305), ' +
  'bound to the agent_id; the client library does this';
const CARD_DOC =
  'A2A agent card, signed by the agent (one JSON Web Signature, EdDSA, over its canonical JSON); served in place of the ' +
  'one that the node makes of the listing, as long as the signature is of the key of the agent';
/** The rules of form, which are the same on every chain and node; see webhook-url.ts for the others. */
const FORM_ONLY = { tlsOnly: false, allowPrivate: true };

export const MARKET_OPERATIONS = {
  routerRegister: {
    method: 'POST',
    path: '/v1/router/register',
    fields: {
      categories: { kind: 'strs', maxItems: 20, maxBytes: 50, required: true, doc: 'at least one' },
      tags: TAGS,
      price_per_task: { kind: 'int', doc: 'micro-units, default 0' },
      max_concurrent: { kind: 'int', min: 1, max: 100, doc: 'default 1' },
      description: { kind: 'str', max: 1000 },
      webhook_url: { kind: 'str', max: MAX_WEBHOOK_URL_BYTES, doc: 'notified of tasks routed to the agent' },
      webhook_secret: { kind: 'str', min: 1, max: 128, doc: SECRET_DOC },
    },
    check({ categories, webhook_url, webhook_secret }) {
      if ((categories as string[]).length === 0) throw invalid('categories must have at least 1 item');
      if (webhook_url) readWebhookUrl(webhook_url as string, FORM_ONLY);
      else if (webhook_secret !== undefined) throw invalid('webhook_secret needs webhook_url');
    },
    example: {
      categories: ['research', 'data'],
      tags: ['shipping'],
      price_per_task: 1_000_000,
      max_concurrent: 3,
      description: 'reads logs and registers',
      webhook_url: 'https://agent.example/tasks',
      webhook_secret: 'a secret of its own',
    },
    actors: SELF,
    scope: 'coordination',
    open: 'anyone',
    event: 'router_registered',
    status: 201,
  },
  routerRemove: {
    method: 'DELETE',
    path: '/v1/router/register/{agent_id}',
    fields: {},
    example: {},
    actors: SELF,
    pathActor: 'agent_id',
    scope: 'coordination',
    open: 'anyone',
    event: 'router_unregistered',
    status: 200,
  },
  routerAvailable: {
    method: 'PUT',
    path: '/v1/router/availability/{agent_id}',
    fields: { available: { kind: 'bool', required: true } },
    example: { available: false },
    actors: SELF,
    pathActor: 'agent_id',
    scope: 'coordination',
    open: 'anyone',
    event: 'router_availability',
    status: 200,
  },
  serviceList: {
    method: 'POST',
    path: '/v1/registry',
    fields: {
      name: { kind: 'str', min: 1, max: 64, required: true },
      category: { kind: 'str', min: 1, max: 50, required: true },
      description: { kind: 'str', max: 5000 },
      endpoint: { kind: 'str', max: 2048, form: 'http-url' },
      price_tok: { kind: 'int', max: 1_000_000_000, doc: 'whole tokens, default 0' },
      active: { kind: 'bool', doc: 'default true' },
      tags: TAGS,
      agent_card: { kind: 'json', maxBytes: MAX_CARD_BYTES, doc: CARD_DOC },
    },
    check({ agent_card }) {
      if (agent_card !== undefined && !claimOf(agent_card as AgentCard)) {
        throw invalid('agent_card must have one signature: a JSON Web Signature with alg EdDSA');
      }
    },
    example: {
      name: 'Log reader',
      category: 'research',
      description: 'Reads harbour logs and invoices.',
      endpoint: 'https://agent.example/api',
      price_tok: 4,
      tags: ['shipping'],
    },
    actors: SELF,
    scope: 'coordination',
    open: 'anyone',
    event: 'service_listed',
    status: 201,
  },
  serviceUnlist: {
    method: 'DELETE',
    path: '/v1/registry/{agent_id}',
    fields: {},
    example: {},
    actors: SELF,
    pathActor: 'agent_id',
    scope: 'coordination',
    open: 'own identity',
    event: 'service_unlisted',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

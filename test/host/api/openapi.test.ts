import { describe, expect, it } from 'vitest';
import { renderDocs } from '../../../host/api/docs.ts';
import { escapeHtml } from '../../../host/api/html.ts';
import { checkObject } from '../../../host/api/object-schema.ts';
import { OBJECTS } from '../../../host/api/objects.ts';
import { buildOpenApi } from '../../../host/api/openapi.ts';
import { sampleOf } from '../../../host/api/openapi-examples.ts';
import type { Route } from '../../../host/api/route.ts';
import { ROUTES as ALL } from '../../../host/api/routes.ts';
import { ERRORS } from '../../../host/errors.ts';
import { EVENT_TYPES } from '../../../host/store/event-types.ts';
import { readFields } from '../../../host/wire/fields.ts';
import { OPERATIONS, type Operation } from '../../../host/wire/operations.ts';
import { fillPlaceholders, PLACEHOLDERS, placeholderIn } from '../../../host/wire/placeholders.ts';

const handle = () => ({ body: null });
const ROUTES: Route<null>[] = [
  {
    method: 'GET',
    path: '/v1/agents/leaderboard',
    id: 'agents_leaderboard',
    summary: 'Top <agents>',
    query: [
      { kind: 'enum', name: 'sort', values: ['reputation', 'tasks'], default: 'reputation' },
      { kind: 'page' },
    ],
    reply: 'LeaderboardRow[]',
    handle,
  },
  {
    method: 'GET',
    path: '/v1/agents/{id}/balance',
    id: 'agents_balance',
    summary: 'Balance',
    reply: 'Balance',
    errors: ['agent_not_found'],
    handle,
  },
  {
    method: 'GET',
    path: '/metrics',
    id: 'network_metrics',
    summary: 'Metrics',
    reply: 'text',
    exempt: true,
    handle,
  },
  {
    method: 'POST',
    path: '/v1/transfer',
    id: 'transactions_transfer',
    summary: 'Pay',
    operation: 'transfer',
    reply: 'TransferResult',
    errors: ['trust_limit_exceeded', 'insufficient_balance'],
    limit: 'transfer',
  },
  {
    method: 'POST',
    path: '/v1/agents',
    id: 'agents_register',
    summary: 'Register',
    operation: 'register',
    reply: 'RegistrationResult',
    limit: 'agents',
  },
];
const api = buildOpenApi(ROUTES, '0.1.0-testnet');

/** All local references of a document. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => (key === '$ref' ? [one as string] : references(one)));
}

describe('the API description', () => {
  it('is OpenAPI 3.1 with every route', () => {
    expect(api.openapi).toMatch(/^3\.1/);
    expect(api.info.version).toBe('0.1.0-testnet');
    for (const { method, path } of ROUTES) expect(api.paths[path]![method.toLowerCase()]).toBeDefined();
    const ids = Object.values(api.paths).flatMap((item) => Object.values(item).map((doc) => doc.operationId));
    expect(new Set(ids).size).toBe(ROUTES.length);
    expect(api.servers).toEqual([{ url: '/', description: 'this node' }]);
  });

  it('names each operation once, by its group and a word that programs can use', () => {
    const { paths, tags } = buildOpenApi(ALL, '1');
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const ids = operations.map((doc) => doc.operationId);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    for (const { operationId, tags: own } of operations) {
      expect(operationId).toMatch(new RegExp(`^${own[0]}_[a-z]+(_[a-z]+)*$`));
    }
    expect(paths['/v1/tasks/{id}/claim']!.post!.operationId).toBe('tasks_claim');
    expect(new Set(operations.flatMap((doc) => doc.tags))).toEqual(new Set(tags.map(({ name }) => name)));
  });

  it('refers only to what it holds', () => {
    for (const ref of references(api)) {
      expect(api.components.schemas[ref.replace('#/components/schemas/', '')], ref).toBeDefined();
    }
    const schemes = Object.keys(api.components.securitySchemes);
    for (const item of Object.values(api.paths)) {
      for (const doc of Object.values(item)) {
        for (const rule of doc.security)
          for (const name of Object.keys(rule)) expect(schemes).toContain(name);
      }
    }
  });

  it('describes a list: parameters, headers, items', () => {
    const doc = api.paths['/v1/agents/leaderboard']!.get!;
    expect(doc.parameters!.map((p) => p.name)).toEqual([
      ...['sort', 'page', 'per_page', 'limit'],
      'X-Service-Min-Order',
    ]);
    expect(doc.parameters![0]!.schema).toEqual({
      type: 'string',
      enum: ['reputation', 'tasks', ''],
      default: 'reputation',
    });
    expect(Object.keys(doc.responses['200']!.headers!)).toEqual([
      ...['X-Service-Order', 'X-Service-Behind'],
      ...['X-Total-Count', 'X-Service-History-From', 'Link'],
    ]);
    expect(doc.responses['200']!.content!['application/json']!.schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/LeaderboardRow' },
    });
    expect(Object.keys(doc.responses)).toEqual(['200', '400', '414', '429', '431', '503']);
  });

  it('describes a read: path parameters and its own errors', () => {
    const doc = api.paths['/v1/agents/{id}/balance']!.get!;
    expect(doc.parameters!.slice(0, -1)).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: '{agent_id}' },
    ]);
    expect(doc.responses['404']!.description).toBe('agent_not_found');
    expect(doc.security).toEqual([]);
  });

  it('describes a write: body, status, signing, errors by status', () => {
    const doc = api.paths['/v1/transfer']!.post!;
    const { schema } = doc.requestBody!.content['application/json']!;
    expect(schema).toEqual({ $ref: '#/components/schemas/TransferRequest' });
    expect(doc.requestBody!.required).toBe(true);
    expect(api.components.schemas.TransferRequest).toMatchObject({
      required: ['to_agent', 'amount'],
      properties: { amount: { type: 'integer', minimum: 1 }, from_agent: { type: ['string', 'null'] } },
    });
    expect(Object.keys(doc.responses)).toContain('201');
    expect(Object.keys(doc.security[0]!)).toHaveLength(7);
    expect(doc.security[1]).toEqual({ 'X-API-Key': [] });
    expect(doc.responses['400']!.description).toContain('tx_expired');
    expect(doc.responses['402']!.description).toBe('insufficient_balance');
    expect(doc.description).toContain('120 per agent, 300 per address, 3000 in total');
    expect(api.paths['/v1/agents']!.post!.security).toHaveLength(1);
    expect(api.paths['/v1/agents']!.post!.requestBody!.required).toBe(false);
  });

  it('describes the stream: its handshake, and the data of every type of event', () => {
    const route = { ...ROUTES[2]!, path: '/v1/ws', reply: 'StreamMessage', stream: true } as Route<null>;
    const doc = buildOpenApi([route], '1').paths['/v1/ws']!.get!;
    expect(Object.keys(doc.responses)).toEqual(['101', '414', '429', '431']);
    expect(doc.responses['101']!.content!['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/StreamMessage',
    });
    expect(Object.keys(api['x-stream-data'])).toEqual([...EVENT_TYPES]);
    expect(api['x-stream-data'].transfer).toMatchObject({
      required: ['event_id', 'agent_id', 'from', 'to', 'amount', 'deadline', 'settlement_state'],
      properties: { memo: { type: 'string' } },
    });
  });

  it('holds every error code', () => {
    expect(api['x-error-codes'].map((e) => e.code)).toEqual(Object.keys(ERRORS));
  });

  it('refuses a route whose answer is not a known object', () => {
    const bad = { ...ROUTES[1]!, reply: 'Nothing' } as Route<null>;
    expect(() => buildOpenApi([bad], '1')).toThrow(/no object Nothing/);
  });
});

describe('examples', () => {
  const whole = buildOpenApi(ALL, '1');
  const documented = ALL.map((route) => ({
    at: `${route.method} ${route.path}`,
    doc: whole.paths[route.path]![route.method.toLowerCase()]!,
  }));

  it('are given for every parameter and every body', () => {
    for (const { at, doc } of documented) {
      for (const p of doc.parameters ?? []) expect(p.example, `${at}: ${p.name}`).toBeDefined();
      if (doc.requestBody) expect(doc.requestBody.content['application/json']!.example, at).toBeDefined();
      expect(doc.requestBody !== undefined, at).toBe(!at.startsWith('GET '));
    }
  });

  it.each(Object.entries<Operation>(OPERATIONS))(
    'of %s have known members within their limits',
    (_, operation) => {
      expect(readFields(operation.fields, operation.example)).toEqual(operation.example);
      operation.check?.(operation.example);
    },
  );

  it('of parameters are within their schema', () => {
    for (const { at, doc } of documented) {
      for (const { name, schema, example } of doc.parameters ?? []) {
        if (schema.type === 'integer') {
          expect(Number.isInteger(example), `${at}: ${name}`).toBe(true);
          expect(example, at).toBeGreaterThanOrEqual(schema.minimum as number);
          expect(example, at).toBeLessThanOrEqual((schema.maximum as number | undefined) ?? Infinity);
        } else if (schema.enum) expect(schema.enum, `${at}: ${name}`).toContain(example);
      }
    }
  });

  it('have braces only in placeholders of the table, each of which is used', () => {
    const values: unknown[] = [];
    const collect = (value: unknown): void => {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
      else values.push(value);
    };
    for (const { doc } of documented) {
      for (const p of doc.parameters ?? []) collect(p.example);
      if (doc.requestBody) collect(doc.requestBody.content['application/json']!.example);
    }
    const braced = values.filter((value) => typeof value === 'string' && /[{}]/.test(value));
    expect(new Set(braced.map(placeholderIn))).toEqual(new Set(Object.keys(PLACEHOLDERS)));
    expect(whole['x-placeholders']).toEqual(PLACEHOLDERS);
    expect(() => placeholderIn('{nothing}')).toThrow(/no placeholder nothing/);
    expect(fillPlaceholders({ a: ['{task_id}', 1], b: '{x} y' }, (name) => name.toUpperCase())).toEqual({
      a: ['TASK_ID', 1],
      b: '{x} y',
    });
  });

  it.each(Object.keys(OBJECTS))('of the answer %s pass its own check', (name) => {
    expect(checkObject(name, sampleOf(name))).toEqual([]);
    expect(checkObject(`${name}[]`, sampleOf(`${name}[]`))).toEqual([]);
  });
});

/** Hosts that a page would load from or link to. */
const foreign = (html: string) =>
  html.match(/(?:src|href|url\()\s*=?\s*["'(]?(?:https?:)?\/\/[^"')]+/gi) ?? [];

describe('pages', () => {
  const docs = renderDocs(api);

  it('/docs shows each endpoint under an anchor, linked and unique, without scripts or other hosts', () => {
    expect(foreign(docs)).toEqual([]);
    expect(docs).not.toMatch(/<script/i);
    const ids = [...docs.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]!);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of docs.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect(ids).toContain('post-v1-transfer');
    expect(docs).toContain('Top &lt;agents&gt;');
    expect(docs).toContain('POST /v1/transfer\n\n{\n  &quot;to_agent&quot;: &quot;{agent_id}&quot;');
    expect(docs).toContain('GET /v1/agents/{agent_id}/balance');
    for (const code of Object.keys(ERRORS)) expect(docs).toContain(`<code>${code}</code>`);
    for (const type of EVENT_TYPES) expect(docs).toContain(`<h3>${type}</h3>`);
  });

  it('/docs says of each read what confirms its answer', () => {
    const sections = docs.split('<section').filter((text) => text.includes('GET /'));
    const words = { checked: /An audit computes this again/, proven: /a quorum of the validators signed/ };
    let count = 0;
    for (const [path, { get }] of Object.entries(api.paths)) {
      if (!get) continue;
      count += 1;
      const shown = get['x-shown'] as keyof typeof words;
      const section = sections.find((text) => text.includes(`>${path}</a>`));
      expect(section, path).toMatch(words[shown] ?? /This is what the node says/);
    }
    expect(count).toBeGreaterThan(0);
  });

  it('text never becomes markup', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
  });
});

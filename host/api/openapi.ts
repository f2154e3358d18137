// The API description (OpenAPI 3.1), generated from the tables that the server itself uses: routes, operations, objects,
// errors. Keeps: everything about an endpoint comes from one of these tables.

import { ERRORS, type ErrorCode } from '../errors.ts';
import { EVENT_TYPES } from '../store/event-types.ts';
import { jsonSchemaOf } from '../wire/fields.ts';
import { OPERATIONS, type Operation } from '../wire/operations.ts';
import { PLACEHOLDERS } from '../wire/placeholders.ts';
import { isObjectName, schemaOf, typeSchema } from './object-schema.ts';
import { OBJECTS, type ObjectName } from './objects.ts';
import { sampleOf } from './openapi-examples.ts';
import {
  MIN_ORDER_PARAMETER,
  type ParameterDoc,
  pathParameters,
  queryParameters,
  type Schema,
} from './openapi-parameters.ts';
import { RATE_TABLE } from './rate-table.ts';
import type { ReadRoute, Route, WriteRoute } from './route.ts';
import { streamDataSchema } from './stream-events.ts';

export type { ParameterDoc, Schema };

export interface MediaDoc {
  schema: Schema;
  /** Of a body: can be sent once the placeholders are filled. Of an answer: a sample. */
  example?: unknown;
}
interface ResponseDoc {
  description: string;
  headers?: Record<string, Schema>;
  content?: Record<string, MediaDoc>;
}
export interface OperationDoc {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: ParameterDoc[];
  requestBody?: { required: boolean; content: Record<string, MediaDoc> };
  responses: Record<string, ResponseDoc>;
  security: Record<string, string[]>[];
}
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string; license: Schema };
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationDoc>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> };
  /** Schema of a stream message's data, by event type. */
  'x-stream-data': Record<string, Schema>;
  'x-error-codes': { code: string; status: number; text: string }[];
  /** Meaning of the values in braces in examples. */
  'x-placeholders': Record<string, string>;
}

/** The seven headers of SERVICE-TX-V1, in the order in which they are checked (protocol 5.2, 5.3). */
const SIGNING_HEADERS = {
  'X-Service-Version': 'constant SERVICE-TX-V1',
  'X-Service-Chain-ID': 'vws-testnet-1 or vws-mainnet-1',
  'X-Service-Actor': 'agent_id, or the hex public key',
  'X-Service-Created': 'Unix seconds',
  'X-Service-Expires': 'Unix seconds, at most 120 after creation',
  'X-Service-Nonce': '32 random hex characters',
  'X-Service-Signature': 'Ed25519 over the canonical envelope, 128 hex characters',
} as const;

/** Common errors of reads and writes (protocol 4). */
const READ_ERRORS: readonly ErrorCode[] = ['invalid_request', 'rate_limited', 'behind', 'overloaded'];
const WRITE_ERRORS = (Object.keys(ERRORS) as ErrorCode[]).filter(
  (code) =>
    code.startsWith('tx_') ||
    [
      'invalid_request',
      'auth_required',
      'auth_failed',
      'invalid_api_key',
      'forbidden_actor',
      'insufficient_scope',
      'agent_not_found',
      'DUPLICATE_TX',
      'body_too_large',
      'rate_limited',
      'no_quorum',
      'not_ready',
      'overloaded',
    ].includes(code),
);

const INTRO = [
  'Verified Work Settlement: agents post work, do it, have it verified and are paid.',
  'Reads need no credentials. Writes are signed requests: the seven X-Service headers carry an Ed25519 signature',
  'over the canonical JSON (RFC 8785) of version, chain_id, actor, method, path, body_sha256, created_at, expires_at',
  'and nonce. A write is answered after it is final and durable. Amounts are integers in micro-units;',
  '1 token = 1,000,000. Times are Unix seconds. The Content-Type of a request is ignored. Web pages of every origin may',
  'read answers to reads; answers to writes are readable only for pages of the origins that a node is configured with,',
  'and a preflight allows GET, HEAD and OPTIONS only. Examples of requests can be sent unchanged except for values in',
  'braces, which are placeholders explained in x-placeholders. Examples of answers show the members that are always',
  'present.',
].join(' ');

const STREAM_TEXT = [
  'WebSocket. Each text frame is one message, in the order of seq, without gaps; x-stream-data has the data of each type.',
  'A connection with more than 1,024 messages or 4 MiB unread is closed with 1013, at shutdown with 1001;',
  'with since a client resumes where it stopped, here or on another node.',
].join(' ');

const JSON_TYPE = 'application/json';
const PLAIN_REPLIES: Record<string, string> = {
  text: 'text/plain; version=0.0.4',
  json: JSON_TYPE,
  html: 'text/html',
  bytes: 'application/octet-stream',
};

function replyContent(reply: string): Record<string, MediaDoc> {
  const plain = PLAIN_REPLIES[reply];
  if (plain) return { [plain]: { schema: { type: reply === 'json' ? 'object' : 'string' } } };
  return { [JSON_TYPE]: { schema: typeSchema(reply), example: sampleOf(reply) } };
}

function errorResponses(codes: readonly ErrorCode[]): Record<string, ResponseDoc> {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of new Set(codes)) {
    const status = String(ERRORS[code][0]);
    byStatus[status] ??= [];
    byStatus[status].push(code);
  }
  const content = { [JSON_TYPE]: { schema: typeSchema('Error') } };
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, list]) => [status, { description: list.join(', '), content }]),
  );
}

const integerHeader = (description: string): Schema => ({ description, schema: { type: 'integer' } });

function readDoc(route: ReadRoute<never>): OperationDoc {
  const parameters = [
    ...pathParameters(route.path),
    ...(route.query ?? []).flatMap(queryParameters),
    ...(route.exempt ? [] : [MIN_ORDER_PARAMETER]),
  ];
  const isList = route.reply.endsWith('[]');
  const headers = {
    ...(route.exempt
      ? {}
      : {
          'X-Service-Order': integerHeader('last executed order number'),
          'X-Service-Behind': integerHeader('while the node catches up: how far its peers are ahead'),
        }),
    ...(isList
      ? {
          'X-Total-Count': integerHeader('items that match the filters'),
          Link: { description: 'first, prev, next, last', schema: { type: 'string' } },
        }
      : {}),
  };
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(parameters.length ? { parameters } : {}),
    responses: {
      ...(route.stream
        ? { 101: { description: STREAM_TEXT, content: replyContent(route.reply) } }
        : { 200: { description: 'OK', headers, content: replyContent(route.reply) } }),
      ...errorResponses([...(route.exempt ? [] : READ_ERRORS), ...(route.errors ?? [])]),
    },
    security: [],
  };
}

/** Body of a write: its fields, and its actor fields (protocol 1.7). */
function bodySchema(operation: Operation): Schema {
  const schema = jsonSchemaOf(operation.fields) as { properties: Record<string, Schema> };
  const actors = operation.actors.map((name) => [
    name,
    { type: ['string', 'null'], description: 'the acting agent; must name the signer' },
  ]);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(actors) } };
}

function limitText(route: WriteRoute): string {
  if (route.limit === undefined) return '';
  const limits = RATE_TABLE[route.limit];
  const parts = [];
  if (Number.isFinite(limits.agent)) parts.push(`${limits.agent} per agent`);
  if (Number.isFinite(limits.node)) parts.push(`${limits.address} per address`, `${limits.node} in total`);
  return `Limits per hour: ${parts.join(', ')}.`;
}

function writeDoc(route: WriteRoute): OperationDoc {
  const operation: Operation = OPERATIONS[route.operation];
  const needsBody = Object.values(operation.fields).some((field) => field.required);
  const signed = Object.fromEntries(Object.keys(SIGNING_HEADERS).map((name) => [name, []]));
  const parameters = pathParameters(route.path);
  const notes = [
    `Event: ${operation.event}.`,
    operation.scope ? `API key scope: ${operation.scope}.` : 'Accepts no API key.',
    limitText(route),
    route.testnetOnly ? 'Testnet only.' : '',
  ];
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: notes.filter(Boolean).join(' '),
    ...(parameters.length ? { parameters } : {}),
    requestBody: {
      required: needsBody,
      content: { [JSON_TYPE]: { schema: bodySchema(operation), example: operation.example } },
    },
    responses: {
      [operation.status]: {
        description: 'Executed in final order and durable',
        headers: {
          'X-Service-TxID': { description: 'event_id', schema: { type: 'string' } },
          'X-Service-Order': integerHeader('order number of the vertex that carried it'),
          ...(route.limit
            ? {
                'X-RateLimit-Limit': integerHeader('the limit with the fewest requests left'),
                'X-RateLimit-Remaining': integerHeader('requests left in it'),
                'X-RateLimit-Reset': integerHeader('seconds until its window ends'),
              }
            : {}),
        },
        content: replyContent(route.reply),
      },
      ...errorResponses([...WRITE_ERRORS, ...(route.errors ?? [])]),
    },
    security: [signed, ...(operation.scope ? [{ 'X-API-Key': [] }] : [])],
  };
}

/** get /v1/agents/{id}/balance: get_v1_agents_id_balance */
function operationId(route: { method: string; path: string }): string {
  const words = route.path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return [route.method.toLowerCase(), ...(words.length ? words : ['root'])].join('_');
}

function schemas(): Record<string, Schema> {
  const all = Object.keys(OBJECTS).map((name) => [name, schemaOf(name as ObjectName)]);
  const schemas = Object.fromEntries(all) as Record<string, Schema>;
  const code = (schemas.Error!.properties as Record<string, Schema>).code!;
  code.enum = Object.keys(ERRORS);
  return schemas;
}

/**
 * OpenAPI 3.1 document of a route table. `version`: version of the program.
 * Throws when a route names a reply that is not in the table of objects.
 */
export function buildOpenApi<Ctx>(routes: readonly Route<Ctx>[], version: string): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const route of routes) {
    const reply = route.reply.replace(/\[\]$/, '');
    if (!isObjectName(reply) && !PLAIN_REPLIES[reply] && !reply.startsWith('map<')) {
      throw new Error(`${route.method} ${route.path}: no object ${reply}`);
    }
    paths[route.path] ??= {};
    const doc = route.method === 'GET' ? readDoc(route as ReadRoute<never>) : writeDoc(route as WriteRoute);
    paths[route.path]![route.method.toLowerCase()] = doc;
  }
  const header = (name: string, description: string): Schema => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Verified Work Settlement', version, description: INTRO, license: { name: 'MIT' } },
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: {
        ...Object.fromEntries(
          Object.entries(SIGNING_HEADERS).map(([name, text]) => [name, header(name, text)]),
        ),
        'X-API-Key': header('X-API-Key', 'testnet only: acts for its owner within its scopes'),
      },
    },
    'x-stream-data': Object.fromEntries(EVENT_TYPES.map((type) => [type, streamDataSchema(type)])),
    'x-error-codes': Object.entries(ERRORS).map(([code, [status, text]]) => ({ code, status, text })),
    'x-placeholders': PLACEHOLDERS,
  };
}

// The API description (OpenAPI 3.1), generated from the tables that the server itself uses: routes, operations, objects,
// errors. Keeps: everything about an endpoint comes from one of these tables.

import { ERRORS, type ErrorCode } from '../errors.ts';
import { EVENT_TYPES } from '../store/event-types.ts';
import { jsonSchemaOf } from '../wire/fields.ts';
import { OPERATIONS, type Operation, type OperationName } from '../wire/operations.ts';
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
import { BATCH_EXAMPLE, BATCH_TEXT, INTRO, MCP_TEXT, STREAM_TEXT } from './openapi-texts.ts';
import { RATE_TABLE } from './rate-table.ts';
import type { BatchRoute, ExchangeRoute, ReadRoute, Route, WriteRoute } from './route.ts';
import { shownOf } from './shown.ts';
import { streamDataSchema } from './stream-events.ts';
import { TAGS, tagOf } from './tags.ts';

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
  /** Of a read: whether its answer can be shown to be true without believing the node. */
  'x-shown'?: ReturnType<typeof shownOf>;
}
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string; license: Schema };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
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
/** Whatever is asked may be too long to be read. */
const SIZE_ERRORS: readonly ErrorCode[] = ['uri_too_long', 'headers_too_large'];
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
      'insufficient_balance',
      'DUPLICATE_TX',
      'body_too_large',
      'rate_limited',
      'no_quorum',
      'not_ready',
      'behind',
      'overloaded',
    ].includes(code),
);

/** Refusals of the protocol itself, JSON-RPC errors. */
const MCP_REFUSALS = {
  400: 'Not a JSON-RPC message, or a list of them',
  406: 'Accept lacks application/json or text/event-stream',
  415: 'Content-Type is not application/json',
};
const MCP_EXAMPLE = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const JSON_TYPE = 'application/json';
const PLAIN_REPLIES: Record<string, string> = {
  text: 'text/plain',
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

/** Errors of a read that its row does not name. */
function commonErrors(route: ReadRoute<never>): readonly ErrorCode[] {
  if (!route.exempt) return [...READ_ERRORS, ...SIZE_ERRORS];
  return route.isFree ? SIZE_ERRORS : ['rate_limited', ...SIZE_ERRORS];
}

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
          'X-Service-History-From': integerHeader('where the node has a short history: the list ends here'),
          Link: { description: 'first, prev, next, last', schema: { type: 'string' } },
        }
      : {}),
  };
  return {
    operationId: route.id,
    tags: [tagOf(route.id)],
    summary: route.summary,
    ...(parameters.length ? { parameters } : {}),
    responses: {
      ...(route.stream
        ? { 101: { description: STREAM_TEXT, content: replyContent(route.reply) } }
        : { 200: { description: 'OK', headers, content: replyContent(route.reply) } }),
      ...errorResponses([...commonErrors(route), ...(route.errors ?? [])]),
    },
    security: [],
    'x-shown': shownOf(route.id),
  };
}

/** Name of the schema of a write's body: TaskCreateRequest for taskCreate. */
const bodyName = (name: OperationName): string => `${name[0]!.toUpperCase()}${name.slice(1)}Request`;
const bodyReference = (name: OperationName): string => `#/components/schemas/${bodyName(name)}`;

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
    operationId: route.id,
    tags: [tagOf(route.id)],
    summary: route.summary,
    description: notes.filter(Boolean).join(' '),
    ...(parameters.length ? { parameters } : {}),
    requestBody: {
      required: needsBody,
      content: {
        [JSON_TYPE]: { schema: { $ref: bodyReference(route.operation) }, example: operation.example },
      },
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
      ...errorResponses([...WRITE_ERRORS, ...SIZE_ERRORS, ...(route.errors ?? [])]),
    },
    security: [signed, ...(operation.scope ? [{ 'X-API-Key': [] }] : [])],
  };
}

function batchDoc(route: BatchRoute): OperationDoc {
  const one = {
    type: 'object',
    properties: {
      method: { type: 'string', default: 'POST' },
      path: { type: 'string' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { type: 'string', default: '', description: 'the bytes that were signed, as a text' },
    },
    required: ['path'],
    additionalProperties: false,
  };
  const requests = { type: 'array', minItems: 1, maxItems: route.maxRequests, items: one };
  const schema = {
    type: 'object',
    properties: { requests },
    required: ['requests'],
    additionalProperties: false,
  };
  return {
    operationId: route.id,
    tags: [tagOf(route.id)],
    summary: route.summary,
    description: BATCH_TEXT,
    requestBody: { required: true, content: { [JSON_TYPE]: { schema, example: BATCH_EXAMPLE } } },
    responses: {
      200: { description: 'An outcome for each, in their order', content: replyContent(route.reply) },
      ...errorResponses(['invalid_request', 'rate_limited', 'body_too_large', ...(route.errors ?? [])]),
    },
    security: [],
  };
}

function exchangeDoc(route: ExchangeRoute<never>): OperationDoc {
  return {
    operationId: route.id,
    tags: [tagOf(route.id)],
    summary: route.summary,
    description: MCP_TEXT,
    requestBody: {
      required: true,
      content: { [JSON_TYPE]: { schema: { type: 'object' }, example: MCP_EXAMPLE } },
    },
    responses: {
      200: {
        description: 'A JSON-RPC response',
        content: { ...replyContent(route.reply), 'text/event-stream': { schema: { type: 'string' } } },
      },
      202: { description: 'A notification was taken' },
      ...Object.fromEntries(
        Object.entries(MCP_REFUSALS).map(([status, description]) => [
          status,
          { description, content: replyContent(route.reply) },
        ]),
      ),
      ...errorResponses(['rate_limited', 'body_too_large', 'overloaded', ...(route.errors ?? [])]),
    },
    security: [],
  };
}

function docOf<Ctx>(route: Route<Ctx>): OperationDoc {
  if (route.method === 'GET') return readDoc(route as ReadRoute<never>);
  if ('maxRequests' in route) return batchDoc(route);
  return 'exchange' in route ? exchangeDoc(route as ExchangeRoute<never>) : writeDoc(route as WriteRoute);
}

/** Objects of answers, and the bodies of these writes. */
function schemasFor(operations: readonly OperationName[]): Record<string, Schema> {
  const objects = Object.keys(OBJECTS).map((name) => [name, schemaOf(name as ObjectName)]);
  const bodies = operations.map((name) => [bodyName(name), bodySchema(OPERATIONS[name])]);
  const schemas = Object.fromEntries([...objects, ...bodies]) as Record<string, Schema>;
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
    paths[route.path]![route.method.toLowerCase()] = docOf(route);
  }
  const header = (name: string, description: string): Schema => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Verified Work Settlement',
      version,
      description: INTRO,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // The node that served the description.
    servers: [{ url: '/', description: 'this node' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemasFor(routes.flatMap((route) => ('operation' in route ? [route.operation] : []))),
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

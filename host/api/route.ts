// The row type of the route table (routes.ts), and the arguments and results of handlers.
// Handlers are plain synchronous functions without socket or framework, so tests call them directly.

import type { ErrorCode } from '../errors.ts';
import type { OperationName } from '../wire/operations.ts';
import type { HttpRequest } from '../world/http.ts';
import type { RateRow } from './rate-table.ts';
import type { RouteId } from './tags.ts';

/** Longest body of a request, in bytes, where its route has no limit of its own. Source: protocol 8.2. */
export const DEFAULT_BODY_BYTES = 65_536;

/** Query parameters of a GET, for checking and for the API description. `page`: page, per_page, limit. */
export type QueryParam =
  /** `size`: items of a page when the query says nothing; default 50. */
  | { kind: 'page'; size?: number }
  /** A value above `max` is lowered to it, or refused if `strict`. */
  | {
      kind: 'int';
      name: string;
      min: number;
      max: number;
      strict?: boolean;
      default?: number;
      doc?: string;
    }
  | { kind: 'enum'; name: string; values: readonly string[]; default?: string; doc?: string }
  | { kind: 'text'; name: string; required?: boolean; doc?: string };

export interface ReadArgs {
  /** Decoded path parameters by name. */
  path: Readonly<Record<string, string>>;
  /** Checked values; absent parameters without a default are missing. */
  query: Readonly<Record<string, string | number>>;
  /** Offset and size of the requested page; only on routes with a `page` parameter. */
  page: Readonly<{ number: number; size: number; offset: number }>;
  /** The Host header, lower case; absent for reads of the node itself. */
  host?: string;
}

export interface Reply {
  status?: number;
  body: unknown;
  /** Set on lists: number of items that match the filters; yields X-Total-Count and Link. */
  total?: number;
  /** Items of this page, where the body has fewer because it would take too long to read all. */
  wanted?: number;
  headers?: Record<string, string>;
  /** Default application/json; charset=utf-8. If set, the body is text or bytes and is sent unchanged. */
  contentType?: string;
  /** Compressed with gzip for clients that accept it. */
  compress?: boolean;
}

export interface ReadRoute<Ctx> {
  method: 'GET';
  path: string;
  /** operationId of the API description. */
  id: RouteId;
  summary: string;
  query?: readonly QueryParam[];
  /** Name of the object in objects.ts, with [] for a list. */
  reply: string;
  errors?: readonly ErrorCode[];
  /** Not about the state: without X-Service-Order, and paid as a page (protocol 8.3). */
  exempt?: boolean;
  /** Never refused for what it costs. */
  isFree?: boolean;
  /** A WebSocket handshake opens a stream; `reply` is then the object in its messages. */
  stream?: boolean;
  handle(ctx: Ctx, args: ReadArgs): Reply;
}

export interface WriteRoute {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** operationId of the API description. */
  id: RouteId;
  summary: string;
  operation: OperationName;
  reply: string;
  errors?: readonly ErrorCode[];
  /** Row of the rate table in rate-table.ts; undefined: only the common limits apply. */
  limit?: RateRow;
  /** Largest body in bytes; default 65,536 (protocol 8.2). */
  maxBodyBytes?: number;
  /** Answers 404 not_found on mainnet. */
  testnetOnly?: boolean;
}

/** A request of another protocol that comes as a POST and only reads; it is paid and takes turns as reads do. */
export interface ExchangeRoute<Ctx> {
  method: 'POST';
  path: string;
  id: RouteId;
  summary: string;
  reply: 'json';
  errors?: readonly ErrorCode[];
  /** Largest body in bytes. */
  maxBodyBytes: number;
  exchange(ctx: Ctx, request: HttpRequest): Promise<Reply>;
}

/** Many writes in one request, each with its own headers, each answered as if it had come alone. */
export interface BatchRoute {
  method: 'POST';
  path: string;
  id: RouteId;
  summary: string;
  /** Name of the object that lists the outcomes. */
  reply: string;
  errors?: readonly ErrorCode[];
  /** Writes in one request at most. */
  maxRequests: number;
  /** Largest body in bytes. */
  maxBodyBytes: number;
}

export type Route<Ctx> = ReadRoute<Ctx> | WriteRoute | ExchangeRoute<Ctx> | BatchRoute;

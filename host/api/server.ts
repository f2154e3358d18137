// Dispatches requests in the order of DECISIONS 1.6: sizes and per-IP limits, authentication, agent limits, routing,
// fields, actor, then the pipeline. Knows no socket (drivers do) and no rule of the ledger (the core does).
// Keeps: every answer is JSON with a code from the catalogue unless a page or text was asked for; nothing throws out.

import type { TxOutcome } from '../core/outcomes.ts';
import { invalid, ServiceError } from '../errors.ts';
import { checkActors } from '../execution/translate.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { EntryInput } from '../ordering/block.ts';
import { prepare } from '../sequencer/prepare.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { replyOf } from '../views/replies.ts';
import { toHex } from '../wire/bytes.ts';
import { encodeEntry } from '../wire/entry.ts';
import { checkJson } from '../wire/json.ts';
import { OPERATIONS, parseOperation } from '../wire/operations.ts';
import { readWebhookUrl, type WebhookPolicy } from '../wire/webhook-url.ts';
import type { World } from '../world/world.ts';
import { type AuthContext, type Authenticated, authenticate, issueKey } from './auth.ts';
import type { ClientIp } from './client-ip.ts';
import type { ReadContext } from './context.ts';
import type { HttpReply, HttpRequest, HttpService, StreamOpener } from './http.ts';
import { packed, takesGzip } from './packing.ts';
import { pageHeaders, readQuery } from './query.ts';
import { type RateLimiter, type RateRow, type RateState, rateHeaders } from './rate-limits.ts';
import type { ReadRoute, Reply, Route, WriteRoute } from './route.ts';
import { type Found, Router } from './router.ts';
import type { StaticFiles } from './static-files.ts';
import type { StreamHub, StreamQuery } from './stream-hub.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_BODY_BYTES = 65_536;
/** What does not count towards all writes of an agent (DECISIONS 8.1). */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'register',
  'verify',
  'challengeVote',
  'replaySubmit',
  'replayOutcome',
]);
/** What pages of other origins may read of an answer besides its body. */
const EXPOSED = {
  'Access-Control-Expose-Headers':
    'X-Service-Order, X-Service-TxID, X-Total-Count, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};
const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE']);

export interface ServerOptions {
  routes: readonly Route<ReadContext>[];
  reads: ReadContext;
  auth: AuthContext;
  pipeline: Sequencer;
  limiter: RateLimiter;
  stream: StreamHub;
  /** The explorer page; what is here goes before the routes. */
  files: Pick<StaticFiles, 'find'>;
  clientIp: ClientIp;
  corsOrigins: readonly string[];
  /** Where webhooks registered here may point. */
  webhooks: WebhookPolicy;
  metrics: Metrics;
  log: Logger;
  monotonicMs(): number;
  gzip: World['gzip'];
}

/** What of a write is known so far, for its answer's headers and error body. */
interface WriteTrace {
  txid: string | undefined;
  headers: Record<string, string>;
  rates: RateState[];
}

export class Server implements HttpService {
  readonly #router: Router<ReadContext>;

  constructor(private readonly o: ServerOptions) {
    this.#router = new Router(o.routes);
  }

  maxBodyBytes(method: string, path: string): number {
    const found = this.#find(method, path);
    const route = found.kind === 'route' ? found.route : undefined;
    return route && route.method !== 'GET' ? (route.maxBodyBytes ?? DEFAULT_BODY_BYTES) : DEFAULT_BODY_BYTES;
  }

  refusal(code: 'body_too_large' | 'uri_too_long' | 'headers_too_large' | 'invalid_request'): HttpReply {
    return this.#error(new ServiceError(code), {});
  }

  /** Streams are counted by address, not by the read limit (DECISIONS 8.1, 8.2). */
  upgrade(req: HttpRequest): HttpReply | StreamOpener | undefined {
    const found = this.#find(req.method, req.path);
    if (found.kind !== 'route' || !(found.route as ReadRoute<ReadContext>).stream) return undefined;
    const route = found.route as ReadRoute<ReadContext>;
    const started = this.o.monotonicMs();
    const count = (status: number): void =>
      this.o.metrics.request(req.method, route.path, status, this.o.monotonicMs() - started);
    try {
      const { query } = readQuery(route.query ?? [], req.query);
      const opener = this.o.stream.admit(this.o.clientIp.of(req), query as StreamQuery);
      count(101);
      return opener;
    } catch (error) {
      const reply = this.#error(error, { 'Access-Control-Allow-Origin': '*' });
      count(reply.status);
      return reply;
    }
  }

  handle(req: HttpRequest, send: (reply: HttpReply) => void): void {
    const started = this.o.monotonicMs();
    const found = this.#find(req.method, req.path);
    const template =
      found.kind === 'route' ? found.route.path : found.kind === 'method' ? found.template : 'unmatched';
    const done = (reply: HttpReply): void => {
      this.o.metrics.request(req.method, template, reply.status, this.o.monotonicMs() - started);
      send(reply);
    };
    if (WRITE_METHODS.has(req.method)) {
      void this.#write(req, found).then(done, (error) => done(this.#error(error, {})));
      return;
    }
    if (req.method === 'OPTIONS') {
      done(this.#options());
      return;
    }
    // Files never change while the node runs, so neither limits nor the state concern them.
    const file = this.o.files.find(req);
    if (file) {
      done(file);
      return;
    }
    // While a group is on its way to disk reads wait for it, so that they see one state.
    const { busy } = this.o.pipeline;
    if (busy)
      void busy.then(() => this.#read(req, found)).then(done, (error) => done(this.#error(error, {})));
    else {
      const reply = this.#read(req, found);
      if (reply instanceof Promise) void reply.then(done, (error) => done(this.#error(error, {})));
      else done(reply);
    }
  }

  /** Percent-encoding faults are no route here; the handling path names them. */
  #find(method: string, path: string): Found<ReadContext> {
    try {
      return this.#router.find(method, path);
    } catch {
      return { kind: 'none' };
    }
  }

  #options(): HttpReply {
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
        'Access-Control-Max-Age': '600',
      },
      body: '',
    };
  }

  #read(req: HttpRequest, found: Found<ReadContext>): HttpReply | Promise<HttpReply> {
    const headers: Record<string, string> = { 'Access-Control-Allow-Origin': '*', ...EXPOSED };
    try {
      const exempt = found.kind === 'route' && (found.route as ReadRoute<ReadContext>).exempt === true;
      if (!exempt) this.o.limiter.takeRead(this.o.clientIp.of(req));
      const route = this.#expectRoute(req, found) as ReadRoute<ReadContext>;
      const path = (found as { path: Record<string, string> }).path;
      const { query, page } = readQuery(route.query ?? [], req.query);
      const reply = route.handle(this.o.reads, { path, query, page });
      if (!exempt) headers['X-Service-Order'] = String(this.o.pipeline.order);
      if (reply.total !== undefined)
        Object.assign(headers, pageHeaders(req.path, req.query, page, reply.total));
      Object.assign(headers, reply.headers);
      const isPacked = reply.compress === true && takesGzip(req.header('accept-encoding'));
      const finish = (body: unknown): HttpReply | Promise<HttpReply> => {
        const whole = this.#reply({ ...reply, body }, headers);
        return isPacked ? packed(whole, this.o.gzip) : whole;
      };
      return reply.body instanceof Promise ? reply.body.then(finish) : finish(reply.body);
    } catch (error) {
      return this.#error(error, headers);
    }
  }

  #reply(reply: Reply, headers: Record<string, string>): HttpReply {
    return {
      status: reply.status ?? 200,
      headers: { 'Content-Type': reply.contentType ?? JSON_TYPE, ...headers },
      body:
        reply.contentType === undefined ? JSON.stringify(reply.body) : (reply.body as string | Uint8Array),
    };
  }

  /** Errors: 404 not_found, 405 method_not_allowed, 400 for a path that is not percent-encoded UTF-8. */
  #expectRoute(req: HttpRequest, found: Found<ReadContext>): Route<ReadContext> {
    if (found.kind === 'method') {
      throw new ServiceError('method_not_allowed', { headers: { Allow: found.allow } });
    }
    if (found.kind === 'none') {
      this.#router.find(req.method, req.path);
      throw new ServiceError('not_found');
    }
    return found.route;
  }

  async #write(req: HttpRequest, found: Found<ReadContext>): Promise<HttpReply> {
    const trace: WriteTrace = { txid: undefined, headers: {}, rates: [] };
    const origin = req.header('origin');
    if (origin !== undefined && this.o.corsOrigins.includes(origin)) {
      Object.assign(trace.headers, { 'Access-Control-Allow-Origin': origin, Vary: 'Origin', ...EXPOSED });
    }
    const isTx = req.header('x-service-version') !== undefined || req.header('x-service-actor') !== undefined;
    if (!isTx && req.header('x-service-agent-id') !== undefined) trace.headers.Deprecation = 'true';
    try {
      const reply = await this.#execute(req, found, trace);
      Object.assign(reply.headers, trace.headers, rateHeaders(trace.rates));
      return reply;
    } catch (error) {
      return this.#error(error, { ...trace.headers, ...rateHeaders(trace.rates) }, trace.txid);
    }
  }

  async #execute(req: HttpRequest, found: Found<ReadContext>, trace: WriteTrace): Promise<HttpReply> {
    const row =
      found.kind === 'route' ? ((found.route as WriteRoute).limit as RateRow | undefined) : undefined;
    if (row) trace.rates.push(this.o.limiter.takeIp(row, this.o.clientIp.of(req)));
    const auth = await authenticate(req, this.o.auth);
    const { open, credentials } = auth;
    if (open.entry.scheme !== 'vouched') trace.txid = toHex(open.id);
    this.#takeAgentRates(auth, row, found, trace);
    const route = this.#expectRoute(req, found) as WriteRoute;
    if (route.testnetOnly && !this.o.auth.testnet) throw new ServiceError('not_found');
    if (req.query !== '') throw invalid('a write takes no query string');
    if (open.body.value === undefined) throw invalid('the body is not valid JSON');
    checkJson(open.body.value);
    const { path } = found as { path: Record<string, string> };
    const parsed = parseOperation({ name: route.operation, path }, open.body.value);
    checkActors(parsed, credentials, this.o.auth.ids);
    if (parsed.name === 'routerRegister' && parsed.args.webhook_url) {
      readWebhookUrl(parsed.args.webhook_url, this.o.webhooks);
    }

    const made = parsed.name === 'keyCreate' ? issueKey(open.id, this.o.auth) : undefined;
    if (made) open.entry.keyIssue = made.issue;
    const attachment = made && { keyHash: made.issue.keySha256, node: made.issue.node };
    const { ids } = this.o.auth;
    const owner = credentials.agent ? String(credentials.agent.index) : toHex(credentials.signer ?? open.id);
    const input = prepare(this.o.pipeline, ids, { open, parsed, credentials, attachment, owner });
    const bytes = encodeEntry(open.entry);
    const { outcome, timeSecs } = await this.o.pipeline.submit({ input, bytes, owner });
    return this.#success(input, outcome, timeSecs, made?.text);
  }

  /** Per-agent and global limits; a registration does not count towards the new agent's writes. */
  #takeAgentRates(
    auth: Authenticated,
    row: RateRow | undefined,
    found: Found<ReadContext>,
    trace: WriteTrace,
  ): void {
    const { agent, signer, vouchedActor } = auth.credentials;
    const name = agent ? `#${agent.index}` : signer ? toHex(signer) : (vouchedActor ?? '');
    // The key first: refused by its own limit, whoever holds it takes nothing from its owner's.
    if (auth.apiKey) {
      trace.rates.push(this.o.limiter.takeApiKey(auth.apiKey.id, auth.apiKey.hourlyLimit));
    }
    if (row) trace.rates.push(this.o.limiter.takeAgentAndGlobal(row, name));
    const operation = found.kind === 'route' ? (found.route as WriteRoute).operation : undefined;
    if (operation === undefined || !UNCOUNTED.has(operation)) {
      trace.rates.push(this.o.limiter.takeWrite(name));
    }
  }

  #success(input: EntryInput, outcome: TxOutcome, timeSecs: number, apiKey: string | undefined): HttpReply {
    const body = replyOf(input, outcome, {
      ids: this.o.auth.ids,
      store: this.o.reads.store,
      testnet: this.o.auth.testnet,
      timeSecs,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return {
      status: OPERATIONS[input.parsed!.name].status,
      headers: {
        'Content-Type': JSON_TYPE,
        'X-Service-TxID': toHex(outcome.txId),
        'X-Service-Order': String(outcome.order),
      },
      body: JSON.stringify(body),
    };
  }

  #error(error: unknown, headers: Record<string, string>, txid?: string): HttpReply {
    let known: ServiceError;
    if (error instanceof ServiceError) known = error;
    else {
      this.o.log.error({ err: error }, 'unexpected error in a request');
      known = new ServiceError('internal');
    }
    this.o.metrics.error(known.code);
    return {
      status: known.status,
      headers: { 'Content-Type': JSON_TYPE, ...headers, ...known.headers },
      body: JSON.stringify(known.body(txid)),
    };
  }
}

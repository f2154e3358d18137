// Dispatches requests in the order of protocol 1.6: sizes and per-IP limits, authentication, agent limits, routing,
// fields, actor, then the sequencer. Contains no socket code (see the drivers) and no rule of the ledger (see the core).
// Keeps: every answer is JSON, errors with a code of the catalogue, unless a page, text or bytes are requested; no
// exception leaves this class.

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
import type { HttpReply, HttpRequest, HttpService, StreamOpener } from '../world/http.ts';
import type { World } from '../world/world.ts';
import { type AuthContext, type Authenticated, authenticate, issueKey } from './auth.ts';
import type { ClientIp } from './client-ip.ts';
import type { ReadContext } from './context.ts';
import { type OrderWaits, readMinOrder } from './order-waits.ts';
import { packed, takesGzip } from './packing.ts';
import { pageHeaders, readQuery } from './query.ts';
import { type RateLimiter, type RateState, rateHeaders } from './rate-limits.ts';
import type { RateRow } from './rate-table.ts';
import { RequestTrace } from './request-trace.ts';
import type { Reply, Route } from './route.ts';
import { type Found, Router } from './router.ts';
import type { StaticFiles } from './static-files.ts';
import type { StreamHub, StreamQuery } from './stream-hub.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_BODY_BYTES = 65_536;
/** Operations that do not count towards the total writes of an agent (protocol 8.1). */
const NOT_COUNTED_AS_WRITES: ReadonlySet<string> = new Set([
  'register',
  'verify',
  'challengeVote',
  'replaySubmit',
  'replayOutcome',
]);
/** Lets pages of other origins read these headers of an answer. */
const EXPOSED_HEADERS = {
  'Access-Control-Expose-Headers':
    'X-Service-Order, X-Service-Behind, X-Service-TxID, X-Total-Count, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};
const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE']);

export interface ServerOptions {
  routes: readonly Route<ReadContext>[];
  reads: ReadContext;
  auth: AuthContext;
  sequencer: Sequencer;
  limiter: RateLimiter;
  orders: OrderWaits;
  stream: StreamHub;
  /** The explorer page; files win over routes. */
  files: Pick<StaticFiles, 'find'>;
  clientIp: ClientIp;
  /**
   * Origins whose pages may read answers to writes. Answers to reads are readable for pages of every origin. No write is
   * refused because of its origin; a preflight allows reads only, so pages of other origins cannot send signed writes.
   */
  corsOrigins: readonly string[];
  /** Where webhooks registered here may point. */
  webhooks: WebhookPolicy;
  metrics: Metrics;
  log: Logger;
  monotonicMs(): number;
  gzip: World['gzip'];
}

/** Data collected while a write is handled, for its answer's headers. */
interface WriteProgress {
  trace: RequestTrace;
  headers: Record<string, string>;
  rates: RateState[];
}

/** Template for metrics and log. */
function templateOf(found: Found<ReadContext>): string {
  if (found.kind === 'none') return 'unmatched';
  return found.kind === 'method' ? found.template : found.route.path;
}

export class Server implements HttpService {
  readonly #router: Router<ReadContext>;
  #requests = 0;

  constructor(private readonly o: ServerOptions) {
    this.#router = new Router(o.routes);
  }

  maxBodyBytes(method: string, path: string): number {
    const found = this.#find(method, path);
    return (found.kind === 'write' ? found.route.maxBodyBytes : undefined) ?? DEFAULT_BODY_BYTES;
  }

  refusal(code: 'body_too_large' | 'uri_too_long' | 'headers_too_large' | 'invalid_request'): HttpReply {
    return this.#refusal(new ServiceError(code), {});
  }

  /** Streams are counted by address, not by the read limit (protocol 8.1, 8.2). */
  upgrade(req: HttpRequest): HttpReply | StreamOpener | undefined {
    const found = this.#find(req.method, req.path);
    if (found.kind !== 'read' || !found.route.stream) return undefined;
    const { trace, finish } = this.#begin(req, found);
    try {
      const { query } = readQuery(found.route.query ?? [], req.query);
      const opener = this.o.stream.admit(this.o.clientIp.of(req), query as StreamQuery);
      finish(101);
      return opener;
    } catch (error) {
      const reply = this.#error(error, trace, { 'Access-Control-Allow-Origin': '*' });
      finish(reply.status);
      return reply;
    }
  }

  /** Starts the trace of a request; `finish` counts and logs its answer. */
  #begin(req: HttpRequest, found: Found<ReadContext>) {
    const startedMs = this.o.monotonicMs();
    this.#requests += 1;
    const trace = new RequestTrace(this.#requests, req.method, templateOf(found), this.o.log);
    const finish = (status: number): void => {
      const ms = this.o.monotonicMs() - startedMs;
      this.o.metrics.request(req.method, trace.route, status, ms);
      trace.answered(status, ms);
    };
    return { trace, finish };
  }

  handle(req: HttpRequest, send: (reply: HttpReply) => void): void {
    const found = this.#find(req.method, req.path);
    const { trace, finish } = this.#begin(req, found);
    const done = (reply: HttpReply): void => {
      finish(reply.status);
      send(reply);
    };
    const failed = (error: unknown): void => done(this.#error(error, trace, {}));
    if (WRITE_METHODS.has(req.method)) {
      void this.#write(req, found, trace).then(done, failed);
      return;
    }
    if (req.method === 'OPTIONS') {
      done(this.#options());
      return;
    }
    // Files never change while the node runs, so they need neither limits nor the state.
    const file = this.o.files.find(req);
    if (file) {
      done(file);
      return;
    }
    // While a batch is being written, reads wait for it, so that they see one state.
    const { busy } = this.o.sequencer;
    if (busy) void busy.then(() => this.#read(req, found, trace)).then(done, failed);
    else {
      const reply = this.#read(req, found, trace);
      if (reply instanceof Promise) void reply.then(done, failed);
      else done(reply);
    }
  }

  /** Treats an invalid percent-encoding as an unknown path; `#unrouted` reports it. */
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
        'Access-Control-Allow-Headers': 'X-Service-Min-Order',
        'Access-Control-Max-Age': '600',
      },
      body: '',
    };
  }

  #read(req: HttpRequest, found: Found<ReadContext>, trace: RequestTrace): HttpReply | Promise<HttpReply> {
    const headers: Record<string, string> = { 'Access-Control-Allow-Origin': '*', ...EXPOSED_HEADERS };
    try {
      const exempt = found.kind === 'read' && found.route.exempt === true;
      const address = this.o.clientIp.of(req);
      if (!exempt) this.o.limiter.takeRead(address);
      if (found.kind !== 'read') throw this.#unrouted(req, found);
      const minOrder = exempt ? undefined : req.header('x-service-min-order');
      const wait = minOrder === undefined ? undefined : this.o.orders.reach(readMinOrder(minOrder), address);
      if (!wait) return this.#answer(req, found, headers);
      return this.#afterWait(wait)
        .then(() => this.#answer(req, found, headers))
        .catch((error) => this.#readError(error, found, trace, headers));
    } catch (error) {
      return this.#readError(error, found, trace, headers);
    }
  }

  /** Until an order is executed and the batch that brought it is on disk and indexed. */
  async #afterWait(wait: Promise<void>): Promise<void> {
    await wait;
    while (this.o.sequencer.busy) await this.o.sequencer.busy;
  }

  /** Errors of reads of the state tell as well whether the node is behind: a 404 may be one for that reason only. */
  #readError(
    error: unknown,
    found: Found<ReadContext>,
    trace: RequestTrace,
    headers: Record<string, string>,
  ): HttpReply {
    const isState = found.kind === 'read' && found.route.exempt !== true;
    return this.#error(error, trace, { ...headers, ...(isState ? this.#behindHeaders() : {}) });
  }

  #behindHeaders(): Record<string, string> {
    const ordersBehind = this.o.reads.ordersBehind();
    return ordersBehind === undefined ? {} : { 'X-Service-Behind': String(ordersBehind) };
  }

  #answer(
    req: HttpRequest,
    { route, path }: Extract<Found<ReadContext>, { kind: 'read' }>,
    headers: Record<string, string>,
  ): HttpReply | Promise<HttpReply> {
    const { query, page } = readQuery(route.query ?? [], req.query);
    const reply = route.handle(this.o.reads, { path, query, page });
    if (route.exempt !== true) {
      headers['X-Service-Order'] = String(this.o.sequencer.order);
      Object.assign(headers, this.#behindHeaders());
    }
    if (reply.total !== undefined)
      Object.assign(headers, pageHeaders(req.path, req.query, page, reply.total));
    Object.assign(headers, reply.headers);
    const isPacked = reply.compress === true && takesGzip(req.header('accept-encoding'));
    const finish = (body: unknown): HttpReply | Promise<HttpReply> => {
      const whole = this.#reply({ ...reply, body }, headers);
      return isPacked ? packed(whole, this.o.gzip) : whole;
    };
    return reply.body instanceof Promise ? reply.body.then(finish) : finish(reply.body);
  }

  #reply(reply: Reply, headers: Record<string, string>): HttpReply {
    return {
      status: reply.status ?? 200,
      headers: { 'Content-Type': reply.contentType ?? JSON_TYPE, ...headers },
      body:
        reply.contentType === undefined ? JSON.stringify(reply.body) : (reply.body as string | Uint8Array),
    };
  }

  /**
   * The error of a request without a route: 404 not_found, 405 method_not_allowed. Throws 400 invalid_request for a path
   * that is not percent-encoded UTF-8.
   */
  #unrouted(req: HttpRequest, found: Found<ReadContext>): ServiceError {
    if (found.kind === 'method') {
      return new ServiceError('method_not_allowed', { headers: { Allow: found.allow } });
    }
    this.#router.find(req.method, req.path);
    return new ServiceError('not_found');
  }

  async #write(req: HttpRequest, found: Found<ReadContext>, trace: RequestTrace): Promise<HttpReply> {
    const progress: WriteProgress = { trace, headers: {}, rates: [] };
    const { headers, rates } = progress;
    const origin = req.header('origin');
    if (origin !== undefined && this.o.corsOrigins.includes(origin)) {
      Object.assign(headers, { 'Access-Control-Allow-Origin': origin, Vary: 'Origin', ...EXPOSED_HEADERS });
    }
    const isTx = req.header('x-service-version') !== undefined || req.header('x-service-actor') !== undefined;
    if (!isTx && req.header('x-service-agent-id') !== undefined) headers.Deprecation = 'true';
    try {
      const reply = await this.#execute(req, found, progress);
      Object.assign(reply.headers, headers, rateHeaders(rates));
      return reply;
    } catch (error) {
      return this.#error(error, trace, { ...headers, ...rateHeaders(rates) });
    }
  }

  async #execute(req: HttpRequest, found: Found<ReadContext>, progress: WriteProgress): Promise<HttpReply> {
    const auth = await authenticate(req, this.o.auth);
    const { open, credentials } = auth;
    if (open.entry.scheme !== 'vouched') progress.trace.txid = toHex(open.id);
    const row = found.kind === 'write' ? found.route.limit : undefined;
    this.#takeAgentRates(auth, row, found, progress.rates);
    if (found.kind !== 'write') throw this.#unrouted(req, found);
    const { route, path } = found;
    if (route.testnetOnly && !this.o.auth.testnet) throw new ServiceError('not_found');
    if (req.query !== '') throw invalid('a write takes no query string');
    if (open.body.value === undefined) throw invalid('the body is not valid JSON');
    checkJson(open.body.value);
    const parsed = parseOperation({ name: route.operation, path }, open.body.value);
    checkActors(parsed, credentials, this.o.auth.ids);
    if (parsed.name === 'routerRegister' && parsed.args.webhook_url) {
      readWebhookUrl(parsed.args.webhook_url, this.o.webhooks);
    }

    const newKey = parsed.name === 'keyCreate' ? issueKey(open.id, this.o.auth) : undefined;
    if (newKey) open.entry.keyIssue = newKey.issue;
    const attachment = newKey && { keyHash: newKey.issue.keySha256, node: newKey.issue.node };
    const { ids } = this.o.auth;
    const owner = credentials.agent ? String(credentials.agent.index) : toHex(credentials.signer ?? open.id);
    const input = prepare(this.o.sequencer, ids, { open, parsed, credentials, attachment, owner });
    const bytes = encodeEntry(open.entry);
    const { outcome, timeSecs } = await this.o.sequencer.submit({ input, bytes, owner }, () => {
      if (row) progress.rates.push(this.o.limiter.takeShared(row, owner, this.o.clientIp.of(req)));
    });
    return this.#success(input, outcome, timeSecs, newKey?.text);
  }

  /**
   * What counts whatever becomes of the request: the limits of the agent and its API key. A signer that is no agent yet has
   * no count of its own: it would make a new key for each request. A registration does not count towards the agent's writes.
   */
  #takeAgentRates(
    { apiKey, credentials: { agent } }: Authenticated,
    row: RateRow | undefined,
    found: Found<ReadContext>,
    rates: RateState[],
  ): void {
    // The key's limit comes first, so that a request refused by it does not count against the owner's limits.
    if (apiKey) rates.push(this.o.limiter.takeApiKey(apiKey.id, apiKey.hourlyLimit));
    if (!agent) return;
    const name = String(agent.index);
    if (row) rates.push(this.o.limiter.takeAgent(row, name));
    const operation = found.kind === 'write' ? found.route.operation : undefined;
    if (operation === undefined || !NOT_COUNTED_AS_WRITES.has(operation)) {
      rates.push(this.o.limiter.takeWrite(name));
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

  /** The answer to an error; anything but a ServiceError is logged and answered as `internal`. */
  #error(error: unknown, trace: RequestTrace, headers: Record<string, string>): HttpReply {
    if (error instanceof ServiceError) return this.#refusal(error, headers, trace.txid);
    trace.unexpected(error);
    return this.#refusal(new ServiceError('internal'), headers, trace.txid);
  }

  #refusal(error: ServiceError, headers: Record<string, string>, txid?: string): HttpReply {
    this.o.metrics.error(error.code);
    return {
      status: error.status,
      headers: { 'Content-Type': JSON_TYPE, ...headers, ...error.headers },
      body: JSON.stringify(error.body(txid)),
    };
  }
}

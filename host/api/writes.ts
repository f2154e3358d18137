// Carries out a write in the order of protocol 1.6: authentication, limits of the agent, routing, fields, actor, then the
// sequencer, and what others share of the limits last.
// Keeps: no rule of the ledger is here (see the core). What a write takes of the main thread is charged to its address.

import type { TxOutcome } from '../core/outcomes.ts';
import { invalid, notReady, ServiceError } from '../errors.ts';
import { checkActors } from '../execution/translate.ts';
import type { Trials } from '../execution/trials.ts';
import type { EntryInput } from '../ordering/block.ts';
import { prepare } from '../sequencer/prepare.ts';
import type { Sequencer, Settled } from '../sequencer/sequencer.ts';
import type { Hidden } from '../views/hidden.ts';
import { replyOf } from '../views/replies.ts';
import { toHex } from '../wire/bytes.ts';
import { type Entry, encodeEntry } from '../wire/entry.ts';
import { checkJson, DEAR_FORM_BYTES } from '../wire/json.ts';
import { OPERATIONS, parseOperation } from '../wire/operations.ts';
import { readWebhookUrl, type WebhookPolicy } from '../wire/webhook-url.ts';
import { type Answer, after, type HttpReply, type HttpRequest } from '../world/http.ts';
import type { Store } from '../world/store.ts';
import { type AuthContext, type Authenticated, authenticate, issueKey } from './auth.ts';
import type { ReadContext } from './context.ts';
import type { Charge, CostBudget } from './cost-budget.ts';
import type { OrderWaits } from './order-waits.ts';
import { writerHeaders } from './other-origins.ts';
import { type RateLimiter, type RateState, rateHeaders } from './rate-limits.ts';
import type { RateRow } from './rate-table.ts';
import { JSON_TYPE, type Refusals } from './refusals.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Found } from './router.ts';

/** Operations that do not count towards the total writes of an agent (protocol 8.1). */
const NOT_COUNTED_AS_WRITES: ReadonlySet<string> = new Set([
  'register',
  'verify',
  'challengeVote',
  'replaySubmit',
  'replayOutcome',
]);
/**
 * What a dear body costs for each KiB, known before it is parsed: some eight times what it takes here, since nobody else is
 * served meanwhile.
 */
const FORM_MS_PER_KIB = 0.1;

export interface WritesOptions {
  auth: AuthContext;
  store: Store;
  hidden: Hidden;
  sequencer: Pick<Sequencer, 'admit' | 'submit'>;
  limiter: RateLimiter;
  /** Pays for large bodies that are not in JCS form. */
  forms: CostBudget;
  refusals: Refusals;
  /** Origins whose pages may write, and read the answers. */
  corsOrigins: readonly string[];
  /** What a write must pass before it is ordered. */
  trials: Pick<Trials, 'of'>;
  orders: Pick<OrderWaits, 'reach' | 'order'>;
  /** What others have executed by now; undefined: too few are there to tell. */
  othersOrder: () => Answer<number | undefined>;
  /** Where webhooks registered here may point. */
  webhooks: WebhookPolicy;
}

/** The place of a write behind others of a batch: it is submitted after `before`, and says when it was, or never will be. */
export interface Place {
  /** undefined: nothing is before it any more. */
  readonly before: Promise<void> | undefined;
  taken(): void;
  /** What others have executed since the batch came; `ask` is called for the first of it that wants to know. */
  othersOrder(ask: () => Answer<number | undefined>): Answer<number | undefined>;
}

/** A write, and data collected for its answer's headers. */
export interface Write {
  req: HttpRequest;
  found: Found<ReadContext>;
  trace: RequestTrace;
  charge: Charge;
  place?: Place;
}

/** A write that is ready to be ordered. */
interface Prepared {
  input: EntryInput;
  entry: Entry;
  /** Who the queue counts it for. */
  owner: string;
  row: RateRow | undefined;
  apiKey: string | undefined;
}

interface Submitted {
  input: EntryInput;
  settled: Promise<Settled>;
  apiKey: string | undefined;
}

export class Writes {
  constructor(private readonly o: WritesOptions) {}

  /** Never rejects. The part before its first wait is what may run for long. */
  async handle(write: Write): Promise<HttpReply> {
    const { req, trace, charge } = write;
    const rates: RateState[] = [];
    const headers = this.headersOf(req);
    try {
      const taken = this.#takeIn(write, rates);
      const { input, settled, apiKey } = taken instanceof Promise ? await taken : taken;
      const { outcome, timeSecs } = await settled;
      const reply = charge.run(() => this.#success(input, outcome, timeSecs, apiKey));
      charge.addBytes(reply.body.length);
      Object.assign(reply.headers, headers, rateHeaders(rates));
      return reply;
    } catch (error) {
      return this.o.refusals.of(error, trace, { ...headers, ...rateHeaders(rates) });
    }
  }

  /** The headers of every answer to a write: who may read it, and that an old scheme was used. */
  headersOf(req: HttpRequest): Record<string, string> {
    const headers = writerHeaders(req, this.o.corsOrigins);
    const isTx = req.header('x-service-version') !== undefined || req.header('x-service-actor') !== undefined;
    if (!isTx && req.header('x-service-agent-id') !== undefined) headers.Deprecation = 'true';
    return headers;
  }

  /** Submits a write, and gives up its place in a batch when that is done or will not be. */
  #takeIn(write: Write, rates: RateState[]): Answer<Submitted> {
    const { place } = write;
    let admitted: Answer<Submitted> | undefined;
    try {
      admitted = this.#admit(write, rates);
    } finally {
      if (!(admitted instanceof Promise)) place?.taken();
    }
    return place && admitted instanceof Promise ? admitted.finally(() => place.taken()) : admitted;
  }

  /**
   * What the state here refuses may have been executed by others, or could be: they are asked, and it is judged once more when
   * this node has executed what they have. Errors: `not_ready`, `behind` where that is not known or does not come.
   */
  #admit(write: Write, rates: RateState[]): Answer<Submitted> {
    try {
      const judged = this.#judge(write, rates);
      return judged instanceof Promise
        ? judged.catch((error) => this.#judgeLater(error, write, rates))
        : judged;
    } catch (error) {
      return this.#judgeLater(error, write, rates);
    }
  }

  /** Errors: the one given, where no more can be learnt. */
  #judgeLater(error: unknown, write: Write, rates: RateState[]): Answer<Submitted> {
    if (!(error instanceof ServiceError && error.isOfState)) throw error;
    const { orders } = this.o;
    // This node may execute more while it asks.
    const judgedAt = orders.order;
    const ask = (): Answer<number | undefined> => this.o.othersOrder();
    return after(write.place ? write.place.othersOrder(ask) : ask(), (order) => {
      if (order === undefined) throw notReady('this node does not know how far the others are');
      if (order <= judgedAt) throw error;
      return after(orders.reach(order, write.charge.address), () => this.#judge(write, rates));
    });
  }

  /** At once, as most writes are; later where a signature, those before it in a batch, or a trial have to be waited for. */
  #judge(write: Write, rates: RateState[]): Answer<Submitted> {
    const { req, charge, place } = write;
    const onOtherForm = (bytes: number): void => {
      if (bytes > DEAR_FORM_BYTES) this.o.forms.open(charge.address, (bytes / 1024) * FORM_MS_PER_KIB);
    };
    return charge.run(() =>
      after(authenticate(req, this.o.auth, onOtherForm), (authenticated) => {
        // Asked for now: those before it may have been submitted meanwhile.
        return after(place?.before, () => charge.run(() => this.#order(write, authenticated, rates)));
      }),
    );
  }

  #order(write: Write, auth: Authenticated, rates: RateState[]): Answer<Submitted> {
    const { charge } = write;
    const prepared = this.#prepare(write, auth, rates);
    const trial = this.o.trials.of(prepared, charge, () => this.o.sequencer.admit(prepared));
    return after(trial, () => charge.run(() => this.#submit(prepared, charge, rates)));
  }

  #prepare({ found, trace, req }: Write, auth: Authenticated, rates: RateState[]): Prepared {
    const { open, credentials } = auth;
    if (open.entry.scheme !== 'vouched') trace.txid = toHex(open.id);
    const row = found.kind === 'write' ? found.route.limit : undefined;
    // Counted already when it is judged once more.
    if (rates.length === 0) this.#takeAgentRates(auth, row, found, rates);
    if (found.kind !== 'write') throw unrouted(found);
    const { route, path } = found;
    if (route.testnetOnly && !this.o.auth.testnet) throw new ServiceError('not_found');
    if (req.query !== '') throw invalid('a write takes no query string');
    if (open.body.value === undefined) throw invalid('the body is not valid JSON');
    if (open.body.isPadded) throw invalid('the body is much longer than its canonical form');
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
    return { input, entry: open.entry, owner, row, apiKey: newKey?.text };
  }

  #submit({ input, entry, owner, row, apiKey }: Prepared, charge: Charge, rates: RateState[]): Submitted {
    const bytes = encodeEntry(entry);
    const settled = this.o.sequencer.submit({ input, bytes, owner }, () => {
      if (row) rates.push(this.o.limiter.takeShared(row, owner, charge.address));
    });
    return { input, settled, apiKey };
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
      store: this.o.store,
      testnet: this.o.auth.testnet,
      hidden: this.o.hidden,
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
      body: this.o.hidden.json(body),
    };
  }
}

/** The error of a request without a route: 404 not_found, 405 method_not_allowed, 400 for a path that is no UTF-8. */
export function unrouted(found: Found<ReadContext>): ServiceError {
  if (found.kind === 'method') {
    return new ServiceError('method_not_allowed', { headers: { Allow: found.allow } });
  }
  return found.kind === 'malformed' ? found.error : new ServiceError('not_found');
}

// A client for one intention: whatever it writes is counted, signed, kept, and only then sent; a repetition of the same
// intention is answered from what is known, or sends the same request again.
// Keeps: count, keep, send, in this order, so that a process that dies in between has at most counted too much. No path
// signs a second request for a key.

import type { Rebuild } from '../client/calls.ts';
import { VwsClient, type VwsClientOptions } from '../client/client.ts';
import { systemEnvironment } from '../client/environment.ts';
import type { SignedRequest } from '../client/signed-request.ts';
import { VwsError } from '../client/vws-error.ts';
import { toHex } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import { FinalRefusal, ToolRefusal } from './refusal.ts';
import type { Spending } from './spending.ts';
import type { KeptRequest, Outcome, Spool } from './spool.ts';
import type { Intent } from './tool.ts';

/** 4xx codes after which the same request may still run, or has run. */
const OPEN_CODES = new Set(['DUPLICATE_TX', 'rate_limited', 'bad_answer']);

export interface Means {
  /** Genesis hash: a key used in one network says nothing about another. */
  network: string;
  spool: Spool;
  spending: Pick<Spending, 'count' | 'giveBack'>;
}

export class SpooledClient extends VwsClient {
  /** TxID of what was written. */
  txid = '';
  readonly #sends: { count: number };

  constructor(
    options: VwsClientOptions,
    private readonly means: Means,
    private readonly intent: Intent,
  ) {
    const environment = options.environment ?? systemEnvironment;
    const sends = { count: 0 };
    super({
      ...options,
      environment: {
        ...environment,
        fetch: (url, init) => {
          if (init.method !== 'GET') sends.count += 1;
          return environment.fetch(url, init);
        },
      },
    });
    this.#sends = sends;
  }

  override async write<T>(method: string, path: string, body: object, rebuild?: Rebuild<T>): Promise<T> {
    const key = this.intent.key ?? toHex(this.randomBytes(16));
    return await this.means.spool.alone(key, () => this.#once(key, method, path, body, rebuild));
  }

  async #once<T>(
    key: string,
    method: string,
    path: string,
    body: object,
    rebuild: Rebuild<T> | undefined,
  ): Promise<T> {
    const { network, spending, spool } = this.means;
    const request = await this.prepare(method, path, body);
    const fingerprint = sha256Hex(`${network}\n${this.intent.tool}\n${method} ${path}\n${request.body}`);
    const earlier = spool.find(key);
    if (earlier) return this.#again(earlier, fingerprint, rebuild);

    const counted = spending.count(this.intent);
    const kept = spool.keep({ key, fingerprint, request });
    if (kept.request.txid !== request.txid) {
      // Another process or call with this key was first; ours was never sent.
      spending.giveBack(counted);
      return this.#again(kept, fingerprint, rebuild);
    }
    return this.#first(kept, rebuild);
  }

  // Once sent, an amount stays counted: a node that refuses a request may have it executed all the same.
  async #first<T>(kept: KeptRequest, rebuild?: Rebuild<T>): Promise<T> {
    try {
      return await this.#send(kept, rebuild);
    } catch (error) {
      if (
        error instanceof VwsError &&
        error.request === undefined &&
        this.#sends.count === 1 &&
        isDefinite(error)
      ) {
        // Sent once by this process and refused by the answer: where no other one sent it, no copy of it is on its way, unless
        // the node lies.
        const { status, code, message, details } = error;
        const refused = { status, code, message, ...(details ? { details } : {}) };
        if (!this.means.spool.refuse(kept.key, refused)) throw open(kept.request);
        if (this.intent.key !== undefined) throw new FinalRefusal({ ...refused, txid: kept.request.txid });
      }
      throw error;
    }
  }

  async #again<T>(kept: KeptRequest, fingerprint: string, rebuild?: Rebuild<T>): Promise<T> {
    const { key, request } = kept;
    if (kept.fingerprint !== fingerprint) {
      throw new ToolRefusal(
        'idempotency_key_used',
        `idempotency_key "${key}" was used for another call`,
        'Choose another idempotency_key, or repeat the earlier call with exactly its arguments.',
      );
    }
    this.txid = request.txid;
    const { spool } = this.means;
    const outcome = spool.outcome(key);
    if (outcome) return answerOf<T>(outcome, request);

    const fate = await this.fate(request);
    if (fate.kind === 'executed' && rebuild) return this.#done(key, await rebuild(fate.event));
    if (fate.kind === 'never') throw lapsed(request);
    if (!spool.repeat(key)) return answerOf<T>(spool.outcome(key)!, request);
    try {
      return await this.#send(kept, rebuild);
    } catch (error) {
      if (!(error instanceof VwsError)) throw error;
      if (error.code === 'tx_expired' && error.request === undefined) throw lapsed(request);
      // Refused was this copy; what became of the one before is not known.
      throw error.request !== undefined && isDefinite(error) ? open(request) : error;
    }
  }

  async #send<T>({ key, request }: KeptRequest, rebuild?: Rebuild<T>): Promise<T> {
    this.txid = request.txid;
    return this.#done(key, await this.submit(request, rebuild));
  }

  #done<T>(key: string, answer: T): T {
    this.means.spool.finish(key, answer);
    return answer;
  }
}

/** Of a repeated intention. Errors: FinalRefusal, as the first call had it. */
function answerOf<T>(outcome: Outcome, { txid }: SignedRequest): T {
  if (outcome.kind === 'done') return outcome.answer as T;
  throw new FinalRefusal({ ...outcome.error, txid });
}

const isDefinite = ({ status, code }: VwsError): boolean =>
  status >= 400 && status < 500 && !OPEN_CODES.has(code);

const lapsed = ({ txid }: SignedRequest): ToolRefusal =>
  new ToolRefusal(
    'not_executed',
    'this request was signed earlier, was not executed, and can no longer be',
    'If you still want it, call again with a new idempotency_key.',
    { txid },
  );

const open = ({ txid }: SignedRequest): ToolRefusal =>
  new ToolRefusal(
    'outcome_open',
    'this request was sent earlier, and it is not certain yet whether it was executed',
    'Repeat the same call with the same idempotency_key: within two minutes it is certain. A new key could pay twice.',
    { txid },
  );

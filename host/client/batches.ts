// Many signed writes in one exchange (protocol 4.14). Under load the client makes batches by itself: while few exchanges are
// under way a write goes out alone and at once; what comes meanwhile waits for the next end of one, and leaves together.
// Keeps: each write has its own reply, or the error of the exchange that carried it; nothing is sent twice here.

import { isRecord } from '../wire/json.ts';
import type { SignedRequest } from './signed-request.ts';
import type { HttpRequest, Reply } from './transport.ts';
import { VwsError } from './vws-error.ts';

/** Exchanges of one client that may be under way before writes wait for each other. */
const MAX_EXCHANGES = 8;
/** The node takes 1,000 writes and 2 MiB in one request. */
export const MAX_BATCH = 1_000;
const MAX_BATCH_BYTES = 1_500_000;
/** Of a write besides path and body: names, quotes, headers. */
const BYTES_BESIDES = 800;

type Send = (request: HttpRequest) => Promise<Reply>;

interface Waiting {
  request: SignedRequest;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/** What carries writes to the node: requests of HTTP, or a stream. */
export interface Carrier {
  /** Exchanges under way before writes wait for each other; writes, and their estimated bytes, in one of them. */
  readonly most: { exchanges: number; requests: number; bytes: number };
  /** The reply of each, in their order. Errors: VwsError `unreachable`, `bad_answer`. */
  carry(requests: readonly SignedRequest[]): Promise<Reply[]>;
}

/** Its length as part of a batch at most: every character of the body may need an escape, and three bytes. */
export const estimatedBytes = ({ path, body }: SignedRequest): number =>
  BYTES_BESIDES + path.length + 3 * body.length;

/** A write as it is listed in a batch. */
export const asItem = ({ method, path, headers, body }: SignedRequest) => ({ method, path, headers, body });

const integerOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Undefined for what is no outcome. */
export function replyOf(result: unknown): Reply | undefined {
  if (!isRecord(result) || typeof result.status !== 'number') return undefined;
  return {
    status: result.status,
    body: result.body,
    order: integerOf(result.order),
    total: undefined,
    retryAfterSecs: integerOf(result.retry_after),
    isBehind: false,
  };
}

/**
 * Sends writes in one request; their replies, in their order. If the node refuses the whole, that is the reply of each.
 * Errors: VwsError `unreachable`; `bad_answer` for anything but an outcome for each.
 */
export async function sendBatch(send: Send, requests: readonly SignedRequest[]): Promise<Reply[]> {
  const whole = await send({
    method: 'POST',
    path: '/v1/batch',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requests: requests.map(asItem) }),
  });
  if (whole.status !== 200) return requests.map(() => whole);
  return outcomesOf(requests, whole.status, whole.body);
}

/** The outcomes that the answer to a batch lists. Error: VwsError `bad_answer` if it has not one for each request. */
export function outcomesOf(requests: readonly SignedRequest[], status: number, answer: unknown): Reply[] {
  const results = isRecord(answer) && Array.isArray(answer.results) ? answer.results : [];
  const replies = results.map(replyOf);
  if (replies.length !== requests.length || replies.includes(undefined)) {
    const message = 'the node did not answer with an outcome for each request of a batch';
    throw new VwsError({ status, code: 'bad_answer', message });
  }
  return replies as Reply[];
}

/** One write as its own request, more in a batch. */
export const overHttp = (send: Send): Carrier => ({
  most: { exchanges: MAX_EXCHANGES, requests: MAX_BATCH, bytes: MAX_BATCH_BYTES },
  carry: async (requests) =>
    requests.length === 1 ? [await send(requests[0]!)] : await sendBatch(send, requests),
});

export class Batcher {
  #exchanges = 0;
  #waiting: Waiting[] = [];

  constructor(private readonly carrier: Carrier) {}

  /** Sends a write, alone or with others; its reply. Errors: those of the exchange. */
  send(request: SignedRequest): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#exchanges >= this.carrier.most.exchanges || this.#waiting.length === 0) return;
    const part = this.#take();
    this.#exchanges += 1;
    void this.#carry(part).finally(() => {
      this.#exchanges -= 1;
      this.#begin();
    });
  }

  /** As many of those that wait as one request takes. */
  #take(): Waiting[] {
    const { most } = this.carrier;
    let count = 0;
    for (let bytes = 0; count < Math.min(this.#waiting.length, most.requests); count++) {
      bytes += estimatedBytes(this.#waiting[count]!.request);
      if (count > 0 && bytes > most.bytes) break;
    }
    return this.#waiting.splice(0, count);
  }

  async #carry(part: readonly Waiting[]): Promise<void> {
    try {
      const replies = await this.carrier.carry(part.map(({ request }) => request));
      for (const [i, { resolve }] of part.entries()) resolve(replies[i]!);
    } catch (error) {
      for (const { reject } of part) reject(error);
    }
  }
}

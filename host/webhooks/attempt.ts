// One attempt to deliver a webhook: resolves the name, checks the address, connects to exactly that address.
// Keeps (SSRF guard, protocol 10): no connection to an unchecked address, no redirect followed, at most 64 KiB of the
// answer read, 5 s in total. Never throws: the outcome is the result.

import { isPublicAddress, parseIp } from '../wire/ip-address.ts';
import { readWebhookUrl, type WebhookPolicy, type WebhookUrl } from '../wire/webhook-url.ts';
import type { Clock } from '../world/clock.ts';
import type { Post, PostRequest } from '../world/post.ts';

const ATTEMPT_MS = 5000;
const MAX_ANSWER_BYTES = 65_536;

/** ok: status 2xx; failed: may be retried; blocked: the guard refused the target. */
export type AttemptResult = 'ok' | 'failed' | 'blocked';

export interface Attempt {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface AttemptOptions {
  clock: Clock;
  policy: WebhookPolicy;
  /** All addresses of a name, in the resolver's order; rejects when there are none. */
  resolve(name: string): Promise<string[]>;
  post: Post;
}

/** A literal address in the notation that sockets accept. */
function literalText({ host, literal }: WebhookUrl): string {
  return literal!.length === 4 ? literal!.join('.') : host;
}

const addressesOf = async (url: WebhookUrl, o: AttemptOptions): Promise<string[]> =>
  url.literal ? [literalText(url)] : o.resolve(url.host);

function isAllowed(text: string, policy: WebhookPolicy): boolean {
  const address = parseIp(text);
  return address !== undefined && (policy.allowPrivate || isPublicAddress(address));
}

function requestOf(url: WebhookUrl, address: string, a: Attempt): PostRequest {
  const isDefaultPort = url.port === (url.isTls ? 443 : 80);
  const name = url.host.includes(':') ? `[${url.host}]` : url.host;
  return {
    isTls: url.isTls,
    // The socket connects to the checked address; Host header and certificate use the name.
    address,
    servername: url.isTls && !url.literal ? url.host.replace(/\.$/, '') : undefined,
    port: url.port,
    target: url.target,
    headers: {
      ...a.headers,
      Host: isDefaultPort ? name : `${name}:${url.port}`,
      'Content-Length': String(Buffer.byteLength(a.body)),
      Connection: 'close',
    },
    body: a.body,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  };
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));

async function deliver(a: Attempt, o: AttemptOptions, signal: AbortSignal): Promise<AttemptResult> {
  let url: WebhookUrl;
  try {
    url = readWebhookUrl(a.url, o.policy);
  } catch {
    return 'blocked';
  }
  // A resolver cannot be cancelled: after the timeout its result is ignored.
  const addresses = await Promise.race([addressesOf(url, o).catch(() => undefined), aborted(signal)]);
  if (!addresses || signal.aborted) return 'failed';
  const address = addresses.find((text) => isAllowed(text, o.policy));
  if (address === undefined) return 'blocked';
  const status = await o.post(requestOf(url, address, a), signal);
  return status >= 200 && status < 300 ? 'ok' : 'failed';
}

/** Makes one attempt. `signal` ends it early, as failed. */
export async function attempt(a: Attempt, o: AttemptOptions, signal: AbortSignal): Promise<AttemptResult> {
  const late = new AbortController();
  const cancel = o.clock.setTimer(() => late.abort(), ATTEMPT_MS);
  try {
    return await deliver(a, o, AbortSignal.any([signal, late.signal]));
  } finally {
    cancel();
  }
}

// A POST to a URL that may lead anywhere: resolves the name, checks the address, connects to exactly that address.
// Keeps: no connection to an address that the guard refuses, no redirect followed, at most `maxAnswerBytes` of the answer
// read, `limitMs` in total. Never throws: the outcome is the result.

import { isPublicAddress, parseIp } from '../wire/ip-address.ts';
import { readWebhookUrl, type WebhookPolicy, type WebhookUrl } from '../wire/webhook-url.ts';
import { type Clock, within } from './clock.ts';
import type { Post, PostAnswer, PostRequest } from './post.ts';

export interface Message {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface GuardedPostOptions {
  clock: Pick<Clock, 'setTimer'>;
  /** Which URLs there may be. */
  policy: WebhookPolicy;
  /** Whether a connection may go to an address; default: by the policy. */
  mayReach?: (isPublic: boolean, isTls: boolean) => boolean;
  /** All addresses of a name, in the resolver's order; rejects when there are none. */
  resolve(name: string): Promise<string[]>;
  post: Post;
  limitMs: number;
  maxAnswerBytes: number;
}

/** failed: no address, no connection, no answer in time; blocked: the guard refused the target. */
export type GuardedAnswer = PostAnswer | 'failed' | 'blocked';

/** A literal address in the notation that sockets accept. */
function literalText({ host, literal }: WebhookUrl): string {
  return literal!.length === 4 ? literal!.join('.') : host;
}

const addressesOf = async (url: WebhookUrl, o: GuardedPostOptions): Promise<string[]> =>
  url.literal ? [literalText(url)] : o.resolve(url.host);

function isAllowed(text: string, { isTls }: WebhookUrl, o: GuardedPostOptions): boolean {
  const address = parseIp(text);
  if (address === undefined) return false;
  const isPublic = isPublicAddress(address);
  return o.mayReach?.(isPublic, isTls) ?? (o.policy.allowPrivate || isPublic);
}

function requestOf(url: WebhookUrl, address: string, m: Message, maxAnswerBytes: number): PostRequest {
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
      ...m.headers,
      Host: isDefaultPort ? name : `${name}:${url.port}`,
      'Content-Length': String(Buffer.byteLength(m.body)),
      Connection: 'close',
    },
    body: m.body,
    maxAnswerBytes,
  };
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));

async function send(m: Message, o: GuardedPostOptions, signal: AbortSignal): Promise<GuardedAnswer> {
  let url: WebhookUrl;
  try {
    url = readWebhookUrl(m.url, o.policy);
  } catch {
    return 'blocked';
  }
  // A resolver cannot be cancelled: after the timeout its result is ignored.
  const addresses = await Promise.race([addressesOf(url, o).catch(() => undefined), aborted(signal)]);
  if (!addresses || signal.aborted) return 'failed';
  const address = addresses.find((text) => isAllowed(text, url, o));
  if (address === undefined) return 'blocked';
  const answer = await o.post(requestOf(url, address, m, o.maxAnswerBytes), signal);
  return answer.status === 0 ? 'failed' : answer;
}

/** `signal` ends it early, as failed. */
export const guardedPost = (m: Message, o: GuardedPostOptions, signal: AbortSignal): Promise<GuardedAnswer> =>
  within(o.clock, o.limitMs, signal, (either) => send(m, o, either));

// One attempt to deliver a webhook: resolves the name, checks the address, connects to exactly that address.
// Keeps (SSRF guard, protocol 10): no connection to an unchecked address, no redirect followed, at most 64 KiB of the
// answer read, 5 s in total. Never throws: the outcome is the result.

import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isPublicAddress, parseIp } from '../wire/ip-address.ts';
import { readWebhookUrl, type WebhookPolicy, type WebhookUrl } from '../wire/webhook-url.ts';
import type { Clock } from '../world/clock.ts';

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
}

export const systemResolve = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

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

function requestOptions(url: WebhookUrl, address: string, a: Attempt, signal: AbortSignal): RequestOptions {
  const isDefaultPort = url.port === (url.isTls ? 443 : 80);
  const name = url.host.includes(':') ? `[${url.host}]` : url.host;
  return {
    method: 'POST',
    // The socket connects to the checked address; Host header and certificate use the name.
    host: address,
    port: url.port,
    path: url.target,
    agent: false,
    signal,
    headers: {
      ...a.headers,
      Host: isDefaultPort ? name : `${name}:${url.port}`,
      'Content-Length': String(Buffer.byteLength(a.body)),
      Connection: 'close',
    },
  };
}

/** Resolves when the connection is closed; the status of the answer decides the result. */
function exchange(url: WebhookUrl, options: RequestOptions, body: string): Promise<AttemptResult> {
  return new Promise((resolve) => {
    let result: AttemptResult = 'failed';
    const onResponse = (response: IncomingMessage): void => {
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) result = 'ok';
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) response.destroy();
      });
      response.on('error', () => {});
    };
    const servername = url.host.replace(/\.$/, '');
    const request =
      url.isTls && !url.literal
        ? httpsRequest({ ...options, servername }, onResponse)
        : (url.isTls ? httpsRequest : httpRequest)(options, onResponse);
    request.on('error', () => {});
    request.on('close', () => resolve(result));
    request.end(body);
  });
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
  return exchange(url, requestOptions(url, address, a, signal), a.body);
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

// The node that serves this page, as a client without a key: for reads only.
// Keeps: what does not exist is no error in the console; the client sees the status of the refusal.

import { systemEnvironment, VwsClient } from '../../client/index.ts';

export const baseUrl = location.origin;

/** A read whose refusal comes with status 200 for the browser (protocol 1.2). */
async function softFetch(url: string, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  headers.set('X-Service-Soft-Refusals', '1');
  const response = await systemEnvironment.fetch(url, { ...init, headers });
  const status = Number(response.headers.get('X-Service-Status') ?? 0);
  return status === 0 ? response : new Response(response.body, { status, headers: response.headers });
}

export const node = new VwsClient({ baseUrl, environment: { ...systemEnvironment, fetch: softFetch } });

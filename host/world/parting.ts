// Answers that end their connection, so that nothing that was sent behind a refused request is read (protocol 8.3).
// Keeps: a proxy has the requests of others on its connections, and keeps them.

import type { HttpReply, HttpRequest, HttpService } from './http.ts';

/** An answer that ends its connection. One without a body cannot. */
const ending = (reply: HttpReply): HttpReply => ({
  ...reply,
  status: reply.status === 204 ? 200 : reply.status,
  headers: { ...reply.headers, Connection: 'close' },
});

/** Ends the connection of a request with its answer, unless a proxy has sent it. */
export function parting(
  service: Pick<HttpService, 'isProxy'>,
  { remoteAddress }: Pick<HttpRequest, 'remoteAddress'>,
  reply: HttpReply,
): HttpReply {
  return service.isProxy?.(remoteAddress) ? reply : ending(reply);
}

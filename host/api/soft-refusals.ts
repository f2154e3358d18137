// Refusals of reads for a page in a browser, which logs every status of 400 and above as an error of the page, although a
// visitor may well ask for what does not exist (protocol 1.2).
// Keeps: who does not ask for it gets the status as ever; the body and the counted status are those of the refusal.

import type { HttpReply, HttpRequest } from '../world/http.ts';

const ASKED = 'x-service-soft-refusals';
/** What was asked for is malformed, does not exist, or was dropped. */
const SOFT: ReadonlySet<number> = new Set([400, 404, 410]);

/** The answer to a read: for who asks so, with status 200 and the refusal's own in `X-Service-Status`. */
export function softened(req: Pick<HttpRequest, 'header'>, reply: HttpReply): HttpReply {
  if (!SOFT.has(reply.status) || req.header(ASKED) !== '1') return reply;
  return { ...reply, status: 200, headers: { ...reply.headers, 'X-Service-Status': String(reply.status) } };
}

// What web pages of other origins may do, as browsers ask for it (CORS): all may read, those that the operator listed
// (SERVICE_CORS_ORIGINS) may also write.
// Keeps: no request is refused because of its origin; the signature decides who acts.

import { TX_HEADERS } from '../wire/tx.ts';
import type { HttpReply, HttpRequest } from '../world/http.ts';

/** Lets pages of other origins read these headers of an answer. */
export const EXPOSED_HEADERS = {
  'Access-Control-Expose-Headers':
    'X-Service-Order, X-Service-Behind, X-Service-History-From, X-Service-TxID, X-Total-Count, X-Per-Page, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};

const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const READ_HEADERS = ['X-Service-Min-Order'];
const WRITE_METHODS = ['POST', 'PUT', 'DELETE'];
/** Of writes by each scheme, and of `POST /mcp`. */
const WRITE_HEADERS = [
  'Content-Type',
  ...TX_HEADERS,
  ...['X-Service-Agent-ID', 'X-Service-Timestamp', 'X-API-Key'],
  ...['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
];

const isListed = (req: Pick<HttpRequest, 'header'>, listed: readonly string[]): boolean =>
  listed.includes(req.header('origin') ?? '');

/** What browsers ask before they send what a form could not send. */
export function preflight(req: Pick<HttpRequest, 'header'>, listed: readonly string[]): HttpReply {
  const mayWrite = isListed(req, listed);
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': [...READ_METHODS, ...(mayWrite ? WRITE_METHODS : [])].join(', '),
      'Access-Control-Allow-Headers': [...READ_HEADERS, ...(mayWrite ? WRITE_HEADERS : [])].join(', '),
      'Access-Control-Max-Age': '600',
    },
    body: '',
  };
}

/** Headers of the answer to a write: may the page that sent it read it. */
export function writerHeaders(
  req: Pick<HttpRequest, 'header'>,
  listed: readonly string[],
): Record<string, string> {
  if (!isListed(req, listed)) return {};
  return {
    'Access-Control-Allow-Origin': req.header('origin') as string,
    Vary: 'Origin',
    ...EXPOSED_HEADERS,
  };
}

// Under which host names this node answers as itself.
// Keeps: a Host header is believed only where it is an IP address, localhost or a name that the operator listed, so a page
// that reaches the node through a name of its own (DNS rebinding) gets neither tools nor addresses made of that name.

import { isIP } from 'node:net';
import { ServiceError } from '../errors.ts';
import type { HttpRequest } from '../world/http.ts';

/** Host names that the operator listed, and the address that the operator chose. */
export interface OwnAddress {
  /** SERVICE_API_NAMES. */
  names: readonly string[];
  /** SERVICE_PUBLIC_URL, without a slash at the end. */
  publicUrl: string | undefined;
}

/** Errors: 403 `origin_not_allowed`. */
export function checkOwnHost(host: string, own: OwnAddress): void {
  const name = nameOf(host);
  const { hostname } = own.publicUrl === undefined ? { hostname: undefined } : new URL(own.publicUrl);
  if (name === 'localhost' || isIP(name) !== 0 || name === hostname || own.names.includes(name)) return;
  throw refused(`Host "${host}" is not known: the operator lists names in SERVICE_API_NAMES`);
}

const refused = (text: string): ServiceError => new ServiceError('origin_not_allowed', { text });

/**
 * A request of a web page must be of one from the host that it asks, or of an origin that the operator listed
 * (SERVICE_CORS_ORIGINS). `denied`: what pages of others may not do. Errors: 403 `origin_not_allowed`.
 */
export function checkOrigin(
  request: Pick<HttpRequest, 'header'>,
  listed: readonly string[],
  denied: string,
): void {
  const origin = request.header('origin');
  if (origin === undefined || listed.includes(origin)) return;
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  if (host === '' || host !== request.header('host')?.toLowerCase())
    throw refused(`pages of "${origin}" may not ${denied}`);
}

/** The URL under which clients reach this API: the configured one, else of the Host header. Errors: as checkOwnHost. */
export function ownUrl(host: string, own: OwnAddress): string {
  if (own.publicUrl !== undefined) return own.publicUrl;
  checkOwnHost(host, own);
  return `http://${host}`;
}

/** Without port; IPv6 without brackets. */
function nameOf(host: string): string {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([^:]+))(?::\d{1,5})?$/.exec(host);
  return parts?.[1] ?? parts?.[2] ?? '';
}

// Where a webhook may point (protocol 10, SSRF guard).
// Keeps: this grammar alone decides about the form, not a platform's URL parser, so every node and browser agrees.
// Whether http or a literal address is refused depends on the chain and on a setting of the accepting node
// (SERVICE_WEBHOOK_ALLOW_PRIVATE), so it is checked at admission and again before each connection, never during
// execution: no other seat connects there.

import { ServiceError } from '../errors.ts';
import { endsInNumber, type IpAddress, isPublicAddress, parseIpv4, parseIpv6 } from './ip-address.ts';

export const MAX_WEBHOOK_URL_BYTES = 2048;

export interface WebhookUrl {
  isTls: boolean;
  /** As written, without brackets. */
  host: string;
  /** Set when the host is an address in any notation. */
  literal: IpAddress | undefined;
  port: number;
  /** Path and query, at least `/`. */
  target: string;
}

export interface WebhookPolicy {
  /** Mainnet. */
  tlsOnly: boolean;
  /** Literal addresses may be private. */
  allowPrivate: boolean;
}

const refused = (text: string): ServiceError =>
  new ServiceError('invalid_webhook_url', { text: `webhook_url ${text}` });

const FORM = /^(https?):\/\/([^/?#]*)([^#]*)(?:#.*)?$/i;
const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::([0-9]{1,5}))?$/;
const NAME =
  /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\.)*[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\.?$/;

function literalOf(host: string): IpAddress | undefined {
  if (host.startsWith('[')) {
    const address = parseIpv6(host.slice(1, -1));
    if (!address) throw refused('has an invalid IPv6 address');
    return address;
  }
  if (endsInNumber(host)) {
    const address = parseIpv4(host);
    if (!address) throw refused('has an invalid IPv4 address');
    return address;
  }
  if (host.length > 254 || !NAME.test(host)) throw refused('has an invalid host name');
  return undefined;
}

/** Errors: 400 `invalid_webhook_url` that says what is wrong. */
export function readWebhookUrl(url: string, policy: WebhookPolicy): WebhookUrl {
  const parts = /^[\x21-\x7e]+$/.test(url) && !/[\\"<>^`{|}]/.test(url) ? FORM.exec(url) : null;
  if (!parts) throw refused('must be an http or https URL of printable ASCII characters');
  const isTls = parts[1]!.toLowerCase() === 'https';
  if (policy.tlsOnly && !isTls) throw refused('must be https');
  if (parts[2]!.includes('@')) throw refused('must not contain user info');
  const authority = AUTHORITY.exec(parts[2]!);
  if (!authority) throw refused('has an invalid host or port');
  const port = authority[2] === undefined ? (isTls ? 443 : 80) : Number(authority[2]);
  if (port > 65_535 || (port < 1024 && port !== 80 && port !== 443)) {
    throw refused('must have port 80, 443 or 1024 and above');
  }
  const literal = literalOf(authority[1]!);
  if (literal && !policy.allowPrivate && !isPublicAddress(literal)) {
    throw refused('points to an address that is not public');
  }
  const host = authority[1]!.replace(/[[\]]/g, '');
  const rest = parts[3]!;
  return { isTls, host, literal, port, target: rest.startsWith('/') ? rest : `/${rest}` };
}

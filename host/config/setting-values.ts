// The text forms that settings take: switches, addresses, lists, numbers, URLs.
// Keeps: one strict parser for each form, the same for flags and environment variables; a text that does not fit is a
// ConfigError that names its source, never a guess.
// Knows no setting by name; the table is in settings.ts.

import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { MAX_SUPPLY_MICRO, microOfTokens } from '../wire/token-amount.ts';

/** A setting that is malformed or contradicts another; the command line ends with exit code 2. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** A TCP address; `host` without brackets, `port` 0 = any free port (own addresses only). */
export interface HostPort {
  host: string;
  port: number;
}

const SWITCHES: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  on: true,
  false: false,
  '0': false,
  off: false,
};

/** `true`, `1`, `on` or `false`, `0`, `off`; protocol 12.2 refuses every other spelling. */
export function parseSwitch(text: string, source: string): boolean {
  const value = Object.hasOwn(SWITCHES, text) ? SWITCHES[text] : undefined;
  if (value === undefined) {
    throw new ConfigError(`${source}: "${text}" is not a switch; use true, 1, on or false, 0, off`);
  }
  return value;
}

/** A plain decimal integer within `[min, max]`. */
export function parseInteger(text: string, source: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new ConfigError(`${source}: "${text}" is not an integer from ${min} to ${max}`);
  }
  return value;
}

/**
 * `host:port` or `[v6]:port`. `defaultPort` is for texts without a port; if there is none, the port
 * is required. `minPort` is 0 for own addresses and 1 for addresses to dial.
 */
export function parseHostPort(
  text: string,
  source: string,
  { defaultPort, minPort = 1 }: { defaultPort?: number; minPort?: number } = {},
): HostPort {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text);
  const host = parts?.[1] ?? parts?.[2] ?? '';
  const port = parts?.[3] === undefined ? defaultPort : Number(parts[3]);
  const isHost = parts?.[1] !== undefined ? isIP(host) === 6 : /^[A-Za-z0-9._-]{1,253}$/.test(host);
  if (!isHost || port === undefined || port < minPort || port > 65_535) {
    throw new ConfigError(`${source}: "${text}" is not host:port`);
  }
  return { host, port };
}

/** The text form of an address; IPv6 in brackets. */
export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Comma-separated items, trimmed; empty ones are dropped. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Micro-units of a decimal number of tokens. */
export function parseTokens(text: string, source: string): number {
  const micro = microOfTokens(text);
  if (micro === undefined || micro > MAX_SUPPLY_MICRO) {
    throw new ConfigError(`${source}: "${text}" is not a number of tokens such as 2.5`);
  }
  return Number(micro);
}

/** An absolute path; a leading `~/` is the home directory, for texts no shell has expanded. */
export function parsePath(text: string): string {
  if (text === '~') return homedir();
  return text.startsWith('~/') ? join(homedir(), text.slice(2)) : resolve(text);
}

/** An http or https base URL without query, fragment, credentials and final slash. */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ConfigError(`${source}: "${text}" is not an http or https URL`);
  }
  return url.href.replace(/\/+$/, '');
}

/** An address or a network in CIDR form (`10.0.0.0/8`, `fd00::/8`). */
export function checkNetwork(text: string, source: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
  if (version === 0 || !isRange || rest.length > 0) {
    throw new ConfigError(`${source}: "${text}" is not an IP address or network`);
  }
  return text;
}

/** A web origin as browsers send it: scheme, host and port, nothing more. */
export function checkOrigin(text: string, source: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new ConfigError(`${source}: "${text}" is not an origin such as https://app.example.org`);
  }
  return text;
}

/** A host name without port, in lower case. */
export function checkHostName(text: string, source: string): string {
  if (!/^[A-Za-z0-9.-]{1,253}$/.test(text)) {
    throw new ConfigError(`${source}: "${text}" is not a host name such as node.example.org`);
  }
  return text.toLowerCase();
}

/** The key of an observer, or * for any. */
export function checkObserver(text: string, source: string): string {
  if (text !== '*' && !/^[0-9a-f]{64}$/.test(text)) {
    throw new ConfigError(`${source}: "${text}" is neither a node key (64 hex digits) nor *`);
  }
  return text;
}

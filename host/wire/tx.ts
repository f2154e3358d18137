// SERVICE-TX-V1 (protocol 5.2, 5.3): the envelope of a signed write, its sign bytes and its TxID.
// Keeps: the checks run in the order of protocol 5.3 and answer with the texts quoted there; everything that was signed
// is kept as sent, since hex in headers is signed in the case in which it arrived.
// Never looks up keys and never verifies signatures: checks 5 to 8 come after this file.

import { ServiceError } from '../errors.ts';
import { fromHex, isHex, utf8 } from './bytes.ts';
import { sha256 } from './hash.ts';
import { jsonString as quoted } from './json.ts';

export const TX_VERSION = 'SERVICE-TX-V1';

/** Longest time between creation and expiry of a request, in seconds (protocol 8.2). */
export const TX_LIFETIME_SECS = 120;
/** How far the clocks of client and node may differ, in seconds, in either direction. */
export const TX_SKEW_SECS = 60;

/** The required headers in the order of protocol 5.2, which is the order of the presence check. */
export const TX_HEADERS = [
  'X-Service-Version',
  'X-Service-Chain-ID',
  'X-Service-Actor',
  'X-Service-Created',
  'X-Service-Expires',
  'X-Service-Nonce',
  'X-Service-Signature',
] as const;
const LOWER_HEADERS = TX_HEADERS.map((name) => name.toLowerCase());

/** Value of a request header by its lower-case name. */
export type HeaderGetter = (name: string) => string | undefined;

/** The content of the seven headers. */
export interface TxV1 {
  chainId: string;
  /** agent_id or hex64 key, as sent. */
  actor: string;
  /** Unix seconds. */
  createdAt: number;
  expiresAt: number;
  /** 32 hex characters, as sent. */
  nonce: string;
  /** As sent; 128 hex characters if well formed, see `signatureBytes`. */
  signature: string;
}

/** 1 to 10 decimal digits as a number, otherwise undefined. */
function parseTimestamp(text: string): number | undefined {
  return /^[0-9]{1,10}$/.test(text) ? Number(text) : undefined;
}

/**
 * Checks the validity window at `nowSecs`: the reason why a request is outside it, or undefined.
 * Source: protocol 5.3 #3b.
 */
function windowFault(createdAt: number, expiresAt: number, nowSecs: number): string | undefined {
  const lifetime = expiresAt - createdAt;
  if (lifetime < 0 || lifetime > TX_LIFETIME_SECS) return 'lifetime_exceeds_maximum';
  if (nowSecs > expiresAt + TX_SKEW_SECS) return 'expired';
  if (createdAt > nowSecs + TX_SKEW_SECS) return 'created_in_future';
  return undefined;
}

/**
 * Checks 1 to 4 of protocol 5.3, in order. `header` takes lower-case names.
 * Errors, all 400: `tx_missing_header`, `tx_unsupported_version`, `tx_chain_mismatch`,
 * `tx_invalid_timestamp`, `tx_expired` (details.reason), `tx_invalid_nonce`. The form of the signature
 * belongs to checks 5 to 8.
 */
export function readTxV1(header: HeaderGetter, chainId: string, nowSecs: number): TxV1 {
  const values: string[] = [];
  for (let i = 0; i < LOWER_HEADERS.length; i++) {
    const value = header(LOWER_HEADERS[i]!);
    if (!value) {
      throw new ServiceError('tx_missing_header', { text: `tx: missing required header: ${TX_HEADERS[i]}` });
    }
    values.push(value);
  }
  const [version, chain, actor, created, expires, nonce, signature] = values as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (version !== TX_VERSION) throw new ServiceError('tx_unsupported_version');
  if (chain !== chainId) throw new ServiceError('tx_chain_mismatch');
  const createdAt = parseTimestamp(created);
  const expiresAt = parseTimestamp(expires);
  if (createdAt === undefined || expiresAt === undefined) throw new ServiceError('tx_invalid_timestamp');
  const reason = windowFault(createdAt, expiresAt, nowSecs);
  if (reason) throw new ServiceError('tx_expired', { details: { reason } });
  if (!isHex(nonce, 32)) throw new ServiceError('tx_invalid_nonce');
  return { chainId: chain, actor, createdAt, expiresAt, nonce, signature };
}

/**
 * The bytes an agent signs: the JCS form of the nine members, written by hand because the member order
 * is known. `method` in capitals, `path` raw without query, `bodySha256` as hex64.
 */
export function txSignBytes(
  tx: Omit<TxV1, 'signature'>,
  method: string,
  path: string,
  bodySha256: string,
): Uint8Array {
  return utf8(
    `{"actor":${quoted(tx.actor)},"body_sha256":"${bodySha256}","chain_id":${quoted(tx.chainId)}` +
      `,"created_at":${tx.createdAt},"expires_at":${tx.expiresAt},"method":${quoted(method)}` +
      `,"nonce":${quoted(tx.nonce)},"path":${quoted(path)},"version":"${TX_VERSION}"}`,
  );
}

/** TxID = SHA-256 of the sign bytes, 32 bytes. The event_id is its hex form. */
export function txId(signBytes: Uint8Array): Uint8Array {
  return sha256(signBytes);
}

/** The 64 bytes of a signature header, undefined unless it is 128 hex characters of either case. */
export function signatureBytes(text: string): Uint8Array | undefined {
  return text.length === 128 ? fromHex(text) : undefined;
}

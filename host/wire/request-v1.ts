// SERVICE-REQUEST-V1 (protocol 5.4), the deprecated scheme: headers, signed text and id.
// Keeps: every fault is 401 auth_failed, without details; the body hash covers the raw bytes, not the JCS form. The
// scheme is not bound to a chain, so it is disabled on mainnet.

import { ServiceError } from '../errors.ts';
import { isHex, utf8 } from './bytes.ts';
import type { HeaderGetter } from './tx.ts';

/** Largest distance between the timestamp and the node's clock at admission, in seconds. */
const REQUEST_V1_SKEW_SECS = 30;
/** A request may run while consensus time is at most its timestamp plus this, in seconds. */
export const REQUEST_V1_LIFETIME_SECS = 120;

export interface RequestV1 {
  /** agent_id or hex64 key of a registered agent, as sent. */
  agentId: string;
  /** Unix seconds. */
  timestamp: number;
  /** 32 hex characters, as sent. */
  nonce: string;
  /** As sent; see `signatureBytes` in tx.ts. */
  signature: string;
}

/**
 * Reads the headers of a request and checks its time window. `header` takes lower-case names. A timestamp
 * is a decimal number without leading zeros, so that the signed text can be rebuilt from the number.
 * Errors: 401 `auth_failed`.
 */
export function readRequestV1(header: HeaderGetter, nowSecs: number): RequestV1 {
  const agentId = header('x-service-agent-id');
  const sent = header('x-service-timestamp');
  const nonce = header('x-service-nonce');
  const signature = header('x-service-signature');
  if (!agentId || !sent || !nonce || !signature) throw new ServiceError('auth_failed');
  const timestamp = Number(sent);
  if (!/^(0|[1-9][0-9]{0,9})$/.test(sent)) throw new ServiceError('auth_failed');
  if (Math.abs(nowSecs - timestamp) > REQUEST_V1_SKEW_SECS) throw new ServiceError('auth_failed');
  if (!isHex(nonce, 32)) throw new ServiceError('auth_failed');
  return { agentId, timestamp, nonce, signature };
}

/**
 * The seven signed lines. `rawBodySha256`: hex64 over the raw body bytes. The id is the SHA-256 of
 * these bytes.
 */
export function requestV1SignBytes(
  request: Omit<RequestV1, 'signature'>,
  method: string,
  path: string,
  rawBodySha256: string,
): Uint8Array {
  return utf8(
    `SERVICE-REQUEST-V1\nmethod:${method}\npath:${path}\nagent_id:${request.agentId}\nnonce:${request.nonce}` +
      `\ntimestamp:${request.timestamp}\nbody_sha256:${rawBodySha256}`,
  );
}

// SERVICE-NODE-V1 (protocol 5.7): the envelope in which a node vouches for an unsigned or API-key write.
// Keeps: the accepting node's consensus key signs the request, its actor and its expiry; the event id is the SHA-256 of
// the signed form. The core, not this file, decides whether the envelope is valid when it executes.

import { toHex, utf8 } from './bytes.ts';

/** Lifetime of an envelope, in seconds: expires_at = created_at + this. */
export const VOUCHED_LIFETIME_SECS = 120;

export interface Vouched {
  chainId: string;
  /** agent_id of the acting agent. */
  actor: string;
  /** Unix seconds. */
  createdAt: number;
  /** 32 lower-case hex characters, chosen by the node. */
  nonce: string;
  /** Consensus key of the accepting node, 32 bytes. */
  node: Uint8Array;
  /** 16 lower-case hex characters, empty for an unsigned write. */
  keyId: string;
}

/** The JCS form of the envelope: what the node signs and what the event id is the hash of. */
export function vouchedSignBytes(
  vouched: Vouched,
  method: string,
  path: string,
  bodySha256: string,
): Uint8Array {
  const keyId = vouched.keyId === '' ? '' : `"key_id":${JSON.stringify(vouched.keyId)},`;
  return utf8(
    `{"actor":${JSON.stringify(vouched.actor)},"body_sha256":"${bodySha256}"` +
      `,"chain_id":${JSON.stringify(vouched.chainId)},"created_at":${vouched.createdAt}` +
      `,"expires_at":${vouched.createdAt + VOUCHED_LIFETIME_SECS},${keyId}"method":${JSON.stringify(method)}` +
      `,"node":"${toHex(vouched.node)}","nonce":${JSON.stringify(vouched.nonce)}` +
      `,"path":${JSON.stringify(path)},"version":"SERVICE-NODE-V1"}`,
  );
}

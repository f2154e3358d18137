// A signed write: SERVICE-TX-V1 headers over method, path and body.
// Keeps: the body is sent in its canonical form, so the hashed bytes are the sent bytes; a prepared request never
// changes, so resending it is always the same transaction. Source: protocol 5.2.

import { toHex } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import { jcs } from '../wire/json.ts';
import { TX_VERSION, txId, txSignBytes } from '../wire/tx.ts';
import type { Signer } from './signer.ts';
import type { HttpRequest } from './transport.ts';

/** Within the 120 s that a request may live (protocol 8.2), with room for clock skew. */
const LIFETIME_SECS = 60;

export interface SignedRequest extends HttpRequest {
  headers: Record<string, string>;
  body: string;
  /** The transaction's id, and the id of its event once executed. */
  txid: string;
  expiresAt: number;
}

interface SignInput {
  signer: Signer;
  chainId: string;
  method: string;
  path: string;
  body: Record<string, unknown>;
  nowSecs: number;
  /** 16 random bytes. */
  nonce: Uint8Array;
}

/** Signs one write. Throws for a body without a canonical JSON form. */
export async function signRequest(input: SignInput): Promise<SignedRequest> {
  const { signer, chainId, method, path, nowSecs } = input;
  const body = jcs(input.body);
  const expiresAt = nowSecs + LIFETIME_SECS;
  const tx = {
    chainId,
    actor: signer.publicKeyHex,
    createdAt: nowSecs,
    expiresAt,
    nonce: toHex(input.nonce),
  };
  const signBytes = txSignBytes(tx, method, path, sha256Hex(body));
  const signature = toHex(await signer.sign(signBytes));
  return {
    method,
    path,
    body,
    txid: toHex(txId(signBytes)),
    expiresAt,
    headers: {
      'content-type': 'application/json',
      'X-Service-Version': TX_VERSION,
      'X-Service-Chain-ID': tx.chainId,
      'X-Service-Actor': tx.actor,
      'X-Service-Created': String(tx.createdAt),
      'X-Service-Expires': String(tx.expiresAt),
      'X-Service-Nonce': tx.nonce,
      'X-Service-Signature': signature,
    },
  };
}

// Signs writes ahead of a run, so that signing is not measured.
// Keeps: each write is one transaction, complete with headers; the same object sent twice is the same transaction.

import { type SignedRequest, signRequest } from '../../host/client/signed-request.ts';
import type { Signer } from '../../host/client/signer.ts';
import { generateSeed, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { requestBytes } from './connection.ts';

export interface SignedWrite {
  txid: string;
  request: SignedRequest;
  /** The whole HTTP request. */
  bytes: Buffer;
}

export const newSigner = (): Signer => keyPairFromSeed(generateSeed());

/** One POST, signed now; valid for a minute. `nowSecs`: another time than this machine's. */
async function signPost(
  signer: Signer,
  chainId: string,
  path: string,
  body: Record<string, unknown>,
  nowSecs = Math.floor(systemClock.nowMs() / 1000),
): Promise<SignedRequest> {
  return signRequest({ signer, chainId, method: 'POST', path, body, nowSecs, nonce: randomBytes(16) });
}

/** A signed request as the bytes for the connection. */
export async function signedWrite(
  signer: Signer,
  chainId: string,
  path: string,
  body: Record<string, unknown>,
): Promise<SignedWrite> {
  const signed = await signPost(signer, chainId, path, body);
  return { txid: signed.txid, request: signed, bytes: requestBytes(signed) };
}

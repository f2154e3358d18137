// Which public keys are acceptable at all (protocol 5.2, pitfall C6).
// Keeps: a key of small order, off the curve or not in canonical form never identifies anybody, because under ZIP-215
// anyone can sign for such keys. Signature verification does not check this; callers check here and keep the result,
// since one check costs as much as decompressing a point in BigInt.

import { Point } from '@noble/ed25519';

/** True for 32 bytes that are the canonical encoding of a curve point which is not of small order. */
export function isAcceptableKey(key: Uint8Array): boolean {
  if (key.length !== 32) return false;
  try {
    return !Point.fromBytes(key, false).isSmallOrder();
  } catch {
    return false;
  }
}

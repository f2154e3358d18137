// Which public keys are acceptable at all (protocol 5.2, pitfall C6).
// Keeps: a key of small order, off the curve or written in another than its canonical form never names
// anybody: ZIP-215 lets anyone sign for such keys. Verification itself does not ask; callers ask here,
// and keep the answer, since one answer costs about as much as decompressing a point in BigInt.

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

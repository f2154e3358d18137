// The encodings on which Ed25519 libraries disagree: all 14 that ZIP-215 reads as points of small order, eight canonical
// and six not, and signatures that hold under its cofactored equation alone.

import { Point } from '@noble/ed25519';
import type { SignatureJob } from '../../host/wire/bytes.ts';
import { L, littleEndian, P, type SeededRandom, toBigInt } from './signatures.ts';

const ORDER_8 = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', true);

function torsionPoints(): Point[] {
  const points = [Point.ZERO];
  while (points.length < 8) points.push(points[points.length - 1]!.add(ORDER_8));
  return points;
}

/**
 * Every way to write a point of small order: its y, or y + p where that still fits 255 bits, with either sign bit,
 * as long as x = 0 or the sign names one of the eight.
 */
export function smallOrderEncodings(): Uint8Array[] {
  const found = new Set<string>();
  for (const point of torsionPoints()) {
    const { x, y } = point.toAffine();
    for (const written of [y, y + P].filter((n) => n < 2n ** 255n)) {
      for (const sign of x === 0n ? [0n, 1n] : [x & 1n]) found.add((written | (sign << 255n)).toString(16));
    }
  }
  return Array.from(found, (hex) => littleEndian(BigInt(`0x${hex}`)));
}

/** Key and R of small order with S = 0: 196 combinations, all good under ZIP-215 whatever the message. */
export function zip215Jobs(message: Uint8Array): SignatureJob[] {
  const encodings = smallOrderEncodings();
  return encodings.flatMap((publicKey) =>
    encodings.map((r) => {
      const signature = new Uint8Array(64);
      signature.set(r);
      return { publicKey, message, signature };
    }),
  );
}

/** (R, S) with R = S B + a point of small order: good under every key of small order and for every message. */
export function torsionSignatures(random: SeededRandom, count: number): Uint8Array[] {
  const torsion = torsionPoints();
  return Array.from({ length: count }, (_, i) => {
    const s = toBigInt(random.bytes(64)) % L;
    const signature = new Uint8Array(64);
    signature.set(
      Point.BASE.multiply(s)
        .add(torsion[i % 8]!)
        .toBytes(),
    );
    signature.set(littleEndian(s), 32);
    return signature;
  });
}

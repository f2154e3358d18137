// Signatures that no library makes: good only under the cofactored equation, and malleable ones.

import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';
import { concat } from '../../../host/wire/bytes.ts';

const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORDER_8 = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', true);

const sha512 = (...parts: Uint8Array[]) =>
  createHash('sha512')
    .update(concat(...parts))
    .digest();
const fromLittle = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const toLittle = (n: bigint) =>
  new Uint8Array(Buffer.from(n.toString(16).padStart(64, '0'), 'hex').reverse());

/** An RFC 8032 signature whose R is moved by a point of order 8: holds under ZIP-215, not without the cofactor. */
export function signWithTorsion(seed: Uint8Array, message: Uint8Array): Uint8Array {
  const expanded = sha512(seed);
  expanded[0]! &= 248;
  expanded[31] = (expanded[31]! & 127) | 64;
  const a = fromLittle(expanded.subarray(0, 32));
  const r = fromLittle(sha512(expanded.subarray(32), message)) % L;
  const big = Point.BASE.multiply(r).add(ORDER_8).toBytes();
  const key = Point.BASE.multiply(a % L).toBytes();
  const k = fromLittle(sha512(big, key, message)) % L;
  return concat(big, toLittle((r + k * a) % L));
}

/** The same signature with S + L in place of S. */
export function addOrder(signature: Uint8Array): Uint8Array {
  return concat(signature.subarray(0, 32), toLittle(fromLittle(signature.subarray(32)) + L));
}

// The curve of links between nodes, for keys whose secret is in another process: the handshake's product with the own key
// is then asked for there. Everything else is the library's.

import { createRequire } from 'node:module';

interface CurveKey {
  publicKey: Uint8Array;
  secretKey: Uint8Array;
  dh?(point: Uint8Array): Uint8Array;
}
interface Curve {
  dh(point: Uint8Array, key: CurveKey): Buffer;
}

/** The one object that the handshake of @hyperswarm/secret-stream calls. */
const library = createRequire(import.meta.url).resolve('@hyperswarm/secret-stream');
const curve = createRequire(library)('noise-curve-ed') as Curve;
const { dh } = curve;
curve.dh = (point, key) => (key.dh ? Buffer.from(key.dh(point)) : dh(point, key));

/** The product of a key's scalar and a point: what a signer answers with. */
export const curveProduct = (point: Uint8Array, key: CurveKey): Uint8Array => new Uint8Array(dh(point, key));

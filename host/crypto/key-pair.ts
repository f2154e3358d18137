// Ed25519 key pairs (RFC 8032), on Node's implementation.
// Keeps: the seed stays inside a closure, and nothing here prints or serialises it; only the transport of node-to-node
// links receives it.
// Signs, and decrypts what is encrypted to the key. Signatures are verified elsewhere, by the rule of ZIP-215.

import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { toHex } from '../wire/bytes.ts';
import { type OpeningKey, sharedSecret } from '../wire/sealed-text.ts';
import { vertexId, vertexSigningBytes } from '../wire/vertex.ts';
import { randomBytes } from '../world/system/random.ts';
import type { TransportKey } from '../world/transport.ts';

/** DER prefixes of an Ed25519 key; the raw 32 bytes follow (RFC 8410). */
const PKCS8_HEAD = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);
const SPKI_HEAD_BYTES = 12;

export const SEED_BYTES = 32;

/** What the process that holds a key knows of its use. */
export interface HeldKey {
  /** The newest vertex that was signed, as of the start; undefined: none, or it was not recorded. */
  newest: { epoch: number; seq: number; id: string } | undefined;
  /** The key has signed no vertex. */
  isUnused: boolean;
  /** The key is in a token: it opens nothing that is encrypted to it. */
  onlySigns: boolean;
}

/** A key that signs, wherever its secret is. */
export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly publicKeyHex: string;
  /** 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
  /** Signs a vertex of its seat, given its header and the number of its epoch. */
  signVertex(header: Uint8Array, epoch: number): Uint8Array;
}

export interface KeyPair extends SigningKey, OpeningKey {
  readonly publicKey: Uint8Array;
  /** For the handshake of links between nodes, and nothing else. */
  linkKey(): TransportKey;
  /** What a signer says of this key, if it is in one. */
  readonly held?: HeldKey;
}

/** The key pair of a 32-byte seed. Throws a RangeError on another length. */
export function keyPairFromSeed(seed: Uint8Array): KeyPair {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes`);
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(spki.subarray(SPKI_HEAD_BYTES));
  const secret = Buffer.concat([seed, publicKey]);
  return {
    publicKey,
    publicKeyHex: toHex(publicKey),
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
    sharedSecret: (other) => sharedSecret(secret.subarray(0, SEED_BYTES), other),
    signVertex: (header) => new Uint8Array(sign(null, vertexSigningBytes(vertexId(header)), privateKey)),
    linkKey: () => ({ publicKey, secretKey: new Uint8Array(secret) }),
  };
}

export function generateSeed(): Uint8Array {
  return randomBytes(SEED_BYTES);
}

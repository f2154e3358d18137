// Signatures for tests, made with node:crypto from seeded randomness, and the reference verdict of @noble/ed25519.

import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import * as noble from '@noble/ed25519';
import type { SignatureJob } from '../../host/wire/bytes.ts';

noble.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());

export const fromHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

export const L = 2n ** 252n + 27742317777372353535851937790883648493n;
export const P = 2n ** 255n - 19n;

export function littleEndian(n: bigint, bytes = 32): Uint8Array {
  const out = new Uint8Array(bytes);
  for (let i = 0; i < bytes; i++) out[i] = Number((n >> BigInt(8 * i)) & 255n);
  return out;
}

export function toBigInt(bytes: Uint8Array): bigint {
  let n = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) n = (n << 8n) | BigInt(bytes[i]!);
  return n;
}

/** Deterministic bytes: a test that fails names its seed, and the seed brings the failure back. */
export class SeededRandom {
  #counter = 0;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  bytes(count: number): Uint8Array {
    const parts: Buffer[] = [];
    for (let have = 0; have < count; have += 64) {
      parts.push(
        createHash('sha512')
          .update(`${this.#seed}:${this.#counter++}`)
          .digest(),
      );
    }
    return new Uint8Array(Buffer.concat(parts).subarray(0, count));
  }

  below(limit: number): number {
    return Buffer.from(this.bytes(6)).readUIntLE(0, 6) % limit;
  }
}

export class Signer {
  readonly publicKey: Uint8Array;
  readonly #key;

  constructor(seed: Uint8Array) {
    const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    this.#key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    this.publicKey = new Uint8Array(
      createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(-32),
    );
  }

  sign(message: Uint8Array): SignatureJob {
    return { publicKey: this.publicKey, message, signature: new Uint8Array(sign(null, message, this.#key)) };
  }
}

/** `count` good signatures by `signers` keys over messages of about 140 bytes. */
export function goodJobs(random: SeededRandom, count: number, signers = count): SignatureJob[] {
  const keys = Array.from({ length: signers }, () => new Signer(random.bytes(32)));
  return Array.from({ length: count }, (_, i) => keys[i % signers]!.sign(random.bytes(random.below(280))));
}

/** The job with one bit changed somewhere in its key, R, S or message. */
export function mutate(random: SeededRandom, job: SignatureJob): SignatureJob {
  const copy = {
    publicKey: job.publicKey.slice(),
    message: job.message.slice(),
    signature: job.signature.slice(),
  };
  const place = random.below(4);
  const flip = (bytes: Uint8Array, from: number, length: number) => {
    const bit = random.below(length * 8);
    bytes[from + (bit >> 3)]! ^= 1 << (bit & 7);
  };
  if (place === 0) flip(copy.publicKey, 0, 32);
  else if (place === 1) flip(copy.signature, 0, 32);
  else if (place === 2 || copy.message.length === 0) flip(copy.signature, 32, 32);
  else flip(copy.message, 0, copy.message.length);
  return copy;
}

/** What @noble/ed25519 says by ZIP-215. */
export function referenceVerdict({ publicKey, message, signature }: SignatureJob): number {
  try {
    return noble.verify(signature, message, publicKey, { zip215: true }) ? 1 : 0;
  } catch {
    return 0;
  }
}

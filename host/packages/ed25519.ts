// The package ./ed25519: signature verification by ZIP-215 alone, with the module inside, so that it runs wherever
// WebAssembly does, without a file or a request.
// Keeps: the module is compiled at the first call, and once.

import { hasSimd } from '../core/simd.ts';
import { type Ed25519Wasm, openEd25519 } from '../crypto/ed25519-wasm.ts';
import type { SignatureJob } from '../wire/bytes.ts';
import { systemEnvironment } from '../world/portable.ts';
import { scalar, simd } from './ed25519-bytes.ts';

export type { SignatureJob } from '../wire/bytes.ts';

let opened: Ed25519Wasm | undefined;

function open(): Ed25519Wasm {
  if (opened) return opened;
  const bytes = Uint8Array.from(atob(hasSimd() ? simd : scalar), (letter) => letter.charCodeAt(0));
  opened = openEd25519(new WebAssembly.Module(bytes), systemEnvironment.randomBytes);
  return opened;
}

/**
 * Whether a signature is good by ZIP-215.
 * @param publicKey 32 bytes.
 * @param message at most 1 MiB, RangeError beyond.
 * @param signature 64 bytes. Another length of key or signature is a bad signature.
 */
export const verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  open().verifyOne({ publicKey, message, signature });

/** The verdict on each, as `verify` would give it; many cost less together. Errors: RangeError as for `verify`. */
export const verifyBatch = (jobs: readonly SignatureJob[]): boolean[] =>
  Array.from(open().verifyBatch(jobs), (verdict) => verdict === 1);

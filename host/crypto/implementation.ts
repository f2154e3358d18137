// The two implementations of the one rule, ZIP-215: batches in WebAssembly, and the reference library.
// They give the same verdict on every input, so a node may run either.

import type { World } from '../world/world.ts';
import { loadEd25519 } from './ed25519-load.ts';
import { referenceVerifyMany } from './reference-verify.ts';
import type { VerifyMany } from './verifier.ts';

export type Implementation = 'wasm' | 'noble';

/** Errors: `wasm` throws when the module is not built. */
export function openImplementation(
  name: Implementation,
  world: Pick<World, 'program' | 'randomBytes'>,
): VerifyMany {
  if (name === 'noble') return referenceVerifyMany;
  const wasm = loadEd25519(world);
  return (jobs) =>
    jobs.length === 1 ? Uint8Array.of(wasm.verifyOne(jobs[0]!) ? 1 : 0) : wasm.verifyBatch(jobs);
}

// Compiles build/ed25519.wasm, or the build without SIMD where the runtime lacks it.
// Keeps: one compilation for each build and thread; every call opens a new instance.

import { buildFor, hasSimd } from '../core/simd.ts';
import type { World } from '../world/world.ts';
import type { Ed25519Wasm } from './ed25519-wasm.ts';
import { openEd25519 } from './ed25519-wasm.ts';

const compiled = new Map<string, WebAssembly.Module>();

/** A verifier with a new instance. Errors: the module is not built, or of another ABI version. */
export function loadEd25519(
  { program, randomBytes }: Pick<World, 'program' | 'randomBytes'>,
  simd: boolean = hasSimd(),
): Ed25519Wasm {
  const name = buildFor('ed25519', simd);
  const module = compiled.get(name) ?? new WebAssembly.Module(program.read(name));
  compiled.set(name, module);
  return openEd25519(module, randomBytes);
}

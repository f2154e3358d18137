// Finds and compiles build/ed25519.wasm on Node, or the build without SIMD where the runtime lacks it.
// Keeps: one compilation for each build and thread; every call opens an instance of its own.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { randomBytes } from '../world/random.ts';
import type { Ed25519Wasm } from './ed25519-wasm.ts';
import { hasSimd, openEd25519 } from './ed25519-wasm.ts';

const compiled = new Map<string, WebAssembly.Module>();

/** The module beside the compiled host, or in build/ when the host runs from its sources. */
function compile(name: string): WebAssembly.Module {
  const known = compiled.get(name);
  if (known) return known;
  const places = [`../../${name}`, `../../build/${name}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const path = places.find((place) => existsSync(place));
  if (!path) throw new Error(`${name} is missing: run npm run build`);
  const module = new WebAssembly.Module(readFileSync(path));
  compiled.set(name, module);
  return module;
}

/** A verifier of its own instance. Errors: the module is not built, or of another ABI version. */
export function loadEd25519(simd: boolean = hasSimd()): Ed25519Wasm {
  return openEd25519(compile(simd ? 'ed25519.wasm' : 'ed25519-scalar.wasm'), randomBytes);
}

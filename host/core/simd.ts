// Whether this runtime has 128-bit vectors, and which builds of the modules it can run.

// A module of one function that uses a 128-bit vector: i32x4.splat(0) dropped.
const SIMD_PROBE = [
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 0x41, 0, 0xfd, 0x11, 0x1a,
  0x0b,
];

/** Whether this runtime can run the builds with SIMD. */
export function hasSimd(): boolean {
  return WebAssembly.validate(new Uint8Array(SIMD_PROBE));
}

/** File of the core, or of signatures, for this runtime: each has a build with SIMD and one without, alike in all answers. */
export function buildFor(name: 'core' | 'ed25519', simd: boolean = hasSimd()): string {
  return simd ? `${name}.wasm` : `${name}-scalar.wasm`;
}

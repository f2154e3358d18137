// The module in two builds, base64: what the packaging puts in the place of this file (tools/packages.mjs).

/** build/ed25519.wasm */
export const simd = '';
/** build/ed25519-scalar.wasm, for runtimes without 128-bit vectors. */
export const scalar = '';

// The builds under test. Every test of verdicts runs on both.

import { loadEd25519 } from '../../host/crypto/ed25519-load.ts';
import type { Ed25519Wasm } from '../../host/crypto/ed25519-wasm.ts';
import { systemWorld } from '../../host/world/system/world.ts';

export const BUILDS: readonly [name: string, open: () => Ed25519Wasm][] = [
  ['simd', () => loadEd25519(systemWorld, true)],
  ['scalar', () => loadEd25519(systemWorld, false)],
];

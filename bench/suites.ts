// The suites by name, in the order they run. Each is loaded only when it runs, so that their memory does not add up.

import type { Suite } from './row.ts';

export const SUITES = {
  ledger: () => import('./ledger.ts'),
  signatures: () => import('./signatures.ts'),
  programs: () => import('./programs.ts'),
  wire: () => import('./wire.ts'),
  store: () => import('./store.ts'),
  http: () => import('./http.ts'),
  node: () => import('./node.ts'),
  stream: () => import('./stream.ts'),
  growth: () => import('./growth.ts'),
  market: () => import('./market.ts'),
  routing: () => import('./routing.ts'),
  cluster: () => import('./cluster.ts'),
  finality: () => import('./finality.ts'),
  verify: () => import('./verify.ts'),
  export: () => import('./export.ts'),
  proofs: () => import('./proofs.ts'),
  consensus: () => import('./consensus.ts'),
} as const satisfies Record<string, () => Promise<{ run: Suite }>>;

type SuiteName = keyof typeof SUITES;

export const SUITE_NAMES = Object.keys(SUITES) as readonly SuiteName[];

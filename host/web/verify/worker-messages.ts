// What the page and its verifier, which runs in a worker, say to each other.

import type { CheckedAgent, VerifyProgress, VerifyVerdict } from '../verify-link.ts';

export type ToWorker =
  | { type: 'start'; way: 'genesis' | 'checkpoint'; node: string }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'reset'; call: number; node: string }
  | { type: 'agent'; call: number; id: string };

export type FromWorker =
  | { type: 'progress'; progress: VerifyProgress }
  | { type: 'verdict'; verdict: VerifyVerdict }
  | { type: 'failed'; text: string }
  | { type: 'answer'; call: number; agent: CheckedAgent | undefined; fault?: string };

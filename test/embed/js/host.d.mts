// Types of host.mjs for tests.

import type { Sha256 } from './doors.d.mts';

export interface ModuleResult {
  name: string;
  cases: number;
  mismatches: string[];
  loadMs: number;
  runMs: number;
}

export interface RunOptions {
  readModule(name: string): Uint8Array;
  sha256: Sha256;
  now(): number;
  rounds?: number;
}

export function runVectors(text: string, options: RunOptions): ModuleResult[];

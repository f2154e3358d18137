// Policy v1: the verifier and threshold of each category, and the numbers of protocol 6.14 that the measures use.

import type { VerifierName } from './types.ts';

/** 10,000 bp = 1. */
export const BP = 10_000;
/** Bytes of an output that are scored; the rest is stored but not read. */
export const SCORED_BYTES = 262_144;

export type GroupName = 'code' | 'data' | 'analysis' | 'content' | 'other';
export interface Group {
  readonly name: GroupName;
  readonly verifier: VerifierName;
  readonly thresholdBp: number;
}

/** Special category groups. Source: protocol 2. */
const GROUPS: readonly [Group, readonly string[]][] = [
  [{ name: 'code', verifier: 'code', thresholdBp: 6500 }, ['code', 'code-review', 'technical', 'security']],
  [
    { name: 'data', verifier: 'data', thresholdBp: 7000 },
    ['data', 'data-analysis', 'data-validation', 'research'],
  ],
  [{ name: 'analysis', verifier: 'data', thresholdBp: 6000 }, ['analysis']],
  [
    { name: 'content', verifier: 'content', thresholdBp: 5000 },
    ['content', 'writing', 'documentation', 'translation'],
  ],
];
const OTHER: Group = { name: 'other', verifier: 'keyword', thresholdBp: 6000 };
const BY_CATEGORY = new Map(GROUPS.flatMap(([group, names]) => names.map((name) => [name, group] as const)));

/** The group of a category as stored (lower-case, trimmed); every unknown one is `other`. */
export function groupOf(category: string): Group {
  return BY_CATEGORY.get(category) ?? OTHER;
}

/** Bytes at which the length of an output gets the full score. Source: protocol 6.14 "len". */
export const FULL_LENGTH_BYTES = 100;

/** floor(part × 10000 ÷ whole), exact: part ≤ 2^18 and whole > 0, so the product is a safe integer. */
export function shareBp(part: number, whole: number): number {
  return Math.floor((part * BP) / whole);
}

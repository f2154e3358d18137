// The measures of protocol 6.14 that all verifiers share, in basis points.

import { BP, FULL_LENGTH_BYTES, shareBp } from './policy.ts';
import type { Output, Reading } from './reading.ts';
import { GRAM } from './sequence-set.ts';

export interface Measures {
  /** Terms found in the output. */
  readonly cov: number;
  /** Length against 100 bytes. */
  readonly len: number;
  /** Criteria met. */
  readonly crit: number;
  /** Distinct words among the first 2,000. */
  readonly div: number;
  /** Four-word sequences copied from the task. */
  readonly echo: number;
}

/** Coverage for a task without terms: nothing could be found or missed. */
const NO_TERMS_BP = 5000;
const DIVERSITY_WORDS = 2000;

/** Distinct terms in taskWords[from, to), and how many of them the output contains. `seen`: 0 for every id. */
function countTerms(reading: Reading, from: number, to: number, seen: Uint8Array): [number, number] {
  let all = 0;
  let found = 0;
  for (let i = from; i < to; i++) {
    const id = reading.taskWords[i]!;
    if (!reading.isTerm(id) || seen[id] !== 0) continue;
    seen[id] = 1;
    all++;
    if (reading.isInOutput(id)) found++;
  }
  for (let i = from; i < to; i++) seen[reading.taskWords[i]!] = 0;
  return [all, found];
}

function lengthBp(output: Output): number {
  const bytes = output.bytes.length;
  return bytes >= FULL_LENGTH_BYTES ? BP : shareBp(bytes, FULL_LENGTH_BYTES);
}

function diversityBp(reading: Reading): number {
  const words = reading.words.subarray(0, DIVERSITY_WORDS);
  if (words.length === 0) return 0;
  const seen = new Uint8Array(reading.lexicon.count);
  let distinct = 0;
  for (const id of words) {
    if (seen[id] === 0) distinct++;
    seen[id] = 1;
  }
  return shareBp(distinct, words.length);
}

function echoBp(reading: Reading): number {
  const all = reading.words.length - GRAM + 1;
  if (all <= 0) return 0;
  let taken = 0;
  for (let i = 0; i < all; i++) if (reading.taskGrams.has(reading.words, i, GRAM)) taken++;
  return shareBp(taken, all);
}

/** All five measures of an output. */
export function measure(reading: Reading, output: Output): Measures {
  const seen = new Uint8Array(reading.lexicon.count);
  const [terms, found] = countTerms(reading, 0, reading.taskWords.length, seen);
  const len = lengthBp(output);
  let met = 0;
  for (const [from, to] of reading.criteria) {
    const [all, have] = countTerms(reading, from, to, seen);
    if (2 * have >= all) met++;
  }
  return {
    cov: terms === 0 ? NO_TERMS_BP : shareBp(found, terms),
    len,
    crit: reading.criteria.length === 0 ? len : shareBp(met, reading.criteria.length),
    div: diversityBp(reading),
    echo: echoBp(reading),
  };
}

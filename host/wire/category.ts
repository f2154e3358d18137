// Categories and tags: the normal form in which they are compared, and the label that represents it in the core.
// Keeps: the same text has the same form on every node. Only ASCII is lower-cased and trimmed: Unicode tables differ
// between runtime versions, and nodes that fold differently would split the network.

import { invalid } from '../errors.ts';
import { utf8 } from './bytes.ts';
import { utf8Length } from './fields.ts';
import { sha256 } from './hash.ts';

/** Longest category in bytes (protocol 2). */
export const MAX_CATEGORY_BYTES = 50;
/** Category of tasks that name none. */
export const GENERAL = 'general';
/** Reserved for the records of transfers and generations (protocol 2). */
const RESERVED = ['transfer', 'generation'];

/** Of a code: tab to carriage return, and the space. */
const isBlank = (code: number): boolean => (code >= 9 && code <= 13) || code === 32;

/** Normal form of a category or tag: lower-cased and trimmed, ASCII only. Of any length, as a reader asks for it. */
export function normalName(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  // No pattern: it would try each blank of a run within the text as the beginning of the last one.
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to).replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/**
 * The category of a task as it is stored: `general` when absent or empty.
 * Errors: 400 `invalid_request` for a reserved name. Source: protocol 2.
 */
export function taskCategory(text: string | undefined): string {
  const name = normalName(text ?? '');
  if (RESERVED.includes(name)) throw invalid(`category ${name} is reserved`);
  if (utf8Length(name) > MAX_CATEGORY_BYTES) throw invalid(`category has over ${MAX_CATEGORY_BYTES} bytes`);
  return name === '' ? GENERAL : name;
}

/** The category of a listing or capability as it is stored: `general` when blank. Source: protocol 2. */
export const listingCategory = (text: string): string => normalName(text) || GENERAL;

/** The categories of a capability or validator as stored: in normal form, without repetitions, in the given order. */
export const categoryList = (given: readonly string[]): string[] => [...new Set(given.map(listingCategory))];

/** First 8 bytes of the SHA-256 of a name in its normal form (assembly/abi.ts "Label"). */
export const labelOf = (name: string): Uint8Array => sha256(utf8(normalName(name))).subarray(0, 8);

/** Labels of tags; empty tags are left out, since they match nothing. */
export const tagLabels = (tags: readonly string[]): Uint8Array[] =>
  tags.filter((tag) => normalName(tag) !== '').map(labelOf);

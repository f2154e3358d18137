// Categories and tags as they are compared: one normal form, and the label that stands for it in the core.
// Keeps: the same text has the same form on every node. Case is folded and space trimmed for ASCII only, since the
// tables of Unicode grow with the program that runs this, and nodes that fold differently would split the network.

import { invalid } from '../errors.ts';
import { utf8 } from './bytes.ts';
import { utf8Length } from './fields.ts';
import { sha256 } from './hash.ts';

/** Longest category in bytes. protocol 2. */
export const CATEGORY_BYTES = 50;
/** Category of tasks that name none. */
export const GENERAL = 'general';
/** Kept for records of transfers and generations (protocol 2). */
const RESERVED = ['transfer', 'generation'];

/** A category or tag as it is compared: lower-cased and trimmed, ASCII only. */
export function normalName(text: string): string {
  const trimmed = text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, '');
  return trimmed.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/**
 * The category of a task as it is stored: `general` when absent or empty.
 * Errors: 400 `invalid_request` for a reserved name. Source: protocol 2.
 */
export function taskCategory(text: string | undefined): string {
  const name = normalName(text ?? '');
  if (RESERVED.includes(name)) throw invalid(`category ${name} is reserved`);
  if (utf8Length(name) > CATEGORY_BYTES) throw invalid(`category has over ${CATEGORY_BYTES} bytes`);
  return name === '' ? GENERAL : name;
}

/** The category of a listing or capability as it is stored: `general` when blank. Source: protocol 2. */
export const listingCategory = (text: string): string => normalName(text) || GENERAL;

/** The categories of a capability or validator as they are stored: in normal form, each once, in the order given. */
export const categoryList = (given: readonly string[]): string[] => [...new Set(given.map(listingCategory))];

/** First 8 bytes of the SHA-256 of a name in its normal form (assembly/abi.ts "Label"). */
export const labelOf = (name: string): Uint8Array => sha256(utf8(normalName(name))).subarray(0, 8);

/** Labels of tags without the empty ones, which match nothing. */
export const tagLabels = (tags: readonly string[]): Uint8Array[] =>
  tags.filter((tag) => normalName(tag) !== '').map(labelOf);

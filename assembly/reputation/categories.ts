// Names of categories, numbered: `transfer`, `generation` and `general` first, others as they appear.
// Keeps: the number of a name never changes; rows are 56 bytes, u32 length and the name padded with zeros,
// the category form of abi.ts.

import { CATEGORY_GENERAL, CATEGORY_GENERATION, CATEGORY_TRANSFER } from '../abi';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, slotCount } from '../lib/key-index';
import { writeLiteral } from '../lib/text';
import { CATEGORIES, capacity, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const CATEGORY_ROW_BYTES: u32 = 56;
export const MAX_CATEGORY_BYTES: u32 = 50;
const NAME: usize = 4;
const BY_NAME: usize = memory.data(64, 8);
const SCRATCH: usize = memory.data(56, 8);

export function categoryAt(index: u32): usize {
  return root().categories + <usize>index * CATEGORY_ROW_BYTES;
}

export function categoryName(index: u32): usize {
  return categoryAt(index) + NAME;
}

export function categoryBytes(index: u32): u32 {
  return load<u32>(categoryAt(index));
}

export function attachCategories(): void {
  const r = root();
  const slots = slotCount(capacity(CATEGORIES));
  const index = changetype<KeyIndex>(BY_NAME);
  attachIndex(index, r.categorySlots, slots, r.categories, CATEGORY_ROW_BYTES, 0, CATEGORY_ROW_BYTES);
}

export function rebuildCategoryIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_NAME));
  for (let i: u32 = 0; i < header().categoryCount; i++) addRow(changetype<KeyIndex>(BY_NAME), i);
}

/** Number of the category in the 56-byte form at `form`, or -1 when it has none yet. */
export function findCategory(form: usize): i32 {
  return findRow(changetype<KeyIndex>(BY_NAME), form);
}

/** Number of the category in the 56-byte form at `form`, added if it is new; -1 when the table is full. */
export function internCategory(form: usize): i32 {
  const known = findRow(changetype<KeyIndex>(BY_NAME), form);
  if (known >= 0) return known;
  if (header().categoryCount >= capacity(CATEGORIES)) return -1;
  const index = header().categoryCount++;
  memory.copy(categoryAt(index), form, CATEGORY_ROW_BYTES);
  markBytes(categoryAt(index), CATEGORY_ROW_BYTES);
  addRow(changetype<KeyIndex>(BY_NAME), index);
  return <i32>index;
}

export function hasCategoryRow(): bool {
  return header().categoryCount < capacity(CATEGORIES);
}

/** True when the 56-byte form is this name. */
export function categoryNameIs(form: usize, name: string): bool {
  if (load<u32>(form) != <u32>name.length) return false;
  const text = changetype<usize>(name);
  for (let i: usize = 0; i < <usize>name.length; i++) {
    if (<u16>load<u8>(form + NAME + i) != load<u16>(text + (i << 1))) return false;
  }
  return true;
}

/** True when the 56 bytes are a length of 1..50, that many bytes, and zeros. */
export function isCategoryForm(form: usize): bool {
  const bytes = load<u32>(form);
  if (bytes == 0 || bytes > MAX_CATEGORY_BYTES) return false;
  for (let i: usize = NAME + bytes; i < CATEGORY_ROW_BYTES; i++) if (load<u8>(form + i) != 0) return false;
  return true;
}

function addFixed(name: string, index: u32): void {
  memory.fill(SCRATCH, 0, CATEGORY_ROW_BYTES);
  writeLiteral(SCRATCH + NAME, name);
  store<u32>(SCRATCH, <u32>name.length);
  assert(internCategory(SCRATCH) == <i32>index, 'a fixed category has another number');
}

export function addFixedCategories(): void {
  addFixed('transfer', CATEGORY_TRANSFER);
  addFixed('generation', CATEGORY_GENERATION);
  addFixed('general', CATEGORY_GENERAL);
}

// Names of categories, numbered: `transfer`, `generation`, `general` and those of protocol 2.4 first, others as they are
// named. Keeps: the number of a name never changes; rows are 56 bytes, u32 length and the name padded with zeros,
// the category form of abi.ts.

import { CATEGORY_GENERAL } from '../abi';
import { Agent } from '../ledger/agents';
import { payFee, rowPrice } from '../ledger/row-price';
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

// A name is kept for ever and there are few rows for them, so it costs as much as ten other rows.
const PRICE_ROWS: u64 = 10;

/** What it costs to add `added` names, micro-units; -1 when there is no room for them. protocol 6.18. */
export function categoriesFee(added: u32): i64 {
  const count = header().categoryCount;
  if (count + added > capacity(CATEGORIES)) return -1;
  let fee: u64 = 0;
  for (let i: u32 = 0; i < added; i++) fee += PRICE_ROWS * rowPrice(CATEGORIES, count + i);
  return <i64>fee;
}

/** Number of the category in the 56-byte form at `form`, which the caller has paid for if it is new. */
export function internCategory(form: usize): u32 {
  const known = findCategory(form);
  if (known >= 0) return <u32>known;
  const index = header().categoryCount++;
  memory.copy(categoryAt(index), form, CATEGORY_ROW_BYTES);
  markBytes(categoryAt(index), CATEGORY_ROW_BYTES);
  addRow(changetype<KeyIndex>(BY_NAME), index);
  return index;
}

/**
 * Number of the category of a task. A new name is added at the poster's expense; when there is no room for it, or the
 * poster cannot pay, the task counts as `general`.
 */
export function nameCategory(poster: Agent, form: usize): u32 {
  const known = findCategory(form);
  if (known >= 0) return <u32>known;
  const fee = categoriesFee(1);
  if (fee < 0 || poster.balance < <u64>fee) return CATEGORY_GENERAL;
  payFee(poster, <u64>fee);
  return internCategory(form);
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

/** Names that are there from the beginning, and cost nobody anything. */
export const FIXED_CATEGORIES: u32 = 17;

function addFixed(name: string): void {
  memory.fill(SCRATCH, 0, CATEGORY_ROW_BYTES);
  writeLiteral(SCRATCH + NAME, name);
  store<u32>(SCRATCH, <u32>name.length);
  internCategory(SCRATCH);
}

export function addFixedCategories(): void {
  addFixed('transfer');
  addFixed('generation');
  addFixed('general');
  addFixed('code');
  addFixed('code-review');
  addFixed('technical');
  addFixed('security');
  addFixed('data');
  addFixed('data-analysis');
  addFixed('data-validation');
  addFixed('research');
  addFixed('analysis');
  addFixed('content');
  addFixed('writing');
  addFixed('documentation');
  addFixed('translation');
  addFixed('creative');
  assert(header().categoryCount == FIXED_CATEGORIES, 'a fixed category is missing');
}

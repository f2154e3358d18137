// Labels as keys of the router's indexes, and the categories that labels belong to.
// Keeps: a category and a tag of one name have different keys; a label names the category whose name has it.
// A label is the first 8 bytes of SHA-256 of a name (abi.ts). The list of labels is derived from the table of
// categories and grows with it, so it is not part of the state.

import { addRow, attachIndex, findRow, KeyIndex, slotCount } from '../lib/key-index';
import { sha256 } from '../lib/sha256';
import { categoryBytes, categoryName } from '../reputation/categories';
import { CATEGORIES, capacity, header } from '../state/header';

const INDEX: usize = memory.data(64, 8);
const HASH: usize = memory.data(32, 8);
const SOUGHT: usize = memory.data(8, 8);

@unmanaged
class Known {
  /** Number of categories whose labels are in the list. */
  count: u32;
  labels: usize;
}
const KNOWN: usize = memory.data(16, 8);

function known(): Known {
  return changetype<Known>(KNOWN);
}

/** Key of a category's label. The lowest bit tells the kinds apart: keys only locate, labels are compared in full. */
export function categoryKey(label: u64): u64 {
  return label & ~(<u64>1);
}

/** Key of a tag's label. */
export function tagKey(label: u64): u64 {
  return label | 1;
}

/** One of 64 bits for a label: where it is not set, the label is absent. */
export function labelBit(label: u64): u64 {
  return (<u64>1) << (label >> 58);
}

/** Bytes of the list and its index for that many categories. */
export function labelBytes(categories: u32): u64 {
  return ((<u64>categories) << 3) + ((<u64>slotCount(categories)) << 3);
}

/** Points the list at its memory and empties it. */
export function attachLabels(at: usize): void {
  const rows = capacity(CATEGORIES);
  known().labels = at;
  known().count = 0;
  const index = changetype<KeyIndex>(INDEX);
  attachIndex(index, at + ((<usize>rows) << 3), slotCount(rows), at, 8, 0, 8);
}

/** Adds the categories that are new since the last call. */
export function learnCategories(): void {
  const list = known();
  while (list.count < header().categoryCount) {
    sha256(categoryName(list.count), categoryBytes(list.count), HASH);
    store<u64>(list.labels + ((<usize>list.count) << 3), load<u64>(HASH));
    addRow(changetype<KeyIndex>(INDEX), list.count++);
  }
}

/** Index of the category with this label, or -1 while no record uses its name. */
export function categoryOf(label: u64): i32 {
  store<u64>(SOUGHT, label);
  return findRow(changetype<KeyIndex>(INDEX), SOUGHT);
}

/** Label of a category in the list. */
export function labelOf(category: u32): u64 {
  return load<u64>(known().labels + ((<usize>category) << 3));
}

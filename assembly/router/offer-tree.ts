// All listed offers in one binary tree over the bits of (label key, class, price, tags, agent).
// Keeps: each inner node knows the range of ranks below it and the best share, so that a search can skip
// whole sides; the depth is at most the 224 bits of a key, whatever prices are chosen.
// A row carries the leaf and at most one inner node, which is always above that leaf; so n leaves need n rows.

import { innerRef, isLeaf, leafRef, Offer, offerAt, refOffer, refRow, sumUp } from './offers';

const LABEL_BITS: u32 = 64;
const RANK_BITS: u32 = 128;
const TAG_BITS: u32 = 192;
const MAX_DEPTH: u32 = 224;
// Rows of the inner nodes on the path to the current leaf, from the root.
const PATH: usize = memory.data(896, 8);

@unmanaged
class Tree {
  root: u32;
  depth: u32;
}
const TREE: usize = memory.data(8, 8);

function tree(): Tree {
  return changetype<Tree>(TREE);
}

export function clearOfferTree(): void {
  tree().root = 0;
}

function pathAt(position: u32): u32 {
  return load<u32>(PATH + ((<usize>position) << 2));
}

function pushPath(row: u32): void {
  assert(tree().depth < MAX_DEPTH, 'offer tree: too deep');
  store<u32>(PATH + ((<usize>tree().depth) << 2), row);
  tree().depth++;
}

function bitOf(offer: Offer, bit: u32): bool {
  if (bit < LABEL_BITS) return ((offer.label >> (63 - <u64>bit)) & 1) != 0;
  if (bit < RANK_BITS) return ((offer.rank >> (127 - <u64>bit)) & 1) != 0;
  if (bit < TAG_BITS) return ((offer.tags >> (191 - <u64>bit)) & 1) != 0;
  return ((offer.agent >> (223 - bit)) & 1) != 0;
}

// The first bit in which two different keys differ.
function firstDifference(a: Offer, b: Offer): u32 {
  if (a.label != b.label) return <u32>clz<u64>(a.label ^ b.label);
  if (a.rank != b.rank) return LABEL_BITS + <u32>clz<u64>(a.rank ^ b.rank);
  if (a.tags != b.tags) return RANK_BITS + <u32>clz<u64>(a.tags ^ b.tags);
  assert(a.agent != b.agent, 'offer tree: the same offer twice');
  return TAG_BITS + <u32>clz<u32>(a.agent ^ b.agent);
}

function replaceChild(row: u32, old: u32, ref: u32): void {
  const node = offerAt(row);
  if (node.left == old) node.left = ref;
  else node.right = ref;
}

// Replaces the child `old` of the node at a position of the path by `ref`; position -1 is the root.
function hang(position: i32, old: u32, ref: u32): void {
  if (position < 0) tree().root = ref;
  else replaceChild(pathAt(<u32>position), old, ref);
}

// Updates the sums of the path's nodes, bottom up. Sums of nodes above a single label are never read.
function sumUpPath(): void {
  for (let position = tree().depth; position > 0; position--) {
    const node = offerAt(pathAt(position - 1));
    if (node.bit < LABEL_BITS) return;
    sumUp(node);
  }
}

// Walks towards the key of an offer down to a leaf or to the first node that splits at or after `bit`.
function walk(offer: Offer, bit: u32): u32 {
  tree().depth = 0;
  let ref = tree().root;
  while (!isLeaf(ref) && refOffer(ref).bit < bit) {
    pushPath(refRow(ref));
    ref = bitOf(offer, refOffer(ref).bit) ? refOffer(ref).right : refOffer(ref).left;
  }
  return ref;
}

/** Adds the leaf of a row to the tree; its key must not change while it is there. */
export function listOffer(row: u32): void {
  const offer = offerAt(row);
  offer.isListed = 1;
  offer.left = 0;
  if (tree().root == 0) {
    tree().root = leafRef(row);
    return;
  }
  const bit = firstDifference(offer, refOffer(walk(offer, MAX_DEPTH)));
  const other = walk(offer, bit);
  hang(<i32>tree().depth - 1, other, innerRef(row));
  const isRight = bitOf(offer, bit);
  offer.bit = <u8>bit;
  offer.left = isRight ? other : leafRef(row);
  offer.right = isRight ? leafRef(row) : other;
  pushPath(row);
  sumUpPath();
}

// Moves the inner node of `from`, which is on the path, into `to`, which carries none.
function moveInner(from: u32, to: u32): void {
  const source = offerAt(from);
  const target = offerAt(to);
  target.left = source.left;
  target.right = source.right;
  target.bit = source.bit;
  // Its sums are updated with the rest of the path or, above a single label, never read.
  let position: u32 = 0;
  while (pathAt(position) != from) position++;
  hang(<i32>position - 1, innerRef(from), innerRef(to));
  store<u32>(PATH + ((<usize>position) << 2), to);
}

/** Removes the leaf of a row while its key is the one it was added with. */
export function unlistOffer(row: u32): void {
  const offer = offerAt(row);
  const ref = walk(offer, MAX_DEPTH);
  assert(ref == leafRef(row), 'offer tree: the offer is missing');
  offer.isListed = 0;
  if (tree().depth == 0) {
    tree().root = 0;
    return;
  }
  const parent = pathAt(tree().depth - 1);
  const node = offerAt(parent);
  const sibling = node.left == ref ? node.right : node.left;
  tree().depth--;
  hang(<i32>tree().depth - 1, innerRef(parent), sibling);
  // The inner node of the parent's row is free now; that of the removed row, if any, moves there.
  node.left = 0;
  if (offer.left != 0) moveInner(row, parent);
  offer.left = 0;
  sumUpPath();
}

/** Updates the sums after the share of a listed offer changed. */
export function refreshOffer(row: u32): void {
  walk(offerAt(row), MAX_DEPTH);
  sumUpPath();
}

/** The side of the tree that holds the offers under one label key, as a reference; 0 when there are none. */
export function offersUnder(label: u64): u32 {
  let ref = tree().root;
  if (ref == 0) return 0;
  while (!isLeaf(ref) && refOffer(ref).bit < LABEL_BITS) {
    const node = refOffer(ref);
    ref = ((label >> (63 - <u64>node.bit)) & 1) != 0 ? node.right : node.left;
  }
  // The row of an inner node is that of a leaf below it.
  return refOffer(ref).label == label ? ref : 0;
}

// The state hash: a 16-ary Merkle tree of SHA-256 over the leaves of the hashed range.
// Keeps: equal states have equal roots, whatever their history; only changed parts are rehashed.
// leaf = SHA-256(512 bytes, 0x00); node of level k = SHA-256(16 child hashes, byte k). Missing leaves
// on the right count as zero leaves. The root is the single node of the last level.

import { LEAF_BYTES } from '../abi';
import { copy32, isZero } from '../lib/bytes';
import { sha256Tagged } from '../lib/sha256';
import { addMessage, hashMessages, MESSAGES_BYTES, Messages } from '../lib/sha256-four';
import { keepLeaf } from './kept-leaves';
import { clearMark, MARK_HASH, nextMarked } from './marks';
import { root } from './root';

const FAN_SHIFT: u32 = 4;
const FAN: u32 = 16;
const MAX_LEVELS: u32 = 9;
const HASH_BYTES: usize = 32;
// Hash of an all-zero subtree of each level. A node of 32 zero bytes in the tree represents it, so that
// empty space is neither hashed nor written: fresh memory is already the tree of an empty state.
const ZERO_HASHES: usize = memory.data(288, 16);
// Children of the nodes that are hashed together.
const CHILDREN: usize = memory.data(2048, 16);
const WAITING: usize = memory.data(MESSAGES_BYTES, 8);

function messages(): Messages {
  return changetype<Messages>(WAITING);
}

/** Number of nodes on all levels for that many leaves: the size of the arena. */
export function nodeCount(leaves: u32): u32 {
  let sum = leaves;
  for (let level = leaves; level > 1; ) {
    level = (level + FAN - 1) >> FAN_SHIFT;
    sum += level;
  }
  return sum;
}

/** Computes the hashes of empty subtrees; once, at core_init. */
export function prepareTree(): void {
  memory.fill(CHILDREN, 0, LEAF_BYTES);
  sha256Tagged(CHILDREN, 0, ZERO_HASHES);
  for (let level: u32 = 1; level < MAX_LEVELS; level++) {
    const below = ZERO_HASHES + (<usize>level - 1) * HASH_BYTES;
    for (let child: usize = 0; child < FAN; child++) copy32(CHILDREN + child * HASH_BYTES, below);
    sha256Tagged(CHILDREN, <u8>level, below + HASH_BYTES);
  }
}

// Hashes every marked leaf unless its hash is there, clears its mark, and lists it. Returns how many.
function hashLeaves(isHashed: bool): u32 {
  const r = root();
  const m = messages();
  let changed: u32 = 0;
  for (let leaf = nextMarked(0, MARK_HASH); leaf >= 0; leaf = nextMarked(<u32>leaf + 1, MARK_HASH)) {
    if (!isHashed) {
      addMessage(m, r.base + <usize>leaf * LEAF_BYTES, 0, r.nodes + <usize>leaf * HASH_BYTES);
      keepLeaf(<u32>leaf);
    }
    clearMark(<u32>leaf, MARK_HASH);
    store<u32>(r.changedNodes + ((<usize>changed) << 2), <u32>leaf);
    changed++;
  }
  hashMessages(m, 0);
  // A second pass over the groups clears their marks, now that none of their leaves is marked.
  nextMarked(0, MARK_HASH);
  return changed;
}

// Writes the hashes of a node's children, 512 bytes.
function writeChildren(below: usize, belowCount: u32, level: u32, node: u32, to: usize): void {
  const zero = ZERO_HASHES + (<usize>level - 1) * HASH_BYTES;
  const first = node << FAN_SHIFT;
  for (let i: u32 = 0; i < FAN; i++) {
    const child = below + <usize>(first + i) * HASH_BYTES;
    const isEmpty = first + i >= belowCount || isZero(child, <u32>HASH_BYTES);
    copy32(to + <usize>i * HASH_BYTES, isEmpty ? zero : child);
  }
}

// Turns the list of changed nodes of one level into that of their parents, hashing each parent once.
function hashParents(changed: u32, below: usize, belowCount: u32, level: u32, nodes: usize): u32 {
  const list = root().changedNodes;
  const m = messages();
  let parents: u32 = 0;
  let last: u32 = u32.MAX_VALUE;
  for (let i: u32 = 0; i < changed; i++) {
    const parent = load<u32>(list + ((<usize>i) << 2)) >> FAN_SHIFT;
    if (parent == last) continue;
    last = parent;
    const children = CHILDREN + <usize>m.count * LEAF_BYTES;
    writeChildren(below, belowCount, level, parent, children);
    addMessage(m, children, <u8>level, nodes + <usize>parent * HASH_BYTES);
    store<u32>(list + ((<usize>parents) << 2), parent);
    parents++;
  }
  hashMessages(m, <u8>level);
  return parents;
}

// Brings the tree up to date; the address of its root.
function updated(isHashed: bool): usize {
  const r = root();
  let changed = hashLeaves(isHashed);
  let below = r.nodes;
  let count = r.leafCount;
  for (let level: u32 = 1; count > 1; level++) {
    const nodes = below + <usize>count * HASH_BYTES;
    changed = hashParents(changed, below, count, level, nodes);
    count = (count + FAN - 1) >> FAN_SHIFT;
    below = nodes;
  }
  return below;
}

/** Updates the tree and writes the 32 bytes of the root. Costs only what changed since the last call. */
export function writeStateHash(to: usize): void {
  copy32(to, updated(false));
}

/** The hashes of the marked leaves are in the tree already, as a snapshot has them: hashes what is above them. */
export function adoptHashes(): void {
  updated(true);
}

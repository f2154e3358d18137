// The answer from which a leaf is proven: its bytes as the last state hash has them, and all children on its way to the root.
// Keeps: read only; nodes are those of the last state hash, since only that writes them.

import { LEAF_BYTES, LEAF_CHILDREN, LEAF_FAN, LEAF_IS_KNOWN, LEAF_LEVELS, LEAF_OF_HASH } from '../abi';
import { leafOfHash } from '../state/kept-leaves';
import { root } from '../state/root';

const HASH_BYTES: usize = 32;
const FAN_SHIFT: u32 = 4;

// Children of the node of one level above `child`; those beyond the last one are zero.
function writeChildren(to: usize, nodes: usize, count: u32, child: u32): void {
  const first = (child >> FAN_SHIFT) << FAN_SHIFT;
  const there = min<u32>(LEAF_FAN, count - first);
  memory.copy(to, nodes + <usize>first * HASH_BYTES, <usize>there * HASH_BYTES);
  memory.fill(to + <usize>there * HASH_BYTES, 0, (<usize>LEAF_FAN - there) * HASH_BYTES);
}

/** Length of the answer, -1 for no leaf. */
export function answerLeaf(leaf: u32): i32 {
  const r = root();
  if (leaf >= r.leafCount) return -1;
  const out = r.output;
  const bytes = leafOfHash(leaf);
  store<u32>(out, bytes == 0 ? 0 : 1, LEAF_IS_KNOWN);
  if (bytes == 0) memory.fill(out + LEAF_OF_HASH, 0, LEAF_BYTES);
  else memory.copy(out + LEAF_OF_HASH, bytes, LEAF_BYTES);
  let to = out + LEAF_CHILDREN;
  let nodes = r.nodes;
  let count = r.leafCount;
  let child = leaf;
  let levels: u32 = 0;
  while (count > 1) {
    writeChildren(to, nodes, count, child);
    to += <usize>LEAF_FAN * HASH_BYTES;
    nodes += <usize>count * HASH_BYTES;
    count = (count + LEAF_FAN - 1) >> FAN_SHIFT;
    child >>= FAN_SHIFT;
    levels++;
  }
  store<u32>(out, levels, LEAF_LEVELS);
  return <i32>(to - out);
}

// The fresh states of specs do not overlap with the objects of the specs' runtime.

import { root } from '../../../assembly/state/root';
import { freshState } from './state';

const BLOCK_BYTES: usize = 65536;
// More than the memory before the first state.
const BLOCKS: usize = 32;
const TAKEN: usize = memory.data(128, 8);

// Allocates blocks while there is a state; true when none of them overlaps its arenas.
function keepsOut(): bool {
  freshState();
  const start = root().base;
  const end = (<usize>memory.size()) << 16;
  let isApart = true;
  for (let i: usize = 0; i < BLOCKS; i++) {
    const block = heap.alloc(BLOCK_BYTES);
    store<usize>(TAKEN + (i << 2), block);
    if (block + BLOCK_BYTES > start && block < end) isApart = false;
  }
  for (let i: usize = 0; i < BLOCKS; i++) heap.free(load<usize>(TAKEN + (i << 2)));
  return isApart;
}

describe('objects of a spec', () => {
  it('are never in the arenas of a state, the first or a later one', () => {
    const isFirstApart = keepsOut();
    const isLaterApart = keepsOut();
    expect(isFirstApart).toBe(true);
    expect(isLaterApart).toBe(true);
  });
});

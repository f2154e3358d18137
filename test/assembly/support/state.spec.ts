// The fresh states of specs against the memory that the runtime of specs takes for its own objects.

import { root } from '../../../assembly/state/root';
import { freshState } from './state';

const BLOCK_BYTES: usize = 65536;
// More than the memory that there is before the first state.
const BLOCKS: usize = 32;
const TAKEN: usize = memory.data(128, 8);

// Takes blocks while a state stands; true when none of them reaches into its arenas.
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

describe('what a spec allocates', () => {
  it('never stands in the arenas of a state, the first or a later one', () => {
    const isFirstApart = keepsOut();
    const isLaterApart = keepsOut();
    expect(isFirstApart).toBe(true);
    expect(isLaterApart).toBe(true);
  });
});

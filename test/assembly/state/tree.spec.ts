// Marks and the state hash: only the state matters, and every written leaf is detected.

import { equal32 } from '../../../assembly/lib/bytes';
import { takeDirty } from '../../../assembly/run/snapshot';
import { clearMark, MARK_HASH, MARK_SNAPSHOT, markBytes, nextMarked } from '../../../assembly/state/marks';
import { root } from '../../../assembly/state/root';
import { nodeCount, writeStateHash } from '../../../assembly/state/tree';
import { freshState, newAgent } from '../support/state';

const FIRST: usize = memory.data(32, 8);
const SECOND: usize = memory.data(32, 8);

describe('tree', () => {
  it('has sixteen children per node', () => {
    expect(nodeCount(1)).toBe(1);
    expect(nodeCount(16)).toBe(17);
    expect(nodeCount(17)).toBe(20);
    expect(nodeCount(257)).toBe(257 + 17 + 2 + 1);
  });

  it('has the old root when a change is undone, also to zero', () => {
    freshState();
    newAgent(1, 5, 0);
    writeStateHash(FIRST);
    const at = root().agents + 40 * 256;
    store<u64>(at, 9);
    markBytes(at, 8);
    writeStateHash(SECOND);
    expect(equal32(FIRST, SECOND)).toBe(false);
    store<u64>(at, 0);
    markBytes(at, 8);
    writeStateHash(SECOND);
    expect(equal32(FIRST, SECOND)).toBe(true);
  });
});

describe('marks', () => {
  it('cover both leaves of a range that crosses a boundary', () => {
    freshState();
    while (takeDirty(1000) > 0);
    markBytes(root().base + 512 * 5 - 4, 8);
    expect(nextMarked(0, MARK_SNAPSHOT)).toBe(4);
    expect(nextMarked(5, MARK_SNAPSHOT)).toBe(5);
    expect(nextMarked(6, MARK_SNAPSHOT)).toBe(-1);
  });

  it('are separate for hash and snapshot', () => {
    freshState();
    writeStateHash(FIRST);
    expect(nextMarked(0, MARK_HASH)).toBe(-1);
    expect(nextMarked(0, MARK_SNAPSHOT)).toBe(0);
    clearMark(0, MARK_SNAPSHOT);
    expect(nextMarked(0, MARK_SNAPSHOT)).toBe(1);
  });
});

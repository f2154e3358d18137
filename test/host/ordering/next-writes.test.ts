import { describe, expect, test } from 'vitest';
import { NextWrites } from '../../../host/ordering/next-writes.ts';

const NOW_MS = 1_800_000_000_000;
const ROUND_MS = 100;
/** A fifth of the round. */
const WAIT_MS = 20;

/** Two writes were answered at NOW_MS - 1000, and so many came in time; two more are answered at NOW_MS. */
function afterAnswers(followers: number): NextWrites {
  const writes = new NextWrites();
  writes.answered(2, NOW_MS - 1000, ROUND_MS);
  writes.came(followers, NOW_MS - 1000 + WAIT_MS - 1);
  writes.answered(2, NOW_MS, ROUND_MS);
  return writes;
}

describe('writes that follow answers', () => {
  test('are awaited where half of the clients wrote again in time, lately', () => {
    expect(afterAnswers(1).areAwaited(false, NOW_MS, ROUND_MS)).toBe(true);
    const once = afterAnswers(2);
    for (const waits of [true, false]) {
      expect(once.areAwaited(false, NOW_MS, ROUND_MS)).toBe(waits);
      once.answered(2, NOW_MS, ROUND_MS);
    }
    expect(afterAnswers(0).areAwaited(false, NOW_MS, ROUND_MS)).toBe(false);
  });

  test('are awaited of clients that nothing is known of: at first, and where answers are sixteen rounds ago', () => {
    const first = new NextWrites();
    first.came(2, NOW_MS - 500);
    expect(first.areAwaited(true, NOW_MS, Number.POSITIVE_INFINITY)).toBe(true);
    first.answered(2, NOW_MS, ROUND_MS);
    first.came(1, NOW_MS + 1);
    expect(first.areAwaited(false, NOW_MS + 1, ROUND_MS)).toBe(true);
    first.came(1, NOW_MS + 2);
    expect(first.areAwaited(false, NOW_MS + 2, ROUND_MS)).toBe(false);
    const disappointed = afterAnswers(0);
    expect(disappointed.areAwaited(true, NOW_MS + 16 * ROUND_MS, ROUND_MS)).toBe(false);
    expect(disappointed.areAwaited(true, NOW_MS + 16 * ROUND_MS + 1, ROUND_MS)).toBe(true);
    // What is forgotten does not come back.
    disappointed.answered(2, NOW_MS + 16 * ROUND_MS + 1, ROUND_MS);
    expect(disappointed.areAwaited(false, NOW_MS + 16 * ROUND_MS + 1, ROUND_MS)).toBe(true);
  });

  test('are awaited for a fifth of a round after the answers, 50 ms at most, by whole milliseconds', () => {
    const writes = afterAnswers(2);
    expect(writes.dueMs).toBe(NOW_MS + WAIT_MS);
    expect(writes.areAwaited(false, NOW_MS + WAIT_MS - 1, ROUND_MS)).toBe(true);
    expect(writes.areAwaited(false, NOW_MS + WAIT_MS, ROUND_MS)).toBe(false);
    writes.answered(1, NOW_MS, 2000);
    expect(writes.dueMs).toBe(NOW_MS + 50);
    writes.answered(1, NOW_MS, 4);
    expect(writes.dueMs).toBe(NOW_MS);
    writes.answered(1, NOW_MS, Number.POSITIVE_INFINITY);
    expect(writes.dueMs).toBe(NOW_MS + 50);
  });

  test('are awaited until so many came of those that were answered, as lately', () => {
    const writes = afterAnswers(2);
    writes.came(1, NOW_MS + 1);
    expect(writes.areAwaited(false, NOW_MS + 1, ROUND_MS)).toBe(true);
    writes.came(1, NOW_MS + 2);
    expect(writes.areAwaited(false, NOW_MS + 2, ROUND_MS)).toBe(false);
    const half = afterAnswers(1);
    half.came(1, NOW_MS + 1);
    expect(half.areAwaited(false, NOW_MS + 1, ROUND_MS)).toBe(false);
  });

  test('are awaited before the answers leave, by what came after those before', () => {
    const writes = afterAnswers(1);
    expect(writes.areAwaited(true, NOW_MS + 500, ROUND_MS)).toBe(false);
    writes.came(1, NOW_MS + 5);
    expect(writes.areAwaited(true, NOW_MS + 500, ROUND_MS)).toBe(true);
  });

  test('are not awaited where as many writes come at any other time', () => {
    const writes = new NextWrites();
    writes.answered(2, NOW_MS - 1000, ROUND_MS);
    writes.came(2, NOW_MS - 999);
    writes.came(2, NOW_MS - 500);
    expect(writes.areAwaited(true, NOW_MS, ROUND_MS)).toBe(true);
    writes.came(1, NOW_MS - 400);
    expect(writes.areAwaited(true, NOW_MS, ROUND_MS)).toBe(false);
  });

  test('that come after the wait are none of them', () => {
    const writes = new NextWrites();
    writes.answered(2, NOW_MS, ROUND_MS);
    writes.came(2, NOW_MS + WAIT_MS);
    expect(writes.areAwaited(true, NOW_MS + 500, ROUND_MS)).toBe(false);
  });

  test('are not awaited after the clock was set back, and no answers change nothing', () => {
    const writes = afterAnswers(2);
    expect(writes.areAwaited(false, NOW_MS - 1, ROUND_MS)).toBe(false);
    writes.answered(0, NOW_MS + 5, ROUND_MS);
    expect(writes.areAwaited(false, NOW_MS + 5, ROUND_MS)).toBe(true);
  });
});

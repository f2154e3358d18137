import { expect, it } from 'vitest';
import { ConnectionShares } from '../../../host/world/connection-shares.ts';

const MOST = 1_000;
const IDLE_MS = 10_000;

function shares(isProxy = (_: string) => false) {
  let nowMs = 5_000;
  let open = 0;
  const all = new ConnectionShares({
    most: MOST,
    idleMs: IDLE_MS,
    clock: { monotonicMs: () => nowMs },
    isProxy,
  });
  /** Opens so many; how many were taken. */
  const take = (address: string, count: number): number => {
    let taken = 0;
    for (let i = 0; i < count; i++) {
      if (!all.admits(address, open + 1)) continue;
      open += 1;
      taken += 1;
    }
    return taken;
  };
  return {
    all,
    take,
    end(count: number): void {
      open -= count;
    },
    pass(ms: number): void {
      nowMs += ms;
    },
  };
}

it('one network leaves places to all others, and they to each other', () => {
  const { take } = shares();
  const first = take('192.0.2.1', MOST) + take('192.0.2.77', MOST);
  expect([first >= MOST / 2, first < 0.6 * MOST]).toEqual([true, true]);
  const second = take('198.51.100.1', MOST);
  expect(second).toBeGreaterThan(MOST / 20);
  expect(take('2001:db8::1', MOST) + take('2001:db8:0:1::1', MOST)).toBeGreaterThan(MOST / 40);
  for (let i = 0; i < 20; i++) expect(take(`203.0.${i}.1`, 1)).toBe(1);
});

it('whoever opens them slowly and keeps them has no more for long', () => {
  const { all, take, end, pass } = shares();
  let held = 0;
  for (let i = 0; i < 100; i++) {
    held += take('192.0.2.1', 20);
    pass(IDLE_MS / 5);
    if (!all.isCrowded(held)) continue;
    // Each answer ends its connection while there are so many.
    end(held / 2);
    held /= 2;
  }
  expect(held).toBeLessThan(0.6 * MOST);
  expect(take('198.51.100.1', 100)).toBeGreaterThan(50);
});

it('a network that was refused is taken again when it has waited', () => {
  const { take, end, pass } = shares();
  const held = take('192.0.2.1', MOST);
  expect(take('192.0.2.1', 1)).toBe(0);
  end(held);
  take('198.51.100.1', MOST);
  pass(2 * IDLE_MS);
  expect(take('192.0.2.1', 1)).toBe(1);
});

it('a proxy stands for many, up to all', () => {
  const { take } = shares((address) => address === '192.0.2.9');
  expect(take('192.0.2.9', 2 * MOST)).toBe(MOST);
});

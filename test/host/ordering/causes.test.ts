// Why a seat makes vertices although nobody writes (consensus 5.13 d): the causes of a node in one situation.

import { describe, expect, it } from 'vitest';
import type { State } from '../../../host/core/state.ts';
import { Causes } from '../../../host/ordering/causes.ts';
import type { Ordering } from '../../../host/ordering/ordering.ts';

const NOW_MS = 1_800_000_000_000;
const SEAT = 2;

interface Situation {
  removed?: readonly number[];
  hasOwn?: boolean;
  isChangeWaiting?: boolean;
  nextDeadline?: number;
  timeMs?: number;
  seat?: number;
}

function causesOf(s: Situation): string[] {
  const ordering = {
    seat: s.seat ?? SEAT,
    head: { block: 7, timeMs: s.timeMs ?? NOW_MS - 100 },
    isChangeWaiting: s.isChangeWaiting ?? false,
    dag: { own: s.hasOwn ? { id: new Uint8Array(32), seq: 1, timeMs: NOW_MS } : undefined },
  } as unknown as Ordering;
  const state = {
    header: () => ({ nextDeadline: s.nextDeadline ?? 0 }),
    seats: () => [0, 1, 2, 3].map((seat) => ({ isRemoved: s.removed?.includes(seat) ?? false })),
  } as unknown as State;
  const causes = new Causes({ nowMs: () => NOW_MS, monotonicMs: () => 50_000 }, state, ordering);
  causes.onBlock();
  return causes.list();
}

describe('causes', () => {
  it('are none right after a block', () => {
    expect(causesOf({})).toEqual([]);
    expect(causesOf({ hasOwn: true })).toEqual([]);
  });

  it('a deadline, a late time, a change that waits', () => {
    expect(causesOf({ nextDeadline: NOW_MS / 1000 })).toEqual(['deadline']);
    expect(causesOf({ nextDeadline: NOW_MS / 1000 + 1 })).toEqual([]);
    expect(causesOf({ timeMs: NOW_MS - 60_000 })).toEqual(['late']);
    expect(causesOf({ isChangeWaiting: true })).toEqual(['change']);
  });

  it('the return of this seat, once in an epoch, and of no other', () => {
    expect(causesOf({ removed: [SEAT] })).toEqual(['return']);
    expect(causesOf({ removed: [SEAT], hasOwn: true })).toEqual([]);
    expect(causesOf({ removed: [1, 3] })).toEqual([]);
    // A node without a seat has nothing to return to.
    expect(causesOf({ removed: [0, 1, 2, 3], seat: -1 })).toEqual([]);
  });
});

// Who is held back, and for how long: by the kinds of junk, by what waits to be ordered, by who vouches (consensus 5.12).

import { beforeEach, describe, expect, it } from 'vitest';
import { Holding } from '../../../host/net/holding.ts';
import type { PayloadUse } from '../../../host/ordering/payload-use.ts';

const MIB = 1024 * 1024;
const NONE = { count: 0, bytes: 0 };
const JUNK = 3;

let nowMs = 0;
let connected: number[] = [];
let unordered = NONE;
let isBehind = false;
let hasUnfinishedWork = false;
let holding: Holding;

/** Four seats of which any three are a quorum; this node has seat 0. */
beforeEach(() => {
  [nowMs, connected, unordered, isBehind, hasUnfinishedWork] = [0, [1, 2, 3], NONE, false, false];
  holding = new Holding({
    clock: { monotonicMs: () => nowMs },
    ownSeat: 0,
    connected: () => connected,
    isQuorum: (seats) => new Set(seats).size >= 3,
    isBehind: () => isBehind,
    hasUnfinishedWork: () => hasUnfinishedWork,
    unordered: () => unordered,
  });
});

const isHeld = (seat = JUNK, isHeavy = true): boolean => holding.holds(seat, isHeavy, NONE);
const spoil = (mib: number, seat = JUNK): void => holding.charge(seat, { sure: mib * MIB, suspected: 0 });
const executed = (use: Partial<PayloadUse>, seat = JUNK): void => {
  const nothing = { usefulBytes: 0, junkBytes: 0, wasteBytes: 0, clearedBytes: 0, idleBytes: 0 };
  holding.executed(new Map([[seat, { ...nothing, ...use }]]));
};
/** Passes while blocks are made. */
const pass = (secs: number): void => {
  nowMs += secs * 1000;
  executed({});
};

describe('junk', () => {
  it('delays the payload of its seat by what it has, and nothing else of it, nor others', () => {
    expect(isHeld()).toBe(false);
    spoil(3);
    expect([isHeld(), isHeld(JUNK, false), isHeld(1), isHeld(0)]).toEqual([true, false, false, false]);
    // A mebibyte of debt at 64 KiB a second.
    pass(15);
    expect(isHeld()).toBe(true);
    pass(2);
    expect(isHeld()).toBe(false);
  });

  it('never costs more than 16 MiB of delay, and with more than 32 MiB the rest of the epoch', () => {
    for (let i = 0; i < 10; i++) spoil(3);
    pass(257);
    expect(isHeld()).toBe(false);
    spoil(3);
    pass(257);
    expect([isHeld(), isHeld(JUNK, false)]).toEqual([true, true]);
    holding.onEpoch();
    expect([isHeld(), isHeld(JUNK, false)]).toEqual([false, false]);
  });

  it('that was only suspected is given back once it was executed, and never bars anybody', () => {
    for (let i = 0; i < 100; i++) {
      holding.charge(JUNK, { sure: 0, suspected: 3 * MIB });
      expect(isHeld()).toBe(true);
      executed({ usefulBytes: 3 * MIB, clearedBytes: 3 * MIB });
      expect([isHeld(), isHeld(JUNK, false)]).toEqual([false, false]);
    }
  });

  it('that is seen only when it is executed counts as much', () => {
    for (let i = 0; i < 11; i++) {
      holding.charge(JUNK, { sure: 0, suspected: 3 * MIB });
      executed({ junkBytes: 3 * MIB });
    }
    pass(300);
    expect(isHeld(JUNK, false)).toBe(true);
    expect(holding.totals.get(JUNK)).toBe(33 * MIB);
  });
});

describe('empty vertices that bring nothing new', () => {
  it('delay all vertices of their seat by what they have, and are no junk', () => {
    executed({ idleBytes: 2 * MIB - 1 });
    expect(isHeld(JUNK, false)).toBe(false);
    executed({ idleBytes: MIB + 1 });
    expect([isHeld(), isHeld(JUNK, false), isHeld(1, false)]).toEqual([true, true, false]);
    // A mebibyte of debt at 64 KiB a second.
    pass(15);
    expect(isHeld(JUNK, false)).toBe(true);
    pass(2);
    expect([isHeld(JUNK, false), holding.totals.get(JUNK)]).toEqual([false, undefined]);
  });

  it('count for nothing where this node is behind: hours of them pass in seconds then', () => {
    isBehind = true;
    for (let i = 0; i < 40; i++) executed({ idleBytes: MIB });
    isBehind = false;
    expect(isHeld(JUNK, false)).toBe(false);
  });

  it('bar nobody for an epoch, and are taken from a seat that is needed', () => {
    for (let i = 0; i < 40; i++) executed({ idleBytes: MIB });
    connected = [1, JUNK];
    expect(isHeld(JUNK, false)).toBe(false);
    connected = [1, 2, JUNK];
    expect(isHeld(JUNK, false)).toBe(true);
    pass(257);
    expect(isHeld(JUNK, false)).toBe(false);
  });
});

describe('an honest seat', () => {
  it('is not held back under full load', () => {
    for (let i = 0; i < 1000; i++) {
      nowMs += 100;
      executed({ usefulBytes: 3 * MIB }, 1);
      expect(isHeld(1)).toBe(false);
    }
  });

  it('is not held back when clients send each request to every node', () => {
    for (let i = 0; i < 1000; i++) {
      nowMs += 100;
      executed({ usefulBytes: 3 * MIB }, 2);
      executed({ wasteBytes: 3 * MIB }, 1);
      expect(isHeld(1)).toBe(false);
    }
    expect(isHeld(1, false)).toBe(false);
  });

  it('is held back when clients make it pack what is refused, for half a minute at most', () => {
    executed({ wasteBytes: 31 * MIB }, 1);
    expect(isHeld(1)).toBe(false);
    for (let i = 0; i < 20; i++) executed({ wasteBytes: 3 * MIB }, 1);
    expect([isHeld(1), isHeld(1, false)]).toEqual([true, false]);
    pass(33);
    expect(isHeld(1)).toBe(false);
  });
});

describe('what is not ordered yet', () => {
  it('holds back further vertices until some are ordered, with what is under way', () => {
    unordered = { count: 1023, bytes: MIB };
    expect(holding.holds(1, false, NONE)).toBe(false);
    expect(holding.holds(1, false, { count: 1, bytes: 100 })).toBe(true);
    unordered = { count: 10, bytes: 64 * MIB };
    expect(holding.holds(1, false, NONE)).toBe(true);
    // Its sender has not overdrawn anything: what comes after it is kept.
    expect(holding.isOverdrawn(1)).toBe(false);
  });
});

describe('nobody is held back', () => {
  beforeEach(() => spoil(9));

  it('whom the connected seats need for a quorum', () => {
    connected = [2, 3];
    expect(isHeld()).toBe(false);
    connected = [1, 2];
    expect(isHeld()).toBe(true);
  });

  it('while this node is far behind', () => {
    isBehind = true;
    expect(isHeld()).toBe(false);
  });

  it('for half a minute after work waited three seconds for a block', () => {
    hasUnfinishedWork = true;
    for (; nowMs < 3000; nowMs += 100) expect(isHeld()).toBe(true);
    expect(isHeld()).toBe(false);
    pass(29);
    expect(isHeld()).toBe(false);
    pass(1.1);
    expect(isHeld()).toBe(true);
  });

  it('but not for the four seconds after which an idle network goes on by itself', () => {
    for (; nowMs < 4500; nowMs += 100) {
      hasUnfinishedWork = nowMs > 4200;
      expect(isHeld()).toBe(true);
    }
    for (; nowMs < 8000; nowMs += 100) isHeld();
    expect(isHeld()).toBe(false);
  });

  it('of several that are overdrawn the lower seats are done without first', () => {
    spoil(9, 2);
    expect([isHeld(2), isHeld(3)]).toEqual([true, false]);
  });
});

it('a seat can vouch for 16 MiB that are held back, and for 128 KiB a second more', () => {
  let bytes = 0;
  while (holding.vouch(1, 3 * MIB)) bytes += 3 * MIB;
  expect(bytes).toBe(18 * MIB);
  expect([holding.canVouch(1), holding.canVouch(2)]).toEqual([false, true]);
  pass(17);
  expect(holding.canVouch(1)).toBe(true);
});

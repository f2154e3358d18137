// When the block that was added last is the seal of its epoch (consensus 5.11): every node must say so of the same one.

import { expect, it } from 'vitest';
import { type Epoch, EpochRun } from '../../../host/ordering/epoch.ts';

const limits = { earlyBlocks: 2, blocks: 5, vertices: 40, timeMs: 500 };
const epoch = {
  number: 1,
  seats: [{ key: new Uint8Array(32), weight: 1n }],
  minParticipants: 1,
  limits,
  previousTimeMs: 1000,
} as unknown as Epoch;
const never = (): boolean => false;

it('is the first whose time is the span behind the seal before, to the millisecond', () => {
  const run = new EpochRun(epoch);
  run.add(1400, 1);
  run.add(1400, 1);
  expect(run.isSealDue(1499, never)).toBe(false);
  expect(run.isSealDue(1500, never)).toBe(true);
});

it('is none before so many blocks, whatever waits, and the last one that there may be', () => {
  const run = new EpochRun(epoch);
  run.add(9000, 1);
  expect(run.isSealDue(9000, () => true)).toBe(false);
  run.add(1001, 1);
  expect(run.isSealDue(1001, () => true)).toBe(true);
  for (const isLast of [false, false, true]) {
    run.add(1001, 1);
    expect(run.isSealDue(1001, never)).toBe(isLast);
  }
});

it('is the one that has the last vertex that an epoch may have', () => {
  const run = new EpochRun(epoch);
  run.add(1001, 39);
  expect(run.isSealDue(1001, never)).toBe(false);
  run.add(1001, 1);
  expect(run.isSealDue(1001, never)).toBe(true);
});

// Which seats are a quorum of an epoch, and which are a third (consensus 4): what checkpoints, seals and the clock rest on.

import { describe, expect, it } from 'vitest';
import {
  type Epoch,
  isQuorumAlone,
  isQuorumOf,
  isThirdOf,
  seatsThatMayFail,
} from '../../../host/ordering/epoch.ts';

const epochOf = (weights: readonly number[], minParticipants = 1): Epoch =>
  ({
    seats: weights.map((weight, seat) => ({ key: new Uint8Array(32).fill(seat), weight: BigInt(weight) })),
    minParticipants,
  }) as unknown as Epoch;

describe('a quorum', () => {
  it('has 66.7 % of the weight to the unit', () => {
    expect(isQuorumOf(epochOf([667, 333]), [0])).toBe(true);
    expect(isQuorumOf(epochOf([666, 334]), [0])).toBe(false);
    expect(isQuorumOf(epochOf([1, 1, 1]), [0, 1])).toBe(false);
    expect(isQuorumOf(epochOf([0, 0]), [0, 1])).toBe(false);
  });

  it('has min_participants with weight, whatever one of them weighs', () => {
    const epoch = epochOf([900, 50, 50, 0], 2);
    expect(isQuorumOf(epoch, [0])).toBe(false);
    expect(isQuorumOf(epoch, [0, 0])).toBe(false);
    expect(isQuorumOf(epoch, [0, 3])).toBe(false);
    expect(isQuorumOf(epoch, [0, 1])).toBe(true);
    expect(isQuorumAlone(epoch, 0)).toBe(false);
    expect(isQuorumAlone(epochOf([900, 50, 50]), 0)).toBe(true);
  });

  it('counts a seat once, and none that is not in the table', () => {
    const epoch = epochOf([1, 1, 1, 1], 3);
    expect(isQuorumOf(epoch, [0, 0, 0, 1])).toBe(false);
    expect(isQuorumOf(epoch, [0, 1, 7, -1])).toBe(false);
    expect(isQuorumOf(epoch, [0, 1, 2])).toBe(true);
  });

  it('bears so many failures of its heaviest seats', () => {
    expect(seatsThatMayFail(epochOf([1, 1, 1, 1]))).toBe(1);
    expect(seatsThatMayFail(epochOf([3, 1, 1, 1]))).toBe(0);
    expect(seatsThatMayFail(epochOf([1, 1, 1, 1], 4))).toBe(0);
    expect(seatsThatMayFail(epochOf([1, 1], 3))).toBeUndefined();
  });
});

it('a third is one exactly, of distinct seats: the others have no quorum without it', () => {
  const epoch = epochOf([1, 1, 1]);
  expect(isThirdOf(epoch, [0])).toBe(true);
  expect(isThirdOf(epochOf([1, 1, 1, 1]), [0, 0])).toBe(false);
  expect(isThirdOf(epochOf([1, 1, 1, 1]), [0, 1])).toBe(true);
});

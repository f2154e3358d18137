// Caps of protocol 6.9 over 10,000 panels of one day: no validator and no cluster exceeds its share where the others can
// fill the panels; the same panels on every node.

import { VALIDATOR_PROBATION } from '../../../assembly/abi';
import { drawPanel } from '../../../assembly/validators/assignment';
import { countVote } from '../../../assembly/validators/calibration';
import { excludeNobody } from '../../../assembly/validators/candidates';
import { seatsTodayOf, seatsTodayOfAll } from '../../../assembly/validators/day-seats';
import { validatorAt } from '../../../assembly/validators/validators';
import { drawn, drawPanels, eventId, GENERAL, panel, shareBp } from '../support/draws';
import { freshState, LAUNCH, newValidator, TOKEN } from '../support/state';

const PANELS: u64 = 10000;

function setUp(active: u64, probationary: u64 = 0): void {
  freshState();
  for (let i: u64 = 0; i < active; i++) newValidator(i, 25000 * TOKEN, 5000);
  for (let i = active; i < active + probationary; i++) {
    newValidator(i, 25000 * TOKEN, 5000, VALIDATOR_PROBATION);
  }
}

/** Puts validators from..to - 1 into one cluster. */
function join(from: u32, to: u32): void {
  for (let i = from; i < to; i++) validatorAt(i).cluster = from + 1;
}

/** Makes a validator's votes correct, or wrong, often enough for a weight of 12,000 or 7,000. */
function calibrate(index: u32, isRight: bool): void {
  for (let i = 0; i < 20; i++) countVote(index, GENERAL, isRight, true);
}

// Draws 10,000 panels; from the hundredth on no share of those drawn may be above the cap.
function expectCap(count: u32, size: u32, capBp: u64): void {
  let largest: u64 = 0;
  let seats = drawPanels(0, 100, size);
  for (let event: u64 = 100; event < PANELS; event++) {
    seats += drawPanels(event, event + 1, size);
    for (let position: usize = 0; position < size; position++) {
      largest = max<u64>(largest, shareBp(drawn(position), count));
    }
  }
  expect(seats).toBe(PANELS * size);
  expect(seatsTodayOfAll(LAUNCH)).toBe(seats);
  expect(largest).toBeLessThanOrEqual(capBp);
}

describe('a fifth with fewer than ten active validators', () => {
  it('nine candidates, panels of three', () => {
    setUp(9);
    expectCap(9, 3, 2000);
  });

  it('nine candidates, panels of five', () => {
    setUp(9);
    expectCap(9, 5, 2000);
  });

  it('one with six times the weight of each of nine others', () => {
    setUp(1, 9);
    calibrate(0, true);
    for (let i: u32 = 1; i < 10; i++) calibrate(i, false);
    expectCap(10, 3, 2000);
    // Without a cap it would have more than a quarter.
    expect(shareBp(0, 10)).toBeGreaterThan(1950);
  });

  it('three of nine in one cluster count as one', () => {
    setUp(9);
    join(2, 5);
    expectCap(9, 3, 2000);
    expect(shareBp(2, 9)).toBeGreaterThan(1950);
  });

  it('five candidates with a fifth each: within one panel of equal shares', () => {
    setUp(5);
    drawPanels(0, PANELS, 3);
    for (let i: u32 = 0; i < 5; i++) {
      expect(seatsTodayOf(i, LAUNCH)).toBeGreaterThanOrEqual((PANELS * 3) / 5 - 3);
      expect(seatsTodayOf(i, LAUNCH)).toBeLessThanOrEqual((PANELS * 3) / 5 + 3);
    }
  });
});

describe('fifteen in a hundred with ten active validators or more', () => {
  it('ten candidates, panels of three', () => {
    setUp(10);
    expectCap(10, 3, 1500);
  });

  it('ten candidates, panels of seven', () => {
    setUp(10);
    expectCap(10, 7, 1500);
  });

  it('ten candidates of different calibration', () => {
    setUp(10);
    for (let i: u32 = 0; i < 10; i++) calibrate(i, i < 2);
    expectCap(10, 5, 1500);
  });

  it('four of ten in one cluster, the others just able to fill the panels', () => {
    setUp(10);
    join(6, 10);
    expectCap(10, 3, 1500);
    expect(shareBp(6, 10)).toBeGreaterThan(1400);
  });

  it('forty candidates, panels of five', () => {
    setUp(40);
    expectCap(40, 5, 1500);
  });

  it('a cluster of twelve and one of ten among forty', () => {
    setUp(40);
    join(0, 12);
    join(20, 30);
    expectCap(40, 7, 1500);
    expect(shareBp(0, 40)).toBeGreaterThan(1450);
    expect(shareBp(20, 40)).toBeGreaterThan(1450);
  });
});

describe('where caps yield', () => {
  it('with four candidates nobody is skipped: the draw is the uncapped one', () => {
    setUp(2, 2);
    expect(drawPanels(0, 500, 1)).toBe(500);
    // 3,000 of 26,000 each; where those above a fifth are skipped as long as others are left, they would have a fifth.
    expect(shareBp(2, 4)).toBeLessThan(1700);
    expect(shareBp(3, 4)).toBeLessThan(1700);
  });

  it('before the twentieth seat of the day nobody is skipped', () => {
    setUp(6);
    join(0, 4);
    // Four of six are one cluster: at least one of two seats is theirs.
    for (let event: u64 = 0; event < 7; event++) drawPanels(event, event + 1, 3);
    expect(seatsTodayOfAll(LAUNCH)).toBe(21);
    expect(shareBp(0, 6)).toBeGreaterThan(3000);
  });

  it('a panel of seven from seven is filled although all exceed the cap, each once', () => {
    setUp(7);
    excludeNobody();
    for (let event: u64 = 0; event < 10; event++) {
      expect(drawPanel(eventId(event), GENERAL, 7, panel(), LAUNCH)).toBe(7);
      for (let a: usize = 0; a < 7; a++)
        for (let b: usize = 0; b < a; b++) expect(drawn(a)).not.toBe(drawn(b));
    }
  });

  it('a panel takes several members of a cluster when nobody else is left', () => {
    setUp(6);
    join(0, 6);
    expect(drawPanels(0, 200, 3)).toBe(600);
    expect(shareBp(0, 6)).toBe(10000);
  });
});

describe('determinism', () => {
  it('the same 2,000 panels in two states with the same history', () => {
    const seats = new StaticArray<u64>(12);
    const checksums = new StaticArray<u64>(2);
    for (let run = 0; run < 2; run++) {
      setUp(12);
      join(3, 7);
      for (let event: u64 = 0; event < 2000; event++) {
        drawPanels(event, event + 1, 5);
        for (let i = 0; i < 5; i++) checksums[run] = checksums[run] * 31 + drawn(i);
      }
      for (let i = 0; i < 12; i++) {
        if (run == 0) seats[i] = seatsTodayOf(i, LAUNCH);
        else expect(seatsTodayOf(i, LAUNCH)).toBe(seats[i]);
      }
    }
    expect(checksums[0]).toBe(checksums[1]);
  });
});

// Draws: distinct, deterministic, only eligible validators, by weight, equal to the formula of protocol 6.9.

import { VALIDATOR_EXCLUDED, VALIDATOR_PROBATION } from '../../../assembly/abi';
import { sha256 } from '../../../assembly/lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../../../assembly/lib/text';
import { blockHash } from '../../../assembly/state/header';
import { drawExecutor, drawNames, drawPanel } from '../../../assembly/validators/assignment';
import { noteCanary } from '../../../assembly/validators/calibration';
import {
  exclude,
  excludeCluster,
  excludeNobody,
  excludeValidator,
  isExcluded,
  isExcludedValidator,
} from '../../../assembly/validators/candidates';
import { seatsTodayOf, seatsTodayOfAll } from '../../../assembly/validators/day-seats';
import { validatorAt, validatorId, validatorInOrder } from '../../../assembly/validators/validators';
import { drawn, eventId, GENERAL, panel } from '../support/draws';
import { freshState, LAUNCH, newValidator, setNow, TOKEN } from '../support/state';

const TEXT: usize = memory.data(256, 8);
const HASH: usize = memory.data(32, 8);

function setUp(count: u64): void {
  freshState();
  setNow(LAUNCH);
  excludeNobody();
  for (let i: u64 = 0; i < count; i++) newValidator(i, 25000 * TOKEN, 5000);
}

// The draw as defined in protocol 6.9: number `k` for an id under a prefix, modulo the sum of weights.
function numberOf(prefix: string, id: usize, k: u64, sum: u64): u64 {
  let to = writeHex(writeLiteral(TEXT, prefix), id, 32);
  to = writeHex(writeLiteral(to, ':'), blockHash(), 32);
  to = writeDecimal(writeLiteral(to, ':'), k);
  sha256(TEXT, <u32>(to - TEXT), HASH);
  return bswap<u64>(load<u64>(HASH)) % sum;
}

describe('names', () => {
  it('are empty without candidates, and the only candidate otherwise', () => {
    setUp(0);
    expect(drawNames(eventId(0), 0, 3, panel())).toBe(0);
    const only = newValidator(0, 25000 * TOKEN, 5000);
    expect(drawNames(eventId(0), 0, 3, panel())).toBe(1);
    expect(drawn(0)).toBe(0);
    exclude(999);
    expect(drawNames(eventId(0), 0, 3, panel())).toBe(1);
    exclude(only.agent);
    expect(drawNames(eventId(0), 0, 3, panel())).toBe(0);
    excludeNobody();
    expect(drawNames(eventId(0), 0, 3, panel())).toBe(1);
  });

  it('skip the excluded and those below 25,000 tokens on the testnet', () => {
    setUp(0);
    newValidator(0, 25000 * TOKEN - 1, 5000);
    newValidator(1, 25000 * TOKEN, 5000, VALIDATOR_EXCLUDED);
    newValidator(2, 25000 * TOKEN, 5000);
    expect(drawNames(eventId(0), 0, 3, panel())).toBe(1);
    expect(drawn(0)).toBe(2);
  });

  it('are three distinct ones, the same each time', () => {
    setUp(7);
    for (let event: u64 = 0; event < 200; event++) {
      expect(drawNames(eventId(event), 1, 3, panel())).toBe(3);
      const first = load<u64>(panel());
      expect(drawn(0)).not.toBe(drawn(1));
      expect(drawn(0)).not.toBe(drawn(2));
      expect(drawn(1)).not.toBe(drawn(2));
      drawNames(eventId(event), 1, 3, panel());
      expect(load<u64>(panel())).toBe(first);
    }
  });

  it('follow the formula: equal weights of 10,000, numbered from 1, without replacement', () => {
    setUp(3);
    for (let event: u64 = 0; event < 100; event++) {
      drawNames(eventId(event), GENERAL, 3, panel());
      const first = <u32>(numberOf('panel:', eventId(event), 1, 30000) / 10000);
      const position = <u32>(numberOf('panel:', eventId(event), 2, 20000) / 10000);
      const second = position < first ? position : position + 1;
      expect(drawn(0)).toBe(first);
      expect(drawn(1)).toBe(second);
      expect(drawn(2)).toBe(3 - first - second);
    }
  });

  it('draw a validator in probation three times for every ten of an active one', () => {
    setUp(1);
    newValidator(1, 25000 * TOKEN, 5000, VALIDATOR_PROBATION);
    let second: u32 = 0;
    for (let event: u64 = 0; event < 2600; event++) {
      drawNames(eventId(event), 0, 1, panel());
      second += drawn(0);
    }
    // 3,000 of 13,000: 600 expected of 2,600, standard deviation 21.
    expect(second).toBeGreaterThan(500);
    expect(second).toBeLessThan(700);
  });

  it('order candidates by id, not by registration', () => {
    setUp(0);
    newValidator(5, TOKEN, 5000);
    newValidator(30, TOKEN, 5000);
    newValidator(1, TOKEN, 5000);
    expect(validatorInOrder(0)).toBe(2);
    expect(validatorInOrder(1)).toBe(0);
    expect(validatorInOrder(2)).toBe(1);
  });

  it('are the same ids whatever the order of registration', () => {
    const ids = new StaticArray<u16>(300);
    setUp(9);
    for (let event: u64 = 0; event < 100; event++) {
      drawNames(eventId(event), GENERAL, 3, panel());
      for (let i = 0; i < 3; i++) ids[<i32>event * 3 + i] = load<u16>(validatorId(validatorAt(drawn(i))));
    }
    setUp(0);
    for (let i: u64 = 9; i > 0; i--) newValidator(i - 1, 25000 * TOKEN, 5000);
    for (let event: u64 = 0; event < 100; event++) {
      drawNames(eventId(event), GENERAL, 3, panel());
      for (let i = 0; i < 3; i++) {
        expect(load<u16>(validatorId(validatorAt(drawn(i))))).toBe(ids[<i32>event * 3 + i]);
      }
    }
  });

  it('skip whom canaries suspended in the category, for 30 days and in no other', () => {
    setUp(3);
    for (let i = 0; i < 20; i++) noteCanary(0, GENERAL, 0, LAUNCH);
    expect(drawNames(eventId(1), GENERAL, 3, panel())).toBe(2);
    expect(drawn(0) != 0 && drawn(1) != 0).toBe(true);
    expect(drawNames(eventId(1), 1, 3, panel())).toBe(3);
    setNow(LAUNCH + 30 * 86400 - 1);
    expect(drawNames(eventId(1), GENERAL, 3, panel())).toBe(2);
    setNow(LAUNCH + 30 * 86400);
    expect(drawNames(eventId(1), GENERAL, 3, panel())).toBe(3);
  });
});

describe('exclusions', () => {
  it('are by validator, by agent and by cluster, until they are cleared', () => {
    setUp(6);
    validatorAt(1).cluster = 2;
    validatorAt(2).cluster = 2;
    excludeCluster(2);
    excludeValidator(0);
    exclude(validatorAt(5).agent);
    for (let index: u32 = 0; index < 6; index++) {
      expect(isExcluded(index)).toBe(index <= 2 || index == 5);
      expect(isExcludedValidator(index)).toBe(index <= 2);
    }
    expect(drawNames(eventId(1), GENERAL, 7, panel())).toBe(2);
    expect(drawn(0) + drawn(1)).toBe(7);
    excludeNobody();
    expect(drawNames(eventId(1), GENERAL, 7, panel())).toBe(6);
  });

  it('of a validator without a cluster affect nobody else', () => {
    setUp(3);
    excludeCluster(1);
    expect(isExcluded(0)).toBe(false);
    expect(isExcluded(1)).toBe(true);
    expect(isExcluded(2)).toBe(false);
  });
});

describe('panels', () => {
  it('count the seats of the day, and a new day starts from zero', () => {
    setUp(7);
    drawPanel(eventId(0), 2, 3, panel(), LAUNCH);
    expect(seatsTodayOfAll(LAUNCH)).toBe(3);
    expect(seatsTodayOfAll(LAUNCH + 86400)).toBe(0);
    expect(seatsTodayOf(drawn(0), LAUNCH)).toBe(1);
    expect(seatsTodayOf(drawn(0), LAUNCH + 86400)).toBe(0);
    drawPanel(eventId(0), 2, 3, panel(), LAUNCH + 86400);
    expect(seatsTodayOfAll(LAUNCH + 86400)).toBe(3);
  });

  it('are the names of the same event while no cap applies', () => {
    setUp(7);
    for (let event: u64 = 0; event < 6; event++) {
      drawNames(eventId(event), GENERAL, 3, panel());
      const names = load<u64>(panel());
      drawPanel(eventId(event), GENERAL, 3, panel(), LAUNCH);
      expect(load<u64>(panel())).toBe(names);
    }
  });
});

describe('executors', () => {
  it('are drawn by the attempt as number under their own prefix', () => {
    setUp(5);
    for (let job: u64 = 0; job < 100; job++) {
      for (let attempt: u32 = 1; attempt <= 3; attempt++) {
        const expected = <i32>(numberOf('replay-executor:', eventId(job), attempt, 50000) / 10000);
        expect(drawExecutor(eventId(job), GENERAL, attempt)).toBe(expected);
      }
    }
  });

  it('take no seat, and there is none without a candidate', () => {
    setUp(2);
    expect(drawExecutor(eventId(1), GENERAL, 1)).toBeGreaterThanOrEqual(0);
    expect(seatsTodayOfAll(LAUNCH)).toBe(0);
    excludeValidator(0);
    expect(drawExecutor(eventId(1), GENERAL, 1)).toBe(1);
    excludeValidator(1);
    expect(drawExecutor(eventId(1), GENERAL, 1)).toBe(-1);
  });
});

describe('a cover', () => {
  it('leaves out of panels and replays who has not staked it', () => {
    setUp(3);
    newValidator(3, 26000 * TOKEN, 5000);
    expect(drawPanel(eventId(0), GENERAL, 3, panel(), LAUNCH, 25000 * TOKEN)).toBe(3);
    expect(drawPanel(eventId(1), GENERAL, 3, panel(), LAUNCH, 25000 * TOKEN + 1)).toBe(1);
    expect(drawn(0)).toBe(3);
    expect(drawExecutor(eventId(1), GENERAL, 1, 25000 * TOKEN + 1)).toBe(3);
    expect(drawExecutor(eventId(1), GENERAL, 1, 26000 * TOKEN + 1)).toBe(-1);
    expect(drawNames(eventId(2), GENERAL, 3, panel())).toBe(3);
  });
});

// What requests may cost (protocol 8.3): addresses, networks, the node.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COST_RATES } from '../../../host/api/cost-budget.ts';
import { openBudget, refusedFor } from './charges.ts';

const passing = (count: number, take: (i: number) => void): number => {
  let passed = 0;
  for (let i = 0; i < count; i++) if (refusedFor(() => take(i)) === undefined) passed++;
  return passed;
};

describe('reads that cost nothing: 100 per second, burst 500', () => {
  it('allows the burst, then what time refills', () => {
    const { budget, time, refusals } = openBudget();
    const burst = () => passing(1000, () => budget.open('192.0.2.1', 0));
    expect(burst()).toBe(500);
    expect(refusedFor(() => budget.open('192.0.2.1', 0))).toBe(1);
    expect(new Set(refusals)).toEqual(new Set(['address']));
    expect(refusedFor(() => budget.open('192.0.2.2', 0))).toBeUndefined();
    time.ms += 1_000;
    expect(burst()).toBe(100);
    time.ms += 3_600_000;
    expect(burst()).toBe(500);
  });

  it('the addresses of one IPv6 network of 64 bits are one', () => {
    const { budget } = openBudget();
    expect(passing(1000, (i) => budget.open(`2001:db8:1:2::${i.toString(16)}`, 0))).toBe(500);
  });

  it('never allows more than burst plus refill, at any rhythm', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 200 }), (waits) => {
        const { budget, time } = openBudget();
        const begin = time.ms;
        let passed = 0;
        for (const wait of waits) {
          time.ms += wait;
          passed += passing(60, () => budget.open('192.0.2.1', 0));
        }
        expect(passed).toBeLessThanOrEqual(500 + ((time.ms - begin) / 1000) * 100 + 1e-6);
      }),
      { numRuns: 40 },
    );
  });
});

describe('cost', () => {
  it('is charged after the answer too, and a dear answer is paid off before the next one', () => {
    const { budget, time } = openBudget();
    const charge = budget.open('192.0.2.1', 0);
    charge.run(() => {
      time.ms += 90;
    });
    charge.addBytes(64 * 32_768);
    expect(passing(100, () => budget.open('192.0.2.1', 0).add(100))).toBe(4);
    expect(charge.recent.address * 10_000).toBeCloseTo(90 + 64 + 400);
    expect(refusedFor(() => budget.open('192.0.2.1', 0))).toBe(1);
    time.ms += 600;
    expect(refusedFor(() => budget.open('192.0.2.1', 0))).toBeUndefined();
  });

  it('is charged when the work throws, and counts what it took up to a bound', () => {
    const { budget, time } = openBudget();
    const charge = budget.open('192.0.2.1', 0);
    const fail = (): never => {
      time.ms += 60_000;
      throw new Error('x');
    };
    expect(() => charge.run(fail)).toThrow('x');
    expect(charge.recent.address * 10_000).toBeCloseTo(100);
  });

  it('is charged once for work within work', () => {
    const { budget, time } = openBudget();
    const charge = budget.open('192.0.2.1', 0);
    const work = (ms: number): void => {
      time.ms += ms;
    };
    charge.run(() => {
      work(20);
      charge.run(() => work(30));
      expect(() =>
        charge.run(() => {
          throw new Error('x');
        }),
      ).toThrow('x');
      work(10);
    });
    charge.run(() => work(5));
    expect(charge.recent.address * 10_000).toBeCloseTo(65, 0);
  });

  it('is the time that passed or the processor time, whichever is less', () => {
    const { budget, time } = openBudget();
    const charge = budget.open('192.0.2.1', 0);
    charge.run(() => {
      time.ms += 80;
      time.idleMs -= 70;
    });
    expect(charge.recent.address * 10_000).toBeCloseTo(10);
    charge.run(() => {
      time.ms += 5;
      time.idleMs += 60;
    });
    expect(charge.recent.address * 10_000).toBeCloseTo(15, 0);
  });

  it('of large bodies in other forms few are taken in all, and a network that had none still has one', () => {
    const { budget } = openBudget('form');
    expect(passing(10, () => budget.open('10.0.0.1', 420))).toBe(1);
    expect(passing(250, (i) => budget.open(`10.0.0.${i}`, 420))).toBeLessThan(5);
    expect(refusedFor(() => budget.open('10.9.0.1', 420))).toBeUndefined();
    expect(passing(200, (i) => budget.open(`10.${10 + i}.0.1`, 420))).toBeLessThan(6);
  });

  it('nobody owes more than refills in 15 s, so whoever waits gets on', () => {
    const { budget, time } = openBudget();
    const charge = budget.open('192.0.2.1', 0);
    charge.add(1e9);
    const secs = refusedFor(() => charge.checkDebt())!;
    expect(secs).toBe(16);
    time.ms += secs * 1000;
    expect(refusedFor(() => budget.open('192.0.2.1', 0))).toBeUndefined();
  });

  it('switched off, nothing is refused', () => {
    const { budget } = openBudget('read', false);
    expect(passing(5_000, () => budget.open('192.0.2.1', 50))).toBe(5_000);
  });
});

describe('fairness', () => {
  /** A tenth of a second after another: everybody spends what it can, ten ms at a time; the honest one 2 ms a second. */
  function run(attackers: readonly string[], honest: string, seconds = 60) {
    const { budget, time } = openBudget();
    let [total, refused, refusedLater] = [0, 0, 0];
    for (let step = 0; step < seconds * 10; step++) {
      time.ms += 100;
      for (const address of attackers)
        if (refusedFor(() => budget.open(address, 0).add(10)) === undefined) total += 10;
      if (refusedFor(() => budget.open(honest, 0).add(0.2)) === undefined) continue;
      refused += 1;
      if (step >= 100) refusedLater += 1;
    }
    return { total, refused, refusedLater, seconds };
  }
  const inNetwork = (n: number, hosts: number) =>
    Array.from({ length: hosts }, (_, i) => `10.0.${n}.${i + 1}`);

  it('one network gets its share however many addresses it has, and its honest addresses are still served', () => {
    const { total, refused, refusedLater, seconds } = run(inNetwork(1, 100), '10.0.1.250');
    const { ratio, burstMs } = COST_RATES.read.network;
    expect(total).toBeLessThanOrEqual(ratio * (seconds + 15) * 1000 + burstMs);
    // Its part of the share is 2.7 ms a second; what others spend comes in lumps of 10 ms, so it is just within.
    expect(refusedLater).toBeLessThanOrEqual(10);
    expect(refused).toBeLessThanOrEqual(50);
  });

  it('ten networks together leave the node to others', () => {
    const attackers = Array.from({ length: 10 }, (_, n) => inNetwork(n, 20)).flat();
    const { total, refused, refusedLater, seconds } = run(attackers, '203.0.113.9');
    const { ratio, burstMs } = COST_RATES.read.node;
    expect(total).toBeLessThanOrEqual(ratio * (seconds + 15) * 1000 + burstMs);
    expect([refusedLater, refused <= 50]).toEqual([0, true]);
  });
});

describe('memory', () => {
  it('stays bounded under a flood of addresses', () => {
    const { budget, time } = openBudget('read', true, 100);
    for (let i = 0; i < 5_000; i++) refusedFor(() => budget.open(`10.${i >> 8}.${i & 255}.1`, 0));
    expect(budget.keyCount).toBeLessThanOrEqual(400);
    time.ms += 3_600_000;
    refusedFor(() => budget.open('192.0.2.1', 0));
    time.ms += 3_600_000;
    refusedFor(() => budget.open('192.0.2.1', 0));
    expect(budget.keyCount).toBeLessThanOrEqual(4);
  });
});

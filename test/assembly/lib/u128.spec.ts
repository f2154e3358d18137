// mulDiv against schoolbook cases, and against its own definition over random inputs.

import { addCapped, mulDiv, VALUE_CAP } from '../../../assembly/lib/u128';

let seed: u64 = 8817264546332525;
function random(): u64 {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

describe('mulDiv', () => {
  it('floors small products', () => {
    expect(mulDiv(7, 3, 2)).toBe(10);
    expect(mulDiv(0, u64.MAX_VALUE, 1)).toBe(0);
    expect(mulDiv(12345678, 10, 10000)).toBe(12345);
  });

  it('is exact where the product exceeds 64 bits', () => {
    expect(mulDiv(u64.MAX_VALUE, u64.MAX_VALUE, u64.MAX_VALUE)).toBe(u64.MAX_VALUE);
    expect(mulDiv(1000000000000000, 1000000000000000, 1000000000000001)).toBe(999999999999999);
    expect(mulDiv(800000000000, 750000000000000, 1000000000000000)).toBe(600000000000);
    expect(mulDiv(u64.MAX_VALUE, 3, 4)).toBe(u64.MAX_VALUE - u64.MAX_VALUE / 4 - 1);
  });

  it('leaves a remainder below the divisor on random inputs', () => {
    let wide = 0;
    for (let i = 0; i < 5000; i++) {
      const c = max<u64>(random() >> (<u64>i % 24), 1);
      const a = random() >> (<u64>(i >> 3) % 40);
      const b = random() % c;
      if (clz<u64>(a) + clz<u64>(b) < 64) wide++;
      // a * b - quotient * c, exact in the lower 64 bits, is the remainder.
      expect(a * b - mulDiv(a, b, c) * c < c).toBe(true);
    }
    expect(wide).toBeGreaterThan(2000);
  });

  it('stops on division by zero and on results above 64 bits', () => {
    expect(() => {
      mulDiv(1, 1, 0);
    }).toThrow();
    expect(() => {
      mulDiv(u64.MAX_VALUE, 2, 1);
    }).toThrow();
  });
});

describe('addCapped', () => {
  it('is capped at 2^53 - 1', () => {
    expect(addCapped(1, 2)).toBe(3);
    expect(addCapped(VALUE_CAP, 1)).toBe(9007199254740991);
  });
});

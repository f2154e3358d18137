// Exact products of two u64 values, divided by a third: the `mul(a, b, c)` of protocol 1.1.
// Keeps: the only rounding is the floor at the end, and an overflow stops the core.
// Knows nothing of money; capped sums for statistics are here because they share the bounds.

const LOW: u64 = 0xffffffff;
const BASE: u64 = 0x100000000;

// Statistics are JSON numbers, at most 2^53 - 1 (protocol 1.2). Only sums that move no money are capped:
// claims of recognised value are unbounded, tokens are not.
export const VALUE_CAP: u64 = 9007199254740991;

/** a + b, at most VALUE_CAP. Both are at most VALUE_CAP, so the sum cannot wrap. For statistics only. */
export function addCapped(a: u64, b: u64): u64 {
  return min<u64>(a + b, VALUE_CAP);
}

// One digit of a 128-by-64 division in base 2^32 (Knuth's algorithm D, in the form of Hacker's
// Delight, divlu). `high` is below `divisor`, whose top bit is set.
function digit(high: u64, next: u64, divisor: u64): u64 {
  const top = divisor >> 32;
  const bottom = divisor & LOW;
  let quotient = high / top;
  let rest = high - quotient * top;
  while (quotient >= BASE || quotient * bottom > ((rest << 32) | next)) {
    quotient--;
    rest += top;
    if (rest >= BASE) break;
  }
  return quotient;
}

function divideWide(high: u64, low: u64, by: u64): u64 {
  const shift = clz<u64>(by);
  const divisor = by << shift;
  const upper = shift == 0 ? high : (high << shift) | (low >> (64 - shift));
  const lower = low << shift;
  const first = digit(upper, lower >> 32, divisor);
  const rest = (upper << 32) + (lower >> 32) - first * divisor;
  const second = digit(rest, lower & LOW, divisor);
  return (first << 32) + second;
}

/**
 * floor(a * b / c) with a 128-bit product. Stops the core when c is 0 or the result exceeds 64 bits:
 * every caller has bounds that exclude both. Source: protocol 1.1.
 */
export function mulDiv(a: u64, b: u64, c: u64): u64 {
  assert(c != 0, 'mulDiv: division by zero');
  if (clz<u64>(a) + clz<u64>(b) >= 64) return (a * b) / c;
  const aLow = a & LOW;
  const aHigh = a >> 32;
  const bLow = b & LOW;
  const bHigh = b >> 32;
  const cross1 = aLow * bHigh;
  const cross2 = aHigh * bLow;
  const bottom = aLow * bLow;
  const middle = (bottom >> 32) + (cross1 & LOW) + (cross2 & LOW);
  const low = (bottom & LOW) | (middle << 32);
  const high = aHigh * bHigh + (cross1 >> 32) + (cross2 >> 32) + (middle >> 32);
  assert(high < c, 'mulDiv: result above 64 bits');
  return divideWide(high, low, c);
}

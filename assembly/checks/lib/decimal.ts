// Exact decimal numbers: 63 digits before the point and 63 behind it, so sums and differences need no rounding.
// A number is 64 bytes: u32 1 if it is below zero, then 14 limbs of 9 digits, the lowest first, then u8 and u8: the limbs
// from the one up to the other may be other than zero, all others are zero. Zero is never negative.

const BASE: u32 = 1_000_000_000;
const LIMB_DIGITS: usize = 9;
const LIMBS: u32 = 14;
const DIGITS: i32 = 126;
const POINT: i32 = 63;
const POINT_LIMB: u32 = 7;
const DECIMAL_BYTES: usize = 64;
/** Places in a number: its limbs, and the range of those that count. */
const FIRST: usize = 4;
const FROM: usize = 60;
const TO: usize = 61;
/** Exponents are cut to this, far beyond what can be held. */
const MAX_EXPONENT: i32 = 1_000_000;

const SCRATCH: usize = memory.data(126, 8);
const APART: usize = memory.data(64, 8);
// biome-ignore format: a table
const POWERS: usize = memory.data<u32>([1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]);

export const READ: i32 = 0;
export const NOT_A_NUMBER: i32 = 1;
/** More than 63 digits before the point or behind it. */
export const OUT_OF_RANGE: i32 = 2;

/** Makes it zero. */
export function clear(a: usize): void {
  memory.fill(a, 0, DECIMAL_BYTES);
  // No limbs, at the point: what it is added to has its own range.
  store<u8>(a, <u8>POINT_LIMB, FROM);
  store<u8>(a, <u8>POINT_LIMB, TO);
}

export function newDecimal(): usize {
  const at = heap.alloc(DECIMAL_BYTES);
  clear(at);
  return at;
}

function limb(a: usize, index: u32): u32 {
  return load<u32>(a + FIRST + ((<usize>index) << 2));
}
function setLimb(a: usize, index: u32, value: u32): void {
  store<u32>(a + FIRST + ((<usize>index) << 2), value);
}

function isDigit(at: usize): bool {
  return <u32>load<u8>(at) - 48 < 10;
}

// The exponent from `at`, to the end; MIN_VALUE if it is malformed.
function readExponent(at: usize, end: usize): i32 {
  const isNegative = at < end && load<u8>(at) == 0x2d;
  if (at < end && (isNegative || load<u8>(at) == 0x2b)) at++;
  if (at >= end) return i32.MIN_VALUE;
  let value: i32 = 0;
  for (; at < end; at++) {
    if (!isDigit(at)) return i32.MIN_VALUE;
    value = min<i32>(10 * value + <i32>load<u8>(at) - 48, MAX_EXPONENT);
  }
  return isNegative ? -value : value;
}

/** Reads a sign, digits, a point with digits and an exponent, as JSON has them; + and leading zeros are allowed. */
export function readDecimal(at: usize, bytes: u32, to: usize): i32 {
  const end = at + bytes;
  const isNegative = at < end && load<u8>(at) == 0x2d;
  if (at < end && (isNegative || load<u8>(at) == 0x2b)) at++;
  return readShort(at, end, isNegative, to) ? READ : readLong(at, end, isNegative, to);
}

/** Most numbers: up to 9 digits, and up to 9 behind a point, are two limbs. False, and `to` as it was, for any other text. */
function readShort(at: usize, end: usize, isNegative: bool, to: usize): bool {
  let from = at;
  let value: u32 = 0;
  for (; at < end; at++) {
    const digit = <u32>load<u8>(at) - 48;
    if (digit > 9) break;
    value = 10 * value + digit;
  }
  if (at - from - 1 >= LIMB_DIGITS) return false;
  let part: u32 = 0;
  if (at < end) {
    if (load<u8>(at) != 0x2e) return false;
    from = ++at;
    for (; at < end; at++) {
      const digit = <u32>load<u8>(at) - 48;
      if (digit > 9) return false;
      part = 10 * part + digit;
    }
    if (at - from - 1 >= LIMB_DIGITS) return false;
    part *= load<u32>(POWERS + ((LIMB_DIGITS - (at - from)) << 2));
  }
  clear(to);
  store<u32>(to, part, FIRST + 4 * (POINT_LIMB - 1));
  store<u32>(to, value, FIRST + 4 * POINT_LIMB);
  store<u8>(to, <u8>(POINT_LIMB - 1), FROM);
  store<u8>(to, <u8>(POINT_LIMB + 1), TO);
  if (isNegative && (value | part) != 0) store<u32>(to, 1);
  return true;
}

function readLong(at: usize, end: usize, isNegative: bool, to: usize): i32 {
  const whole = at;
  while (at < end && isDigit(at)) at++;
  const wholeDigits = <i32>(at - whole);
  let digits = wholeDigits;
  const hasPoint = at < end && load<u8>(at) == 0x2e;
  if (hasPoint) {
    const behind = ++at;
    while (at < end && isDigit(at)) at++;
    if (at == behind) return NOT_A_NUMBER;
    digits += <i32>(at - behind);
  }
  if (wholeDigits == 0) return NOT_A_NUMBER;
  let exponent: i32 = 0;
  if (at < end) {
    if ((load<u8>(at) | 32) != 0x65) return NOT_A_NUMBER;
    exponent = readExponent(at + 1, end);
    if (exponent == i32.MIN_VALUE) return NOT_A_NUMBER;
  }

  return setDigits(to, whole, wholeDigits, digits, exponent, isNegative);
}

// The digits from `whole` on, with a point behind `wholeDigits` of them. The digit before the point is at place POINT:
// from there on, 9 places are one limb.
function setDigits(
  to: usize,
  whole: usize,
  wholeDigits: i32,
  digits: i32,
  exponent: i32,
  isNegative: bool,
): i32 {
  clear(to);
  let at = whole;
  let place = POINT - 1 + wholeDigits + exponent;
  const point = whole + <usize>wholeDigits;
  const last = whole + <usize>digits;
  // Zeros in front take no place; what is left of them is the number.
  for (; at < last; at++, place--) if (load<u8>(at + (at >= point ? 1 : 0)) != 48) break;
  if (at >= last) return READ;
  if (place >= DIGITS) return OUT_OF_RANGE;
  let index: i32 = place / <i32>LIMB_DIGITS;
  let rest: i32 = place - <i32>LIMB_DIGITS * index;
  store<u8>(to, <u8>(index + 1), TO);
  let value: u32 = 0;
  for (; at < last && place >= 0; at++, place--) {
    value = 10 * value + <u32>load<u8>(at + (at >= point ? 1 : 0)) - 48;
    if (rest == 0) {
      setLimb(to, index--, value);
      value = 0;
      rest = <i32>LIMB_DIGITS;
    }
    rest--;
  }
  // Digits that no limb has room for must be zeros.
  for (; at < last; at++) if (load<u8>(at + (at >= point ? 1 : 0)) != 48) return OUT_OF_RANGE;
  if (rest < <i32>LIMB_DIGITS - 1)
    setLimb(to, index--, value * load<u32>(POWERS + ((<usize>(rest + 1)) << 2)));
  store<u8>(to, <u8>(index + 1), FROM);
  store<u32>(to, isNegative ? 1 : 0);
  return READ;
}

export function isZero(a: usize): bool {
  const to = <u32>load<u8>(a, TO);
  for (let i = <u32>load<u8>(a, FROM); i < to; i++) if (limb(a, i) != 0) return false;
  return true;
}

/** True if nothing is behind the point. */
export function isInteger(a: usize): bool {
  for (let i = <u32>load<u8>(a, FROM); i < POINT_LIMB; i++) if (limb(a, i) != 0) return false;
  return true;
}

function compareSize(a: usize, b: usize): i32 {
  const from = min<u32>(load<u8>(a, FROM), load<u8>(b, FROM));
  const last = (<usize>from) << 2;
  for (let at = (<usize>max<u32>(load<u8>(a, TO), load<u8>(b, TO))) << 2; at > last; ) {
    at -= 4;
    const x = load<u32>(a + at, FIRST);
    const y = load<u32>(b + at, FIRST);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/** -1, 0 or 1. */
export function compare(a: usize, b: usize): i32 {
  const isNegative = load<u32>(a);
  if (isNegative != load<u32>(b)) return isNegative ? -1 : 1;
  return isNegative ? compareSize(b, a) : compareSize(a, b);
}

/** a + b, or a - b, to `to`, which may be either of them; false if it has more than 63 digits before the point. */
export function add(a: usize, b: usize, isMinus: bool, to: usize): bool {
  const aSign = load<u32>(a);
  const bSign = load<u32>(b) ^ (isMinus ? 1 : 0);
  const from = min<u32>(load<u8>(a, FROM), load<u8>(b, FROM));
  let end = max<u32>(load<u8>(a, TO), load<u8>(b, TO));
  if (to != a && to != b) clear(to);
  let sign = aSign;
  let carry: u32 = 0;
  if (aSign == bSign) {
    const last = (<usize>end) << 2;
    for (let at = (<usize>from) << 2; at < last; at += 4) {
      let sum = load<u32>(a + at, FIRST) + load<u32>(b + at, FIRST) + carry;
      carry = 0;
      if (sum >= BASE) {
        carry = 1;
        sum -= BASE;
      }
      store<u32>(to + at, sum, FIRST);
    }
    if (carry && end < LIMBS) {
      setLimb(to, end++, 1);
      carry = 0;
    }
  } else {
    const isSwapped = compareSize(a, b) < 0;
    const large = isSwapped ? b : a;
    const small = isSwapped ? a : b;
    let borrow: u32 = 0;
    const last = (<usize>end) << 2;
    for (let at = (<usize>from) << 2; at < last; at += 4) {
      const take = load<u32>(small + at, FIRST) + borrow;
      let held = load<u32>(large + at, FIRST);
      borrow = 0;
      if (held < take) {
        borrow = 1;
        held += BASE;
      }
      store<u32>(to + at, held - take, FIRST);
    }
    if (isSwapped) sign = bSign;
  }
  store<u8>(to, <u8>from, FROM);
  store<u8>(to, <u8>end, TO);
  store<u32>(to, sign != 0 && !isZero(to) ? 1 : 0);
  return carry == 0;
}

/** True if a and b are not further apart than `tolerance`. */
export function isNear(a: usize, b: usize, tolerance: usize): bool {
  if (!add(a, b, true, APART)) return false;
  store<u32>(APART, 0);
  return compareSize(APART, tolerance) <= 0;
}

/** Writes the shortest form without exponent: sign, digits, a point only with digits behind it. At most 128 bytes. */
export function writeShortest(a: usize, to: usize): usize {
  for (let index: u32 = 0; index < LIMBS; index++) {
    let value = limb(a, index);
    const from = SCRATCH + DIGITS - 9 * (index + 1);
    for (let i: i32 = 8; i >= 0; i--, value /= 10) store<u8>(from + i, <u8>(48 + (value % 10)));
  }
  if (load<u32>(a)) store<u8>(to++, 0x2d);
  let first: i32 = 0;
  while (first < POINT - 1 && load<u8>(SCRATCH + first) == 48) first++;
  let last: i32 = DIGITS;
  while (last > POINT && load<u8>(SCRATCH + last - 1) == 48) last--;
  for (let i = first; i < last; i++) {
    if (i == POINT) store<u8>(to++, 0x2e);
    store<u8>(to++, load<u8>(SCRATCH + i));
  }
  return to;
}

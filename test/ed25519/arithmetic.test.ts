// Field, point and scalar arithmetic of the checked builds against BigInt, on random limbs and on the largest that the
// stated bounds allow. The checked build asserts every operand's and result's bounds as it goes.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openProbes, type Probes } from './checked-build.ts';
import { L, littleEndian, P, toBigInt } from './signatures.ts';

const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const POSITIONS = [0n, 26n, 51n, 77n, 102n, 128n, 153n, 179n, 204n, 230n];
const mod = (n: bigint, m = P) => ((n % m) + m) % m;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = mod(b * b))
    if (e & 1n) result = mod(result * b);
  return result;
}

/** Ten limbs, each at most `fold` times its 26 or 25 bits, the bound itself drawn often. */
const limbs = (fold: number) =>
  fc.tuple(
    ...POSITIONS.map((_, i) => {
      const most = fold * 2 ** (i & 1 ? 25 : 26);
      return fc.oneof(fc.constant(most), fc.constant(0), fc.integer({ min: 0, max: most }));
    }),
  );
const quad = (fold: number) => fc.array(limbs(fold), { minLength: 4, maxLength: 4 });
const value = (of: readonly number[]) =>
  of.reduce((sum, limb, i) => sum + (BigInt(limb) << POSITIONS[i]!), 0n);

class Areas {
  readonly probes: Probes;
  readonly #view: DataView;
  readonly #bytes: Uint8Array;

  constructor(probes: Probes) {
    this.probes = probes;
    this.#view = new DataView(probes.memory.buffer, probes.probe_ptr(), 8192);
    this.#bytes = new Uint8Array(probes.memory.buffer, probes.probe_ptr(), 8192);
  }

  putQuad(area: number, lanes: readonly (readonly number[])[]): void {
    for (const [lane, each] of lanes.entries()) {
      for (const [i, limb] of each.entries())
        this.#view.setUint32(1024 * area + 16 * i + 4 * lane, limb, true);
    }
  }

  lane(area: number, lane: number): number[] {
    return POSITIONS.map((_, i) => this.#view.getUint32(1024 * area + 16 * i + 4 * lane, true));
  }

  put(area: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, 1024 * area);
  }

  get(area: number, count: number): Uint8Array {
    return this.#bytes.slice(1024 * area, 1024 * area + count);
  }

  /** (x, y) of a point with lanes (X, Z, Y, T), after checking XY = ZT. */
  affine(area: number): [bigint, bigint] {
    const [x, z, y, t] = [0, 1, 2, 3].map((lane) => mod(value(this.lane(area, lane)))) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    expect(mod(x * y - z * t)).toBe(0n);
    const inverse = power(z, P - 2n);
    return [mod(x * inverse), mod(y * inverse)];
  }
}

function isReduced(of: readonly number[]): boolean {
  return of.every((limb, i) => limb < 2 ** (i & 1 ? 25 : 26) + (i === 1 ? 2 ** 18 : 0));
}

function addAffine([x1, y1]: [bigint, bigint], [x2, y2]: [bigint, bigint]): [bigint, bigint] {
  const k = mod(D * x1 * x2 * y1 * y2);
  return [mod((x1 * y2 + x2 * y1) * power(1n + k, P - 2n)), mod((y1 * y2 + x1 * x2) * power(1n - k, P - 2n))];
}

/** A root of (y^2 - 1) / (d y^2 + 1), if there is one. */
function rootFor(y: bigint): bigint | undefined {
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  const x = power(square, (P + 3n) / 8n);
  const candidates = [x, mod(x * power(2n, (P - 1n) / 4n))];
  return candidates.find((c) => mod(c * c - square) === 0n);
}

describe.each(['checked', 'checked-scalar'])('arithmetic, %s', (target) => {
  const areas = new Areas(openProbes(target));
  const { probes } = areas;
  const runs = { numRuns: 300 };

  it('multiplies, also at the largest operands allowed', () => {
    fc.assert(
      fc.property(quad(9), quad(3), (left, right) => {
        areas.putQuad(0, left);
        areas.putQuad(1, right);
        probes.probe_mul(2, 0, 1, 1);
        for (let lane = 0; lane < 4; lane++) {
          const out = areas.lane(2, lane);
          expect(isReduced(out)).toBe(true);
          expect(mod(value(out))).toBe(mod(value(left[lane]!) * value(right[lane]!)));
        }
      }),
      runs,
    );
  });

  it('squares, four lanes or two', () => {
    fc.assert(
      fc.property(quad(3), (operand) => {
        areas.putQuad(0, operand);
        probes.probe_sqr(1, 0, 1);
        probes.probe_sqr_pair(2, 0, 1);
        for (let lane = 0; lane < 4; lane++) {
          const out = areas.lane(1, lane);
          expect(isReduced(out)).toBe(true);
          expect(mod(value(out))).toBe(mod(value(operand[lane]!) ** 2n));
          if (lane < 2) expect(areas.lane(2, lane)).toEqual(out);
        }
      }),
      runs,
    );
  });

  it('carries and freezes to the one canonical form, near multiples of p too', () => {
    const near = [0n, 1n, 18n, 19n, P - 1n, P, P + 1n, P + 18n, 2n ** 255n - 1n].map((n) =>
      POSITIONS.map((at, i) => Number((n >> at) & (2n ** (i & 1 ? 25n : 26n) - 1n))),
    );
    const lane = fc.oneof(fc.constantFrom(...near), limbs(9), limbs(1));
    fc.assert(
      fc.property(fc.tuple(lane, lane, lane, lane), (operand) => {
        areas.putQuad(0, operand as number[][]);
        for (let i = 0; i < 4; i++) {
          probes.probe_freeze(1, 0, i);
          const frozen = new Uint32Array(areas.get(1, 40).buffer);
          expect(value(Array.from(frozen))).toBe(mod(value(operand[i]!)));
        }
        probes.probe_carry(0);
        for (let i = 0; i < 4; i++) {
          expect(mod(value(areas.lane(0, i)))).toBe(mod(value(operand[i]!)));
          expect(areas.lane(0, i).every((limb, at) => limb < 2 ** (at & 1 ? 25 : 26) + 2 ** 10)).toBe(true);
        }
      }),
      runs,
    );
  });

  it('asserts the bounds it states', () => {
    const fresh = new Areas(openProbes(target));
    const ones = Array.from({ length: 4 }, () => POSITIONS.map(() => 1));
    const large = ones.map((each) => each.map((limb, i) => (i === 4 ? 4 * 2 ** 26 : limb)));
    fresh.putQuad(0, ones);
    fresh.putQuad(1, large);
    fresh.probes.probe_mul(2, 1, 0, 1);
    expect(() => fresh.probes.probe_mul(2, 0, 1, 1)).toThrow(WebAssembly.RuntimeError);
  });

  it('decodes by ZIP-215: any y modulo p, either sign of x = 0', () => {
    const special = [0n, 1n, 2n, P - 1n, P, P + 1n, P + 2n, P + 18n, 2n ** 255n - 1n];
    const y = fc.oneof(fc.constantFrom(...special), fc.bigInt({ min: 0n, max: 2n ** 255n - 1n }));
    const encoding = fc.tuple(y, fc.boolean());
    fc.assert(
      fc.property(fc.tuple(encoding, encoding, encoding, encoding), fc.boolean(), (four, isPair) => {
        for (const [i, [n, sign]] of four.entries()) {
          const bytes = areas.get(0, 128);
          bytes.set(littleEndian(n | (sign ? 2n ** 255n : 0n)), 32 * i);
          areas.put(0, bytes);
        }
        const found = probes.probe_decode(1, 0, isPair ? 1 : 0);
        for (const [i, [n, sign]] of four.entries()) {
          if (isPair && i > 1) break;
          const root = rootFor(mod(n));
          expect((found >> i) & 1).toBe(root === undefined ? 0 : 1);
          if (root === undefined) continue;
          const x = (root & 1n) === (sign ? 1n : 0n) ? root : mod(-root);
          const [sum, z, t, difference] = [0, 1, 2, 3].map((lane) => mod(value(areas.lane(1 + i, lane))));
          expect([sum, z, t, difference]).toEqual([mod(n + x), 2n, mod(2n * D * x * n), mod(n - x)]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('adds, subtracts and doubles points, equal ones and those of small order included', () => {
    const ys = [0n, 1n, P - 1n, 4n * power(5n, P - 2n)];
    for (let n = 3n; ys.length < 12; n++) if (rootFor(n) !== undefined) ys.push(n);
    fc.assert(
      fc.property(fc.constantFrom(...ys), fc.constantFrom(...ys), fc.boolean(), (y1, y2, isSame) => {
        const pair: [bigint, bigint] = [mod(y1), mod(isSame ? y1 : y2)];
        areas.put(
          0,
          new Uint8Array([...littleEndian(pair[0]), ...littleEndian(pair[1]), ...new Uint8Array(64)]),
        );
        expect(probes.probe_decode(1, 0, 1) & 3).toBe(3);
        probes.probe_set(5, 1, 0);
        probes.probe_set(6, 2, 1);
        const p = areas.affine(5);
        const minusQ = areas.affine(6);
        const q: [bigint, bigint] = [mod(-minusQ[0]), minusQ[1]];
        expect([p[1], q[1]]).toEqual(pair);
        probes.probe_add(7, 5, 2, 1);
        expect(areas.affine(7)).toEqual(addAffine(p, q));
        probes.probe_cache(0, 7, 1);
        probes.probe_sub(7, 7, 0, 1);
        expect(areas.affine(7)).toEqual([0n, 1n]);
        probes.probe_sub(7, 5, 2, 1);
        expect(areas.affine(7)).toEqual(addAffine(p, minusQ));
        probes.probe_double(7, 5, 1);
        expect(areas.affine(7)).toEqual(addAffine(p, p));
        probes.probe_double_cached(7, 1);
        expect(areas.affine(7)).toEqual(addAffine(p, p));
        probes.probe_neutral(7);
        probes.probe_add(7, 7, 1, 1);
        expect(areas.affine(7)).toEqual(p);
      }),
      { numRuns: 60 },
    );
  });

  const scalar = fc.oneof(
    fc.constantFrom(0n, 1n, 2n, L - 1n, L - 2n, 2n ** 252n, 2n ** 127n, 2n ** 128n - 1n),
    // Remainders far apart: quotients of 64 bits and more.
    fc.bigInt({ min: 2n ** 126n, max: 2n ** 200n }),
    fc.bigInt({ min: L - 2n ** 140n, max: L - 1n }),
    fc.bigInt({ min: 0n, max: L - 1n }),
  );

  it('reduces 512 bits, multiplies and adds modulo L', () => {
    const wide = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 512n - 1n }),
      fc.constantFrom(
        0n,
        L - 1n,
        L,
        L + 1n,
        2n * L,
        L * L,
        2n ** 512n - 1n,
        (2n ** 512n / L) * L,
        (2n ** 512n / L) * L - 1n,
      ),
    );
    fc.assert(
      fc.property(wide, scalar, scalar, (n, a, b) => {
        areas.put(0, littleEndian(n, 64));
        probes.probe_reduce(1, 0);
        expect(toBigInt(areas.get(1, 32))).toBe(mod(n, L));
        areas.put(2, littleEndian(a));
        areas.put(3, littleEndian(b));
        probes.probe_scalar_mul(4, 2, 3, 1);
        expect(toBigInt(areas.get(4, 32))).toBe(mod(a * b, L));
        probes.probe_scalar_add(4, 2, 3);
        expect(toBigInt(areas.get(4, 32))).toBe(mod(a + b, L));
      }),
      runs,
    );
  });

  it('halves scalars: u = +-v k with both below 2^127 and v not 0', () => {
    fc.assert(
      fc.property(scalar, (k) => {
        areas.put(0, littleEndian(k));
        const isPositive = probes.probe_halve(1, 0, 1) === 1;
        const u = toBigInt(areas.get(1, 16));
        const v = toBigInt(areas.get(1, 32).subarray(16));
        expect(u < 2n ** 127n && v < 2n ** 127n && v > 0n).toBe(true);
        expect(mod(isPositive ? v * k : -v * k, L)).toBe(u);
      }),
      { numRuns: 1000 },
    );
  });
});

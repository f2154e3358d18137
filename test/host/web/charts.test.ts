// What charts show: heights, slots without samples, quantiles, pieces that are the whole, pictures of ids.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trend, TrendSample } from '../../../host/client/index.ts';
import { axisOf, heightOf, roundUp } from '../../../host/web/chart/scale.ts';
import { share, sumOf } from '../../../host/web/data/supply.ts';
import { formatLatency, formatRate, quantiles, slotsOf } from '../../../host/web/pages/overview/samples.ts';
import { piecesOf } from '../../../host/web/pages/task/budget-pieces.ts';
import { cellsOf } from '../../../host/web/text/identicon-cells.ts';

const sample = (time: number, over: Partial<TrendSample> = {}): TrendSample =>
  ({ time, seconds: 60, ready_seconds: 60, transactions: 6, latencies: [0, 0, 0], ...over }) as TrendSample;
const trend = (samples: TrendSample[]): Trend => ({
  span: 'hour',
  step_seconds: 60,
  latency_bounds: [1000, 10_000],
  samples,
});

describe('heights', () => {
  it('are within the chart, and more is never lower', () => {
    const value = fc.double({ min: 1e-6, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 20 }), fc.boolean(), (values, isLog) => {
        const scale = isLog ? 'log' : 'linear';
        const axis = axisOf(
          values.map((to) => ({ to, title: '' })),
          scale,
        )!;
        const sorted = [...values].sort((a, b) => a - b).map((v) => heightOf(v, axis, scale));
        for (const [i, height] of sorted.entries()) {
          expect(height).toBeGreaterThanOrEqual(i === 0 ? 0 : sorted[i - 1]!);
          expect(height).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('have a round top, and none without a column', () => {
    expect([1, 3, 7, 99, 0.013].map(roundUp)).toEqual([1, 5, 10, 100, 0.02]);
    expect(axisOf([{ to: 0, title: '' }], 'linear')).toBeUndefined();
  });
});

describe('samples', () => {
  it('have a slot for every step, empty where the node did not run', () => {
    const slots = slotsOf(trend([sample(60_000), sample(60_180)]), 0);
    expect(slots.length).toBe(60);
    expect(slots.at(-1)).toMatchObject({ time: 60_180, sample: { transactions: 6 } });
    expect(slots.at(-2)!.sample).toBeUndefined();
    expect(slots.at(-4)!.sample).toBeDefined();
    expect(slotsOf(trend([]), 120_030).at(-1)).toEqual({ time: 120_000, sample: undefined });
  });

  it('tell within what time half and nearly all writes were final', () => {
    const counts = (latencies: number[]): TrendSample => sample(0, { latencies });
    expect(quantiles(trend([counts([5, 1, 0]), counts([0, 4, 0])]))).toEqual({ p50: 1000, p99: 10_000 });
    expect(quantiles(trend([counts([0, 0, 3])])).p50).toBe(10_000);
    expect(quantiles(trend([sample(0)])).p50).toBeUndefined();
  });

  it.each([
    [850, '850 µs'],
    [2500, '2.5 ms'],
    [44_000, '44 ms'],
    [1_200_000, '1.2 s'],
    [undefined, '–'],
  ])('%s microseconds are %s', (us, text) => {
    expect(formatLatency(us)).toBe(text);
  });

  it('are rates per second', () => {
    expect([formatRate(0, 60), formatRate(6, 60), formatRate(6000, 60), formatRate(1, 3600)]).toEqual([
      '0',
      '0.1',
      '100',
      'below 0.01',
    ]);
  });
});

it('the sum of the parts takes in a part that the page does not know, and every micro-unit', () => {
  const parts = { balances: 999_999_999_999_999, held: 1, 'a new one': 5 };
  expect(sumOf(parts as never)).toBe(1_000_000_000_000_005n);
  expect([share(0n, 10n), share(1n, 1_000_000n), share(1n, 3n), share(3n, 3n)]).toEqual([
    '0 %',
    'below 0.01 %',
    '33.33 %',
    '100.00 %',
  ]);
});

describe('the pieces of a budget', () => {
  const task = { budget: 1000, escrow_amount: 0, payout_status: 'paid', worker_net_payout: 1000 };
  const shown = (over: object): [string, number][] =>
    piecesOf({ ...task, ...over } as Parameters<typeof piecesOf>[0]).map(({ name, value }) => [name, value]);

  it.each([
    [{ payout_status: 'held', escrow_amount: 1000, worker_net_payout: 950 }, [['In escrow', 1000]]],
    [
      { worker_net_payout: 979, base_fee: 1, assurance_fee: 20 },
      [
        ['Worker', 979],
        ['Base fee', 1],
        ['Assurance fee', 20],
      ],
    ],
    [{ payout_status: 'refunded' }, [['Returned, or in subtasks', 1000]]],
    // A split in halves: less than the whole assurance fee was taken.
    [
      { worker_net_payout: 490, base_fee: 0, assurance_fee: 600 },
      [
        ['Worker', 490],
        ['Assurance fee', 510],
      ],
    ],
    [
      { payout_status: 'held', escrow_amount: 400 },
      [
        ['In escrow', 400],
        ['Returned, or in subtasks', 600],
      ],
    ],
  ])('%o', (over, pieces) => {
    expect(shown(over)).toEqual(pieces);
    expect(pieces.reduce((sum, [, value]) => sum + Number(value), 0)).toBe(1000);
  });
});

it('an id has one picture, whatever the case of its letters; it is the same from left and right', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (id) => {
      const { rows, colour } = cellsOf(id);
      for (const row of rows) expect([...row].reverse()).toEqual(row);
      expect([0, 1, 2, 3, 4]).toContain(colour);
    }),
  );
  expect(cellsOf('ABCDEF')).toEqual(cellsOf('abcdef'));
  const looks = new Set(Array.from({ length: 500 }, (_, i) => JSON.stringify(cellsOf(`agent ${i}`))));
  expect(looks.size).toBeGreaterThan(450);
});

// What the tool that leaves the page open calls a fault.

import { expect, it } from 'vitest';
import { judgePage, type PageSample } from '../../tools/page/judge.ts';

const made = (change: (i: number) => Partial<PageSample>): PageSample[] =>
  Array.from({ length: 21 }, (_, i) => ({
    ...{ seconds: i * 30, busySeconds: i * 1.5, heapBytes: 20e6, nodes: 1000, frames: i * 1800 },
    ...change(i),
  }));

it('accepts a page that behaves, also one that fills up first', () => {
  expect(judgePage(made(() => ({})))).toEqual([]);
  expect(judgePage(made((i) => ({ heapBytes: 10e6 + Math.min(i, 6) * 3e6 })))).toEqual([]);
});

it('names what is beyond its bound', () => {
  expect(judgePage(made((i) => ({ heapBytes: 10e6 + i * 1e6 })))[0]).toContain('memory grew');
  expect(judgePage(made((i) => ({ busySeconds: i * 4 })))[0]).toContain('13.3 % of a processor');
  expect(judgePage(made((i) => ({ frames: (i < 10 ? i : i - 1) * 1800 })))[0]).toContain('frames fell');
  expect(judgePage(made(() => ({})).slice(0, 3))).toEqual(['there are too few samples']);
});

// What the tool that leaves the page open calls a fault, and how it reads the processor time of a thread.

import { expect, it } from 'vitest';
import { judgePage, type PageSample } from '../../tools/page/judge.ts';
import { kindOf, readStat } from '../../tools/page/threads.ts';

const made = (change: (i: number) => Partial<PageSample>): PageSample[] =>
  Array.from({ length: 20 }, (_, i) => ({
    ...{ seconds: 30, cpu: { main: 1.5, workers: 0, helpers: 0.5, drawing: 9 } },
    ...{ heapBytes: 20e6, nodes: 1000, framesPerSec: 60 },
    ...change(i),
  }));
const cpu = { main: 1.5, workers: 0, helpers: 0.5, drawing: 9 };

it('accepts a page that behaves, also one that fills up first', () => {
  expect(judgePage(made(() => ({})))).toEqual([]);
  expect(judgePage(made((i) => ({ heapBytes: 10e6 + Math.min(i, 6) * 3e6 })))).toEqual([]);
  expect(judgePage(made((i) => ({ framesPerSec: i % 10 === 0 ? 20 : 60 })))).toEqual([]);
});

it('names what is beyond its bound', () => {
  expect(judgePage(made((i) => ({ heapBytes: 10e6 + i * 1e6 })))[0]).toContain('memory grew');
  expect(judgePage(made(() => ({ cpu: { ...cpu, main: 3.5 } })))[0]).toContain('13.3 % of a processor');
  expect(judgePage(made(() => ({ cpu: { ...cpu, workers: 2 } })))[0]).toContain('13.3 % of a processor');
  expect(judgePage(made((i) => ({ framesPerSec: i % 4 === 0 ? 20 : 60 })))[0]).toContain('frames a second');
  expect(judgePage(made(() => ({})).slice(0, 3))).toEqual(['there are too few samples']);
});

it('reads the time of a thread, whatever its name', () => {
  const stat = '7 (a (b) c) S 1 1 1 0 -1 4194304 10 0 0 0 250 50 3 4 20 0 1 0 99';
  expect(readStat(stat)).toEqual({ name: 'a (b) c', secs: 3 });
  expect(kindOf('chromium', true)).toBe('main');
  expect(kindOf('DedicatedWorker', false)).toBe('workers');
  expect(kindOf('CompositorTileW', false)).toBe('drawing');
  expect(kindOf('ThreadPoolForeg', false)).toBe('helpers');
});

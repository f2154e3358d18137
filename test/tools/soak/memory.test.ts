import { describe, expect, it } from 'vitest';
import { type MemorySample, memoryFaults, memoryFigures, memoryLine } from '../../../tools/soak/memory.ts';
import type { MemoryParts } from '../../../tools/soak/parts.ts';

const FLAT = {
  ...{ resident: 300e6, heap: 60e6, used: 20e6, core: 20e6, dag: 10e6, memtables: 40e6, cache: 5e6 },
  threads: 75e6,
  rest: 90e6,
};
const RATE = 60;

/**
 * A sample every 5 s for half an hour, at 60 transactions per second; of processes that run a minute each, or of one.
 */
const run = (parts: (second: number) => Partial<MemoryParts>, isKilled = false): MemorySample[] =>
  Array.from({ length: 360 }, (_, i) => {
    const second = 5 * i;
    return {
      atMs: second * 1000,
      ageMs: (isKilled ? second % 60 : second) * 1000,
      isRestarted: isKilled && second >= 60,
      transactions: RATE * second,
      parts: { ...FLAT, ...parts(second) },
    };
  });
/** A memtable fills, and the allocator keeps its memory for the next one. */
const filling = (second: number): number => (second % 100) * 0.6e6;
/** Sometimes something is counted twice for ten seconds. */
const dip = (second: number): number => (second === 1300 || second === 1305 ? 50e6 : 0);
/** Garbage grows for a minute and is collected: more than a small leak leaves in the whole run. */
const garbage = (second: number): number => (second % 60) * 0.5e6;

const faultsOf = (samples: MemorySample[]): string[] => memoryFaults(memoryFigures(samples)!);

describe('memory over a soak', () => {
  it('is flat while garbage comes and goes, and while a process warms up', () => {
    const figures = memoryFigures(
      run((second) => ({
        used: FLAT.used + garbage(second),
        memtables: filling(second),
        rest: 150e6 - filling(second) - dip(second),
        resident: second < 500 ? 150e6 + second * 0.3e6 : 300e6,
      })),
    )!;
    expect(memoryFaults(figures)).toEqual([]);
    expect(figures.leak!.objects).toBeCloseTo(0, 6);
    expect(Math.abs(figures.leak!.rest)).toBeLessThan(50);
    expect(figures.slopeMbPerMinute).toBeCloseTo(0, 6);
    expect(memoryLine(figures)).toContain('300 MB in the middle third, 300 in the last');
  });

  it('shows what a process keeps per transaction: objects left after collections, and the rest', () => {
    const keep = (part: 'used' | 'rest', bytes: number): MemorySample[] =>
      run((second) => ({
        [part]: FLAT[part] + bytes * RATE * second + (part === 'used' ? garbage(second) : -filling(second)),
      }));
    expect(memoryFigures(keep('used', 150))!.leak!.objects).toBeCloseTo(150, 6);
    expect(Math.abs(memoryFigures(keep('rest', 0))!.leak!.rest)).toBeLessThan(10);
    expect(faultsOf(keep('used', 150))).toEqual(['150 bytes per transaction stay (objects; at most 100)']);
    expect(faultsOf(keep('used', 50))).toEqual([]);
    expect(faultsOf(keep('rest', 400))).toEqual([
      expect.stringMatching(/^\d+ bytes .* stay \(rest; at most 300\)$/),
    ]);
  });

  it('has a maximum for each part that does not depend on transactions, and one per transaction for the state', () => {
    for (const [part, mb] of [
      ['dag', 101],
      ['memtables', 201],
      ['cache', 331],
      ['threads', 301],
    ] as const) {
      expect(faultsOf(run(() => ({ [part]: mb * 1e6 })))).toEqual([
        `${part} takes ${mb} MB (at most ${mb - 1})`,
      ]);
    }
    expect(faultsOf(run((second) => ({ core: FLAT.core + 60 * RATE * second })))).toEqual([]);
    expect(faultsOf(run((second) => ({ core: FLAT.core + 120 * RATE * second })))).toEqual([
      '120 bytes per transaction stay (core; at most 100)',
    ]);
  });

  it('of killed processes is judged at equal ages, ignoring young ones', () => {
    const grown = run((second) => ({ resident: (second % 60 < 8 ? 900 : 200 + second / 10) * 1e6 }), true);
    const figures = memoryFigures(grown)!;
    expect(figures.slopeMbPerMinute).toBeCloseTo(6, 6);
    expect(figures.leak).toBeUndefined();
    expect(figures.peakBytes).toBeLessThan(381e6);
    expect(memoryFaults(figures)).toEqual(['the low quantile of memory grew from 266 to 326 MB']);
    // A process that has built a file keeps that memory: more processes of the last third have built one.
    const files = (second: number): number => (second % 300 < (second < 1200 ? 120 : 180) ? 60e6 : 0);
    expect(faultsOf(run((second) => ({ resident: 230e6 + files(second) }), true))).toEqual([]);
    expect(faultsOf(run(() => ({}), true))).toEqual([]);
  });

  it('is unknown while no process got old enough', () => {
    expect(memoryFigures(run(() => ({})).slice(0, 2))).toBeUndefined();
    expect(memoryFigures([])).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { FairLines, type Started } from '../../../host/webhooks/fair-lines.ts';

const MOST = { running: 3, ofOwner: 2, ofHost: 2, ofSlow: 2 };

/** Starts what may start; by item. */
class Bench {
  readonly lines: FairLines<string>;
  readonly running = new Map<string, Started<string>>();

  constructor(most: Partial<typeof MOST> = {}) {
    this.lines = new FairLines<string>({ ...MOST, ...most });
  }

  /** Items are named by owner, host and number: `a.x1`. */
  push(...items: string[]): string[] {
    for (const item of items) this.lines.push(item[0]!, item[2]!, item);
    return this.drain();
  }

  drain(): string[] {
    const names: string[] = [];
    for (let one = this.lines.next(); one; one = this.lines.next()) {
      names.push(one.item);
      this.running.set(one.item, one);
    }
    return names;
  }

  end(item: string, isSlow = false): string[] {
    this.running.get(item)!.end(isSlow);
    this.running.delete(item);
    return this.drain();
  }
}

describe('places for deliveries', () => {
  it('are given to hosts in turns, within all limits', () => {
    const bench = new Bench();
    expect(bench.push('a.x1', 'b.x2', 'c.x3', 'd.y1')).toEqual(['a.x1', 'b.x2', 'd.y1']);
    expect(bench.push('c.z1')).toEqual([]);
    expect(bench.end('d.y1')).toEqual(['c.z1']);
    // Two go to x: no third one, though there is room.
    expect(bench.end('c.z1')).toEqual([]);
    expect(bench.end('a.x1')).toEqual(['c.x3']);
    expect(bench.lines.running).toBe(2);
  });

  it('are not all held by one owner whose hosts differ', () => {
    const bench = new Bench({ running: 4 });
    const hosts = [...'pqrstuv'].map((host) => `a.${host}1`);
    expect(bench.push(...hosts)).toEqual(['a.p1', 'a.q1']);
    expect(bench.push('b.x1')).toEqual(['b.x1']);
    expect(bench.end('a.q1')).toEqual(['a.r1']);
    expect(bench.end('a.p1')).toEqual(['a.s1']);
  });

  it('are not lost when what was next waits for another limit', () => {
    const bench = new Bench({ running: 9 });
    // a is full by its own hosts; b fills x, for which a waits too.
    expect(bench.push('a.p1', 'a.q1', 'a.x1', 'a.r1', 'b.x1', 'c.x1')).toEqual([
      'a.p1',
      'a.q1',
      'b.x1',
      'c.x1',
    ]);
    expect(bench.end('a.p1')).toEqual(['a.r1']);
    expect(bench.end('a.q1')).toEqual([]);
    expect(bench.end('b.x1')).toEqual(['a.x1']);
    expect([bench.end('c.x1'), bench.end('a.r1'), bench.end('a.x1')]).toEqual([[], [], []]);
    expect(bench.push('a.x2', 'c.x2')).toEqual(['a.x2', 'c.x2']);
  });

  it('are a part only for owners who were slow last time', () => {
    const bench = new Bench();
    expect(bench.push('a.p1', 'b.q1', 'c.r1')).toEqual(['a.p1', 'b.q1', 'c.r1']);
    for (const item of ['a.p1', 'b.q1', 'c.r1']) bench.end(item, true);
    expect(bench.push('a.p2', 'b.q2', 'c.r2')).toEqual(['a.p2', 'b.q2']);
    expect(bench.push('d.s1')).toEqual(['d.s1']);
    expect(bench.end('d.s1')).toEqual([]);
    expect(bench.end('a.p2')).toEqual(['c.r2']);
    // a was fast again: it has places as any other.
    expect(bench.push('a.p3')).toEqual(['a.p3']);
  });

  it('are given to those who are still slow, when others that waited with them no longer are', () => {
    const bench = new Bench({ running: 9, ofOwner: 9, ofSlow: 1 });
    expect(bench.push('a.p1', 'b.q1')).toEqual(['a.p1', 'b.q1']);
    for (const item of ['a.p1', 'b.q1']) bench.end(item, true);
    expect(bench.push('a.p2', 'a.q2', 'a.r2', 'b.q2')).toEqual(['a.p2']);
    expect(bench.end('a.p2')).toEqual(['a.q2', 'a.r2', 'b.q2']);
  });

  it('forget waiting items when cleared, and accept new ones', () => {
    const bench = new Bench({ running: 1 });
    expect(bench.push('a.x1', 'a.x2', 'b.y1')).toEqual(['a.x1']);
    bench.lines.clear();
    expect(bench.end('a.x1')).toEqual([]);
    expect(bench.push('b.y2')).toEqual(['b.y2']);
  });

  it('all serve, in any order of ends, and nobody is forgotten', () => {
    let seed = 7;
    const draw = (n: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * n);
    };
    const bench = new Bench({ running: 6, ofSlow: 3 });
    const started = new Set<string>();
    const note = (names: string[]): void => names.forEach((name) => void started.add(name));
    for (let i = 0; i < 2000; i++) {
      note(bench.push(`${'abcdef'[draw(6)]}.${'uvwxyz'[draw(6)]}${i}`));
      for (const item of [...bench.running.keys()]) {
        expect(bench.running.size).toBeLessThanOrEqual(6);
        if (draw(3) === 0) note(bench.end(item, draw(2) === 0));
      }
    }
    while (bench.running.size > 0) note(bench.end([...bench.running.keys()][0]!));
    expect(started.size).toBe(2000);
    expect(bench.lines.running).toBe(0);
  });
});

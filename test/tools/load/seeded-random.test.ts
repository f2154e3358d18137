import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';

describe('seeded choices', () => {
  it('repeat with the seed and differ with another', () => {
    const draw = (seed: number): number[] => {
      const random = new SeededRandom(seed);
      return Array.from({ length: 50 }, () => random.next());
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('stay in their bounds and reach all of them', () => {
    const random = new SeededRandom(3);
    const seen = new Set(Array.from({ length: 500 }, () => random.between(4, 9)));
    expect([...seen].sort()).toEqual([4, 5, 6, 7, 8, 9]);
    expect(random.pick(['only'])).toBe('only');
    expect(random.bytes(7)).toHaveLength(7);
  });
});

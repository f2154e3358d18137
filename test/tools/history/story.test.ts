import { describe, expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { decodeEntry, entrySignatures, openEntry } from '../../../host/wire/entry.ts';
import { Story } from '../../../tools/history/story.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';

const node = keyPairFromSeed(new Uint8Array(32).fill(9));
const story = (seed: number): Story => new Story(node, 'vws-testnet-1', new SeededRandom(seed), 4);
const entriesOf = (seed: number, count: number): Uint8Array[] => {
  const made = story(seed);
  return [...made.opening(1_800_000_000), ...Array.from({ length: count }, () => made.next(1_800_000_000))];
};

describe('a story', () => {
  it('repeats with its seed', () => {
    expect(entriesOf(4, 40)).toEqual(entriesOf(4, 40));
    expect(entriesOf(4, 40)).not.toEqual(entriesOf(5, 40));
  });

  it('contains entries with valid signatures, and some that are not entries', () => {
    let good = 0;
    let garbage = 0;
    for (const bytes of entriesOf(6, 150)) {
      const entry = decodeEntry(bytes);
      if (!entry) {
        garbage += 1;
        continue;
      }
      const jobs = entrySignatures(openEntry(entry), fromHex)!;
      for (const job of jobs) expect(referenceVerifyMany([job])[0]).toBe(1);
      good += 1;
    }
    expect(good).toBeGreaterThan(120);
    expect(garbage).toBeGreaterThan(0);
  });

  it('has the same writes with smaller sums of another unit', () => {
    const sumsOf = (unit?: number): number[] => {
      const told = new Story(node, 'vws-testnet-1', new SeededRandom(8), 4, unit);
      const texts = Array.from({ length: 200 }, () =>
        Buffer.from(told.next(1_800_000_000)).toString('latin1'),
      );
      return texts
        .filter((text) => text.includes('/v1/transfer'))
        .map((text) => Number(/\\?"amount\\?":(\d+)/.exec(text)?.[1]));
    };
    const [whole, small] = [sumsOf(), sumsOf(1000)];
    expect(small.length).toBeGreaterThan(20);
    expect(small.length).toBe(whole.length);
    expect(Math.max(...small)).toBeLessThanOrEqual(30_000);
    expect(Math.max(...whole)).toBeGreaterThan(1_000_000);
  });
});

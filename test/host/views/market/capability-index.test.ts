import { expect, it } from 'vitest';
import type { CapabilityDoc } from '../../../../host/store/market-documents.ts';
import { CapabilityIndex } from '../../../../host/views/market/capability-index.ts';
import { SeededRandom } from '../../../../tools/load/seeded-random.ts';
import { testSeed } from '../../../e2e/seed.ts';

const CATEGORIES = ['code', 'data', 'art', 'law'];

it('pages every filter like a scan, under random changes', () => {
  const seed = testSeed();
  console.log(`seed ${seed} (repeat with VWS_SEED=${seed})`);
  const random = new SeededRandom(seed);
  const index = new CapabilityIndex((a, b) => b - a);
  const model = new Map<number, CapabilityDoc>();
  for (let step = 0; step < 3000; step++) {
    const agent = random.below(50);
    if (random.below(5) === 0) {
      model.delete(agent);
      index.set(agent, undefined);
    } else {
      const doc = {
        categories: CATEGORIES.filter(() => random.below(2) === 0),
        available: random.below(2) === 0,
        registered_at: random.below(10),
      } as CapabilityDoc;
      model.set(agent, doc);
      index.set(agent, doc);
    }
    const category = random.pick(['', ...CATEGORIES, 'none']);
    const available = random.pick([undefined, true, false]);
    const [offset, count] = [random.below(10), 1 + random.below(10)];
    const want = [...model]
      .filter(([, doc]) => category === '' || doc.categories.includes(category))
      .filter(([, doc]) => available === undefined || doc.available === available)
      .sort(([a, x], [b, y]) => x.registered_at - y.registered_at || b - a)
      .map(([row]) => row);
    expect(index.page(category, available, offset, count)).toEqual({
      agents: want.slice(offset, offset + count),
      total: want.length,
    });
  }
});

// Lists of events: pages without gaps, short or long, also of authors whose rows the cache dropped before they were
// written.

import { expect, it } from 'vitest';
import { EVENT_TYPES, typeNumber } from '../../../host/store/event-types.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { EventLists } from '../../../host/views/events/event-lists.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { freshSeed } from '../../e2e/seed.ts';

const SEED = freshSeed();
/** Three lists each: more than the cache holds. */
const AUTHORS = 70_000;

it('numbers the events of an author whose last event is old', async () => {
  const store = new MemoryStore();
  const lists = new EventLists(store);
  const set = new WriteSet(store);
  for (let author = 1; author <= AUTHORS; author++) lists.append(set, author, 'stake', author);
  lists.append(set, 1, 'stake', AUTHORS + 1);
  lists.append(set, 1, 'unstake', AUTHORS + 2);
  await store.write(set.ops());
  const fresh = new EventLists(store);
  for (const known of [lists, fresh]) {
    expect(known.page(1, 0, 0, 10)).toEqual({ seqs: [AUTHORS + 2, AUTHORS + 1, 1], total: 3 });
    expect(known.page(2, 0, 0, 10)).toEqual({ seqs: [2], total: 1 });
    expect(known.page(AUTHORS, 0, 0, 10)).toEqual({ seqs: [AUTHORS], total: 1 });
    expect(known.page(AUTHORS + 1, 0, 0, 10)).toEqual({ seqs: [], total: 0 });
    expect(known.page(0, typeNumber('stake'), 1, 2)).toEqual({
      seqs: [AUTHORS, AUTHORS - 1],
      total: AUTHORS + 1,
    });
  }
});

it(`pages like a plain list, however long it has become (repeat with VWS_SEED=${SEED})`, async () => {
  const random = new SeededRandom(SEED);
  const store = new MemoryStore();
  const all: { author: number; type: (typeof EVENT_TYPES)[number] }[] = [];
  let lists = new EventLists(store);
  for (let group = 0; group < 60; group++) {
    // A node that was started anew goes on with what is stored.
    if (random.below(3) === 0) lists = new EventLists(store);
    const set = new WriteSet(store);
    for (let i = random.below(12); i >= 0; i--) {
      // Some authors are heard of often, some a few times.
      const event = { author: 1 + random.below(1 + random.below(40)), type: EVENT_TYPES[random.below(3)]! };
      all.push(event);
      lists.append(set, event.author, event.type, all.length);
    }
    await store.write(set.ops());
    for (let author = 0; author <= 41; author++) {
      for (const type of [undefined, ...EVENT_TYPES.slice(0, 4)]) {
        if (author === 0 && type === undefined) continue;
        const seqs = all.flatMap((e, i) => {
          const isIn = (author === 0 || e.author === author) && (type === undefined || e.type === type);
          return isIn ? [i + 1] : [];
        });
        const offset = random.below(12);
        const page = seqs.reverse().slice(offset, offset + 5);
        const found = lists.page(author, type === undefined ? 0 : typeNumber(type), offset, 5);
        expect(found).toEqual({ seqs: page, total: seqs.length });
      }
    }
  }
});

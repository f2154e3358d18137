// Lists of events: pages without gaps at any length, also of authors whose rows the cache dropped; what is not written yet is
// read from memory, and after a crash from the events.

import { expect, it, vi } from 'vitest';
import { EVENT_TYPES, type EventType, typeNumber } from '../../../host/store/event-types.ts';
import { putDocumentsStart } from '../../../host/store/history.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { type Prefix, rangeOf, rowKey, rowU32, rowU64 } from '../../../host/store/prefixes.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { SYSTEM_AGENT, SYSTEM_AUTHOR } from '../../../host/views/events/authors.ts';
import { EventLists, MAX_UNWRITTEN } from '../../../host/views/events/event-lists.ts';
import { recoverLists } from '../../../host/views/events/list-recovery.ts';
import { droppedChunks } from '../../../host/views/history/drop-documents.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { agentKey } from '../../../host/wire/ids.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { testSeed } from '../../e2e/seed.ts';
import { eventOf } from '../api/stream-source.ts';

const SEED = testSeed();
/** Two lists each: more than the cache holds. */
const AUTHORS = 20_000;
const STAKE = typeNumber('stake');
const UNSTAKE = typeNumber('unstake');

/** Agents 0 to 50, by the names under which `put` writes their events. */
const NAMES = Array.from({ length: 51 }, (_, index) => `agent-${index}`);
const INDEXES = new Map(NAMES.map((name, index) => [toHex(agentKey(name)), index]));
const state = { findAgent: (key: Uint8Array) => INDEXES.get(toHex(key)) };

interface Listed {
  author: number;
  type: EventType;
}

const nameOf = (author: number): string => (author === SYSTEM_AUTHOR ? SYSTEM_AGENT : NAMES[author - 1]!);
const put = (set: WriteSet, seq: number, { author, type }: Listed): void =>
  set.putJson(rowKey.event(seq), eventOf(seq, type, { agent_id: nameOf(author) }));

/** Lists as a start finds them. */
async function started(store: MemoryStore, head: number): Promise<EventLists> {
  const lists = new EventLists(store);
  await recoverLists(store, lists, state, head);
  return lists;
}

async function keysOf(store: MemoryStore, prefix: Prefix): Promise<string[]> {
  const keys: string[] = [];
  for await (const [key] of store.scan(rangeOf(prefix))) keys.push(toHex(key));
  return keys;
}

it('numbers the events of an author whose last event is old', async () => {
  const store = new MemoryStore();
  const lists = new EventLists(store);
  const set = new WriteSet(store);
  for (let author = 1; author <= AUTHORS; author++) lists.append(author, 'stake', author);
  lists.append(1, 'stake', AUTHORS + 1);
  lists.append(1, 'unstake', AUTHORS + 2);
  lists.flush(set, false);
  await store.write(set.ops());
  const fresh = new EventLists(store);
  expect(fresh.last).toBe(AUTHORS + 2);
  for (const known of [lists, fresh]) {
    expect(known.page(1, 0, 0, 10)).toEqual({ seqs: [AUTHORS + 2, AUTHORS + 1, 1], total: 3 });
    expect(known.page(2, 0, 0, 10)).toEqual({ seqs: [2], total: 1 });
    expect(known.page(AUTHORS, 0, 0, 10)).toEqual({ seqs: [AUTHORS], total: 1 });
    expect(known.page(AUTHORS + 1, 0, 0, 10)).toEqual({ seqs: [], total: 0 });
    expect(known.page(0, STAKE, 1, 2)).toEqual({ seqs: [AUTHORS, AUTHORS - 1], total: AUTHORS + 1 });
    expect(known.firstFrom(0, STAKE, 12_345)).toBe(12_345);
    expect(known.firstFrom(1, STAKE, 2)).toBe(AUTHORS + 1);
    expect(known.firstFrom(0, UNSTAKE, AUTHORS + 3)).toBeUndefined();
  }
});

it('writes nothing until there is enough, then each list once and whole chunks', () => {
  const lists = new EventLists(new MemoryStore());
  const puts = vi.fn();
  const set = Object.assign(new WriteSet(new MemoryStore()), { put: puts, putJson: puts });
  for (let seq = 1; seq < MAX_UNWRITTEN; seq++) lists.append(7, 'stake', seq);
  lists.flush(set, false);
  expect(puts).not.toHaveBeenCalled();
  lists.append(7, 'stake', MAX_UNWRITTEN);
  lists.flush(set, false);
  const names = [
    [0, STAKE],
    [7, 0],
    [7, STAKE],
  ] as const;
  const chunks = Array.from({ length: MAX_UNWRITTEN / 64 }, (_, i) => i);
  const expected = names.flatMap(([author, type]) => [
    ...chunks.map((chunk) => rowKey.eventChunk(author, type, chunk)),
    rowKey.eventList(author, type),
  ]);
  expect(puts.mock.calls.map(([key]) => toHex(key))).toEqual(
    [...expected, rowKey.meta('lists')].map((key) => toHex(key)),
  );
  puts.mockClear();
  lists.flush(set, true);
  expect(puts).not.toHaveBeenCalled();
  lists.append(7, 'unstake', MAX_UNWRITTEN + 1);
  lists.flush(set, true);
  // The chunks are as they were.
  const keys = [rowKey.eventList(0, UNSTAKE), rowKey.eventList(7, 0), rowKey.eventList(7, UNSTAKE)];
  expect(puts.mock.calls.map(([key]) => toHex(key))).toEqual(
    [...keys, rowKey.meta('lists')].map((key) => toHex(key)),
  );
});

it(`pages like a plain list, written or not, after any crash (repeat with VWS_SEED=${SEED})`, async () => {
  const random = new SeededRandom(SEED);
  const store = new MemoryStore();
  const all: Listed[] = [];
  let lists = new EventLists(store);
  for (let group = 0; group < 60; group++) {
    // What a process that ends has not written, the next one reads from the events.
    if (random.below(3) === 0) lists = await started(store, all.length);
    const set = new WriteSet(store);
    for (let i = random.below(24); i >= 0; i--) {
      // Some authors are heard of often, some a few times.
      const author = random.below(9) === 0 ? SYSTEM_AUTHOR : 1 + random.below(1 + random.below(40));
      const event = { author, type: EVENT_TYPES[random.below(3)]! };
      all.push(event);
      put(set, all.length, event);
      lists.append(author, event.type, all.length);
    }
    lists.flush(set, random.below(4) === 0);
    await store.write(set.ops());
    for (const author of [0, 1, 2, 3, 20, 41, SYSTEM_AUTHOR]) {
      for (const type of [undefined, ...EVENT_TYPES.slice(0, 4)]) {
        if (author === 0 && type === undefined) continue;
        const seqs = all.flatMap((e, i) => {
          const isIn = (author === 0 || e.author === author) && (type === undefined || e.type === type);
          return isIn ? [i + 1] : [];
        });
        const number = type === undefined ? 0 : typeNumber(type);
        const from = random.below(all.length + 2);
        expect(lists.firstFrom(author, number, from)).toBe(seqs.find((seq) => seq >= from));
        const [offset, count] = [random.below(90), random.below(90)];
        const page = seqs.reverse().slice(offset, offset + count);
        expect(lists.page(author, number, offset, count)).toEqual({ seqs: page, total: seqs.length });
      }
    }
  }
});

it('makes lists of another form anew, and goes on where that was interrupted', async () => {
  const store = new MemoryStore();
  const set = new WriteSet(store);
  const count = 3 * MAX_UNWRITTEN;
  for (let seq = 1; seq <= count; seq++) put(set, seq, { author: 1 + (seq % 3), type: 'stake' });
  // As format 6 had them: a row for each event of a long list.
  for (let i = 0; i < 1100; i++) set.put(rowKey.eventChunk(4, STAKE, i), rowU64(i + 1));
  set.put(rowKey.eventList(4, STAKE), rowU32(1100));
  await store.write(set.ops());

  const write = vi.spyOn(store, 'write');
  let left = 4;
  write.mockImplementation(async (ops) => {
    if (left-- === 0) throw new Error('the power failed');
    await MemoryStore.prototype.write.call(store, ops);
  });
  await expect(started(store, count)).rejects.toThrow('the power failed');
  write.mockRestore();
  const interrupted = new EventLists(store).last;
  expect(interrupted).toBeGreaterThan(0);
  expect(interrupted).toBeLessThan(count);

  const lists = await started(store, count);
  expect(lists.page(4, STAKE, 0, 10)).toEqual({ seqs: [], total: 0 });
  expect(lists.page(0, STAKE, 0, 2)).toEqual({ seqs: [count, count - 1], total: count });
  expect(lists.page(2, 0, 0, 2)).toEqual({ seqs: [count - 2, count - 5], total: MAX_UNWRITTEN });
  expect(await keysOf(store, 'l')).not.toContain(toHex(rowKey.eventChunk(4, STAKE, 0)));
});

it('lists nothing that is not kept, and nothing that a peer says of no agent and no type', async () => {
  const store = new MemoryStore();
  const set = new WriteSet(store);
  for (let seq = 1; seq <= 20; seq++) put(set, seq, { author: 1, type: 'stake' });
  set.putJson(rowKey.event(15), eventOf(15, 'stake', { agent_id: 'nobody' }));
  set.putJson(rowKey.event(16), eventOf(16, 'no_type' as EventType, { agent_id: NAMES[0]! }));
  set.putJson(rowKey.event(17), eventOf(17, 'stake', { agent_id: 5 as never }));
  set.delete(rowKey.event(18));
  putDocumentsStart(set, { seq: 11, order: 5, time_secs: 9 });
  await store.write(set.ops());
  const lists = await started(store, 20);
  expect(lists.page(1, 0, 0, 20)).toEqual({ seqs: [20, 19, 14, 13, 12, 11], total: 6 });
  expect(lists.page(0, STAKE, 0, 20).total).toBe(6);
});

it('loses the chunks that end before the beginning of a history, and no other', async () => {
  const store = new MemoryStore();
  const lists = new EventLists(store);
  const set = new WriteSet(store);
  for (let seq = 1; seq <= 200; seq++) lists.append(1 + (seq % 2), 'stake', seq);
  lists.flush(set, true);
  await store.write(set.ops());
  const chunks = (author: number, type: number, ...numbers: number[]): string[] =>
    numbers.map((number) => toHex(rowKey.eventChunk(author, type, number)));
  const all = [
    ...chunks(0, STAKE, 0, 1, 2),
    ...[1, 2].flatMap((a) => [...chunks(a, 0, 0), ...chunks(a, STAKE, 0)]),
  ];
  expect(await keysOf(store, 'l')).toEqual(all.sort());
  // Chunks of all authors end with 64, 128 and 192, of the even seqs with 128, of the odd ones with 127.
  for await (const ops of droppedChunks(store, 128)) await store.write(ops);
  expect(await keysOf(store, 'l')).toEqual(
    [...chunks(0, STAKE, 1, 2), ...chunks(1, 0, 0), ...chunks(1, STAKE, 0)].sort(),
  );
  expect(new EventLists(store).page(0, STAKE, 134, 4)).toEqual({ seqs: [66, 65, 0, 0], total: 200 });
  expect(new EventLists(store).firstFrom(0, STAKE, 3)).toBe(65);
});

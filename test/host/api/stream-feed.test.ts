// The shared messages of the stream: the same live and from the store, bounded in memory, with gaps reported.

import { expect, it } from 'vitest';
import { CHUNK_EVENTS } from '../../../host/api/stream-chunks.ts';
import { StreamFeed } from '../../../host/api/stream-feed.ts';
import { HiddenContent } from '../../../host/node/hidden-content.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { typeNumber } from '../../../host/store/event-types.ts';
import { hiddenPath, hiddenText } from '../../../host/store/hidden-list.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { hiddenMark } from '../../../host/views/hidden.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemFiles } from '../../../host/world/system/files.ts';
import { EventSource, eventOf, idOf, TIME } from './stream-source.ts';

const clock = { monotonicMs: () => 0, setTimer: () => () => {}, soon: systemClock.soon };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** All messages from a seq to the head. */
function read(feed: StreamFeed, seq = 1): { seq: number; text: string }[] {
  const found: { seq: number; text: string }[] = [];
  for (let next = seq; next <= feed.head; ) {
    const chunk = feed.chunk(next)!;
    for (const m of chunk.messages.slice(next - chunk.first)) found.push({ seq: m.seq, text: text(m.bytes) });
    next = chunk.first + chunk.messages.length;
  }
  return found;
}

async function stored(count: number): Promise<EventSource> {
  const source = new EventSource(clock);
  const docs: EventDoc[] = Array.from({ length: count }, (_, i) => eventOf(i + 1));
  await source.write(docs);
  return source;
}

it('a message is {seq, type, timestamp, data}, the same live and from the store', async () => {
  const source = await stored(700);
  const live = new StreamFeed(source.store, source.lists, 0, () => source.first);
  for (let seq = 1; seq <= 700; seq += 7) {
    const group = Array.from({ length: 7 }, (_, i) => eventOf(seq + i));
    expect(live.append(group, seq + 6, true)).toHaveLength(7);
  }
  const later = new StreamFeed(source.store, source.lists, 700, () => source.first);
  expect(read(live)).toEqual(read(later));
  expect([live.loads, later.loads]).toEqual([0, 3]);
  expect(JSON.parse(read(live)[41]!.text)).toEqual({
    seq: 42,
    type: 'stake',
    timestamp: TIME + 42,
    data: { event_id: idOf(42), agent_id: 'alice', amount: 42, staked_amount: 84 },
  });
});

it('continues from any head, watched or not, without a gap or a duplicate', async () => {
  const source = await stored(2000);
  const feed = new StreamFeed(source.store, source.lists, 100, () => source.first);
  for (let seq = 101; seq <= 2000; seq += 19) {
    const group = Array.from({ length: 19 }, (_, i) => eventOf(seq + i));
    feed.append(group, seq + 18, Math.floor(seq / 300) % 2 === 0);
    if (seq % 5 === 0) feed.chunk(seq);
  }
  expect(read(feed).map((m) => m.seq)).toEqual(Array.from({ length: 2000 }, (_, i) => i + 1));
});

it('keeps a bounded number of messages in memory', async () => {
  const source = await stored(CHUNK_EVENTS * 80);
  const feed = new StreamFeed(source.store, source.lists, CHUNK_EVENTS * 80, () => source.first);
  read(feed);
  expect(feed.cached(1)).toBeUndefined();
  expect(feed.cached(feed.head)).toBeDefined();
  const loads = feed.loads;
  expect(feed.chunk(1)!.messages[0]!.seq).toBe(1);
  expect(feed.loads).toBe(loads + 1);
});

it('finds the first event that is kept, and returns nothing before it', async () => {
  const source = await stored(1000);
  await source.prune(300);
  const feed = new StreamFeed(source.store, source.lists, 1000, () => source.first);
  expect([1, 299, 300, 301, 999, 1001].map((seq) => feed.firstKept(seq))).toEqual([
    301, 301, 301, 301, 999, 1001,
  ]);
  expect(feed.chunk(1)).toBeUndefined();
  expect(feed.chunk(300)).toBeUndefined();
  expect(feed.chunk(301)!.first).toBe(301);
  expect(read(feed, 301)).toHaveLength(700);
  await source.prune(1000);
  const empty = new StreamFeed(source.store, source.lists, 1000, () => source.first);
  expect([empty.firstKept(5), empty.chunk(5)]).toEqual([1001, undefined]);
});

it('finds the next event of a type through its list', async () => {
  const source = new EventSource(clock);
  for (let i = 0; i < 60; i++)
    await source.add(1, i % 7 === 3 ? 'slash' : i % 11 === 5 ? 'transfer' : 'stake');
  const [slash, transfer, none] = (['slash', 'transfer', 'genesis'] as const).map(typeNumber);
  const slashes = [4, 11, 18, 25, 32, 39, 46, 53, 60];
  for (let seq = 1; seq <= 61; seq++) {
    expect(source.feed.nextOf([slash!], seq)).toBe(slashes.find((s) => s >= seq) ?? 61);
  }
  expect(source.feed.nextOf([slash!, transfer!], 5)).toBe(6);
  expect(source.feed.nextOf([none!], 1)).toBe(61);
});

it('a gap after stored events is an error, never skipped', async () => {
  const source = await stored(50);
  await source.store.write([{ key: rowKey.event(20), value: undefined }]);
  const feed = new StreamFeed(source.store, source.lists, 50, () => source.first);
  expect(() => feed.chunk(1)).toThrow('event 20 is not in the store');
});

it('shows the mark of a text that is hidden meanwhile, in what it had made before as well', async () => {
  const source = await stored(3);
  const files = new Map<string, string>();
  const world = {
    files: {
      ...systemFiles,
      exists: (path: string) => files.has(path),
      readText: (path: string) => files.get(path)!,
    },
    clock: { ...systemClock, monotonicMs: () => nowMs },
  };
  let nowMs = 0;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const hidden = new HiddenContent(world, '/data', log);
  const feed = new StreamFeed(source.store, source.lists, 3, () => source.first, hidden);
  const agents = () => read(feed).map((m) => JSON.parse(m.text).data.agent_id);
  expect(agents()).toEqual(['alice', 'alice', 'alice']);
  const hash = sha256Hex(new TextEncoder().encode('alice'));
  files.set(hiddenPath('/data'), hiddenText([hash]));
  nowMs += 2000;
  expect(agents()).toEqual(Array(3).fill(hiddenMark(hash)));
});

// A client that loses its connection at random all the time, and resumes on either of two nodes, one of which is
// behind, ends with a copy of the events without gap or duplicate. Events come from a real store through both HTTP
// drivers, but from no ledger, so that there can be many: VWS_EVENTS=50000 repeats it at length.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { StreamHub } from '../../host/api/stream-hub.ts';
import { followEvents, type SocketLike } from '../../host/client/index.ts';
import type { StreamType } from '../../host/client/stream-types.ts';
import type { HttpDriver, HttpService } from '../../host/world/http.ts';
import type { Store } from '../../host/world/store.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { createNodeDriver } from '../../host/world/system/http/driver-node.ts';
import { createUwsDriver } from '../../host/world/system/http/driver-uws.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import { SeededRandom } from '../../tools/load/seeded-random.ts';
import { freeCharge } from '../host/api/charges.ts';
import { EventSource, eventOf } from '../host/api/stream-source.ts';
import { testSeed } from './seed.ts';

const EVENTS = Number(process.env.VWS_EVENTS ?? 4000);
const TYPES = ['stake', 'unstake', 'transfer', 'slash'] as const;
const nothing = { status: 404, headers: {}, body: '' };

const serviceOf = (hub: StreamHub): HttpService => ({
  maxBodyBytes: () => 0,
  admit: () => undefined,
  handle: (_request, reply) => reply(nothing),
  refusal: () => nothing,
  upgrade: ({ query }) => {
    const given = new URLSearchParams(query);
    const filter = given.get('filter');
    return hub.admit(freeCharge('local'), {
      since: Number(given.get('since')),
      ...(filter === null ? {} : { filter }),
    });
  },
});

let dir: string;
let store: Store;
const drivers: HttpDriver[] = [];
const ports: number[] = [];
let ahead: EventSource;
let behind: EventSource;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-stream-'));
  store = await openStore(dir, 'auto', () => {});
  ahead = new EventSource(systemClock, store);
  behind = new EventSource(systemClock, store, ahead.lists);
  drivers.push(await createUwsDriver(serviceOf(ahead.hub), systemClock));
  drivers.push(createNodeDriver(serviceOf(behind.hub), systemClock));
  for (const driver of drivers) ports.push(await driver.listen('127.0.0.1', 0));
});
afterAll(async () => {
  for (const driver of drivers) await driver.close(100);
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

/** Connects to one of the nodes; breaks at random, rudely or with a close frame. */
const unreliable =
  (random: SeededRandom, breaks: { count: number }) =>
  (url: string): SocketLike => {
    const at = new URL(url);
    at.port = String(ports[random.below(ports.length)]);
    const socket = new WebSocket(at.toString());
    let left = random.between(1, Math.min(1500, Math.max(2, Math.floor(EVENTS / 12))));
    socket.on('message', () => {
      if (--left !== 0) return;
      breaks.count++;
      if (random.below(2)) socket.terminate();
      else socket.close();
    });
    return socket as unknown as SocketLike;
  };

/** Follows to the last event; pauses are a fiftieth of what they are. */
async function copy(
  random: SeededRandom,
  types?: readonly StreamType[],
): Promise<{ seqs: number[]; breaks: number }> {
  const breaks = { count: 0 };
  const seqs: number[] = [];
  const clock = { setTimer: (run: () => void, ms: number) => systemClock.setTimer(run, ms / 50) };
  const openSocket = unreliable(random, breaks);
  const options = { baseUrl: 'http://127.0.0.1:1', since: 0, openSocket, clock, ...(types ? { types } : {}) };
  for await (const message of followEvents(options)) {
    seqs.push(message.seq);
    if (message.type !== 'gap') expect(message.data.event_id).toBe(eventOf(message.seq).event_id);
    if (message.seq === EVENTS) break;
  }
  return { seqs, breaks: breaks.count };
}

it(`${EVENTS} events over broken connections: no gap, no duplicate`, { timeout: 600_000 }, async () => {
  const seed = testSeed();
  console.log(`VWS_SEED=${seed} VWS_EVENTS=${EVENTS}`);
  const random = new SeededRandom(seed);
  const writes = (async () => {
    const late: { docs: ReturnType<typeof eventOf>[]; head: number }[] = [];
    for (let head = 0; head < EVENTS; ) {
      const count = Math.min(random.between(1, 200), EVENTS - head);
      const docs = Array.from({ length: count }, (_, i) => {
        const seq = head + 1 + i;
        // The last one is of a type that every copy has.
        return eventOf(seq, seq === EVENTS ? 'transfer' : TYPES[random.below(TYPES.length)]!);
      });
      await ahead.write(docs);
      head += count;
      ahead.hub.publish(docs, head);
      late.push({ docs, head });
      if (late.length > 5) for (const group of late.splice(0, 3)) behind.hub.publish(group.docs, group.head);
      await new Promise((next) => setTimeout(next, random.below(4)));
    }
    for (const group of late) behind.hub.publish(group.docs, group.head);
  })();
  const seeds = [1, 2, 3].map((i) => new SeededRandom(seed + i));
  const [all, other, some] = await Promise.all([
    copy(seeds[0]!),
    copy(seeds[1]!),
    copy(seeds[2]!, ['transfer', 'slash']),
    writes,
  ]);
  const expected = Array.from({ length: EVENTS }, (_, i) => i + 1);
  expect(all.seqs).toEqual(expected);
  expect(other.seqs).toEqual(expected);
  expect(all.breaks + other.breaks).toBeGreaterThan(4);
  const wanted: number[] = [];
  for (const seq of expected) {
    const type = JSON.parse(Buffer.from(messageText(seq)).toString()).type;
    if (type === 'transfer' || type === 'slash') wanted.push(seq);
  }
  expect(some.seqs).toEqual(wanted);
});

function messageText(seq: number): Uint8Array {
  const chunk = ahead.feed.chunk(seq)!;
  return chunk.messages[seq - chunk.first]!.bytes;
}

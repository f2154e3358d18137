// The stream of a reader from a real NATS JetStream: every event once and in order, whoever joins when, while NATS is killed.
// Skipped by name where no server can be had.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Publisher } from '../../host/export/nats/publisher.ts';
import { StreamLog } from '../../host/export/nats/stream-log.ts';
import { ReaderStream } from '../../host/export/reader/stream.ts';
import type { EventDoc } from '../../host/store/documents.ts';
import type { EventType } from '../../host/store/event-types.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { missingNats, NatsServer } from '../../tools/export/nats-server.ts';
import { freeCharge } from '../host/api/charges.ts';
import { FakeSocket, range } from '../host/api/stream-fakes.ts';
import { EventSource, eventOf, TIME } from '../host/api/stream-source.ts';

const missing = missingNats();
const STREAM = 'VWS_EVENTS';
/** One of them is larger than a message of NATS. */
const LARGE = 300;
const typeOf = (seq: number): EventType => (seq % 500 === 0 ? 'unstake' : 'stake');
const docOf = (seq: number): EventDoc =>
  eventOf(seq, typeOf(seq), seq === LARGE ? { memo: 'x'.repeat(2_000_000) } : {});

describe.skipIf(missing)(`NATS JetStream${missing ? ` (${missing})` : ''}`, () => {
  let server: NatsServer;
  let publisher: Publisher;
  let stream: ReaderStream;
  let publishing: Promise<void>;
  let count = 2000;

  beforeAll(async () => {
    server = await NatsServer.start();
    const events = {
      range: async () => ({ first: 1, last: count }),
      after: async (seq: number, limit: number) =>
        range(seq + 1, Math.min(count, seq + limit)).map((one) => ({ seq: one, doc: docOf(one) })),
    };
    const clock = systemClock;
    publisher = new Publisher({ servers: server.url, stream: STREAM, replicas: 1, events, clock, warn() {} });
    publishing = publisher.run();
    while (publisher.published < count) await sleep(5);
    stream = new ReaderStream({
      log: new StreamLog({ servers: server.url, stream: STREAM, whole: async (seq) => docOf(seq) }),
      tables: { read: async (run) => run({ rows: async () => [] } as never) },
      timeSecs: () => TIME,
      clock,
      logger: { error() {}, warn() {} },
      metrics: { streamMessages() {}, slowConsumer() {} },
    });
    void stream.run();
  });
  afterAll(async () => {
    await stream?.stop();
    await publisher?.close();
    await publishing;
    await server?.close();
  });

  async function open(query: { since?: number; filter?: string }): Promise<FakeSocket> {
    for (;;) {
      try {
        const socket = new FakeSocket();
        socket.listener = stream.admit(freeCharge('10.0.0.1'), query)(socket);
        return socket;
      } catch {
        await sleep(20);
      }
    }
  }
  const reached = async (socket: FakeSocket, seq: number): Promise<void> => {
    while (socket.seqs.at(-1) !== seq && socket.code === undefined) await sleep(20);
  };

  it('is what a node sends, byte for byte', async () => {
    const socket = await open({ since: 0 });
    await reached(socket, count);
    const source = new EventSource(systemClock);
    const docs = range(1, count).map(docOf);
    await source.write(docs);
    source.hub.publish(docs, count);
    const node = new FakeSocket();
    node.listener = source.hub.admit(freeCharge('10.0.0.1'), { since: 0 })(node);
    await reached(node, count);
    expect(socket.received.map(String)).toEqual(node.received.map(String));
  });

  it('has every event once for all, while NATS is killed', { timeout: 120_000 }, async () => {
    const live = await open({});
    const rare = await open({ since: 0, filter: 'unstake' });
    const from = count;
    const late: FakeSocket[] = [];
    for (let round = 0; round < 3; round++) {
      count += 400;
      await sleep(100);
      await server.kill();
      await server.run();
      late.push(await open({ since: 1000 }));
    }
    count += 100;
    for (const socket of [live, ...late]) await reached(socket, count);
    await reached(rare, 3000);
    expect(live.seqs).toEqual(range(from + 1, count));
    for (const socket of late) expect(socket.seqs).toEqual(range(1001, count));
    expect(rare.seqs).toEqual(range(1, 6).map((n) => n * 500));
  });
});

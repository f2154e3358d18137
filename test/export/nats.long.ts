// Events published to a real NATS JetStream: its sequence is their seq, whoever publishes and whatever is killed.
// Skipped by name where no server can be had.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventSource, PublishedEvent } from '../../host/export/batch.ts';
import { Publisher } from '../../host/export/nats/publisher.ts';
import { agentToken } from '../../host/export/nats/subjects.ts';
import type { EventDoc } from '../../host/store/documents.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { missingNats, NatsServer } from '../../tools/export/nats-server.ts';

const missing = missingNats();
const AGENT = 'ab'.repeat(32);

/** So many committed events, of which more may come. */
class Events implements EventSource {
  constructor(
    public count: number,
    public first = 1,
  ) {}

  doc(seq: number): EventDoc {
    return {
      event_id: String(seq),
      event_type: 'transfer',
      seq,
      agent_id: AGENT,
      memo: 'x'.repeat(seq % 50),
    } as EventDoc;
  }

  async range() {
    return { first: this.first, last: this.count };
  }

  async after(seq: number, limit: number): Promise<PublishedEvent[]> {
    const from = Math.max(seq + 1, this.first);
    const length = Math.max(0, Math.min(limit, this.count - from + 1));
    return Array.from({ length }, (_, i) => ({ seq: from + i, doc: this.doc(from + i) }));
  }
}

describe.skipIf(missing)(`NATS JetStream${missing ? ` (${missing})` : ''}`, () => {
  let server: NatsServer;
  let streams = 0;
  const publishers: Publisher[] = [];

  beforeAll(async () => {
    server = await NatsServer.start();
  });
  afterAll(async () => {
    for (const publisher of publishers) await publisher.close();
    await server?.close();
  });

  function publisherOf(events: EventSource, stream: string): Publisher {
    const publisher = new Publisher({
      servers: server.url,
      stream,
      replicas: 1,
      events,
      clock: systemClock,
      warn: () => {},
    });
    publishers.push(publisher);
    return publisher;
  }
  // The subjects of two streams must not overlap.
  const fresh = async (): Promise<string> => {
    await server.manage(async (manager) => {
      for await (const name of manager.streams.names()) await manager.streams.delete(name);
    });
    streams += 1;
    return `EVENTS_${streams}`;
  };
  const expectAll = async (stream: string, events: Events): Promise<void> => {
    const found = await server.messages(stream);
    expect(found.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: events.count - events.first + 1 }, (_, i) => events.first + i),
    );
    for (const { sequence, data } of found) expect(data).toEqual(events.doc(sequence));
  };

  it('has each event under its seq, and goes on where it ended', async () => {
    const [stream, events] = [await fresh(), new Events(600)];
    await publisherOf(events, stream).run(() => events.count);
    const [one] = await server.messages(stream);
    expect(one!.subject).toBe(`vws.ev.transfer.${AGENT}`);
    events.count = 700;
    await publisherOf(events, stream).run(() => events.count);
    await expectAll(stream, events);
  });

  it('has each once from two publishers, while the server is killed', async () => {
    const [stream, events] = [await fresh(), new Events(3000)];
    const running = [1, 2].map(() => publisherOf(events, stream).run(() => events.count));
    const [first] = publishers.slice(-2);
    for (const at of [300, 1200]) {
      while (first!.published < at) await new Promise((resolve) => setTimeout(resolve, 5));
      await server.kill();
      await server.run();
    }
    await Promise.all(running);
    await expectAll(stream, events);
  });

  it('begins later than 1 where the server can, and says so where it cannot', async () => {
    const [stream, events] = [await fresh(), new Events(50, 21)];
    const publishing = publisherOf(events, stream).run(() => events.count);
    const canBegin = !/v2\.[0-9]\./.test(server.version);
    if (!canBegin) await expect(publishing).rejects.toMatchObject({ kind: 'gap' });
    else {
      await publishing;
      await expectAll(stream, events);
    }
  });

  it('refuses a stream that is ahead of the database', async () => {
    const [stream, events] = [await fresh(), new Events(30)];
    await publisherOf(events, stream).run(() => events.count);
    await expect(publisherOf(new Events(20), stream).run()).rejects.toMatchObject({ kind: 'differs' });
  });

  it('refuses a stream of another history, though it is shorter', async () => {
    const [stream, events] = [await fresh(), new Events(30)];
    await publisherOf(events, stream).run(() => events.count);
    const others = new Events(40);
    others.doc = (seq) => ({ ...events.doc(seq), event_id: `other ${seq}` });
    const publishing = publisherOf(others, stream).run(() => others.count);
    await expect(publishing).rejects.toMatchObject({ kind: 'differs' });
    await expectAll(stream, events);
  });

  it('sends a document that is too large without its payload', async () => {
    const stream = await fresh();
    const events = new Events(1);
    events.doc = (seq) =>
      ({ seq, event_type: 'transfer', agent_id: AGENT, memo: 'x'.repeat(2_000_000) }) as EventDoc;
    await publisherOf(events, stream).run(() => 1);
    expect((await server.messages(stream))[0]!.data).toMatchObject({ seq: 1, is_shortened: true });
  });

  it('makes one token of any id', () => {
    expect(agentToken(AGENT)).toBe(AGENT);
    expect(agentToken('system:node')).toBe('73797374656d3a6e6f6465');
    expect(agentToken('a.b > *')).toMatch(/^[0-9a-f]+$/);
  });
});

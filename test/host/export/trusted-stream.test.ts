// The export of what a stream says: each event once and in order, what it says and no more; a gap ends it.

import { beforeAll, describe, expect, it } from 'vitest';
import { streamData } from '../../../host/api/stream-events.ts';
import type { StreamMessage } from '../../../host/client/stream-types.ts';
import { metricsService } from '../../../host/export/metrics-endpoint.ts';
import { settlementOf, streamedEvent } from '../../../host/export/streamed-event.ts';
import { TrustedStream } from '../../../host/export/trusted-stream.ts';
import { Metrics } from '../../../host/metrics.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import type { HttpReply } from '../../../host/world/http.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { Giver } from '../net/join-world.ts';

let docs: EventDoc[];
beforeAll(async () => {
  const giver = await Giver.make();
  const { seq } = giver.parts.executor.head;
  docs = Array.from(
    { length: seq },
    (_, i) => readJson<EventDoc>(giver.parts.store.get(rowKey.event(i + 1)))!,
  );
});

const messageOf = (doc: EventDoc): StreamMessage =>
  ({ seq: doc.seq, type: doc.event_type, timestamp: doc.timestamp, data: streamData(doc) }) as never;
const streamed = (doc: EventDoc): EventDoc => streamedEvent(messageOf(doc) as never);

class Sink {
  events: EventDoc[] = [];
  longest = 0;
  isBroken = false;
  async open(): Promise<{ seq: number; eventId: string | undefined }> {
    return { seq: this.events.length, eventId: this.events.at(-1)?.event_id };
  }
  async write(events: readonly EventDoc[]): Promise<void> {
    await new Promise((next) => setImmediate(next));
    if (this.isBroken) throw new Error('no room');
    this.longest = Math.max(this.longest, events.length);
    this.events.push(...events);
  }
}

function exporterOf(sink: Sink, messages: readonly StreamMessage[]): TrustedStream {
  return new TrustedStream({
    async *follow(since, signal) {
      for (const message of messages) {
        if (signal.aborted) return;
        if (message.seq > since) yield message;
      }
      if (!signal.aborted) await new Promise((end) => signal.addEventListener('abort', end));
    },
    sink,
    genesisHash: '',
    clock: systemClock,
  });
}

describe('an event of the stream', () => {
  it('is told again with the same message', () => {
    expect(new Set(docs.map(({ event_type }) => event_type)).size).toBeGreaterThan(7);
    for (const doc of docs) expect(messageOf(streamed(doc))).toEqual(messageOf(doc));
  });

  it('has the columns that the computed one has', () => {
    const columns = ({ seq, event_type, agent_id, recipient_id, task_id, amount }: EventDoc) =>
      [seq, event_type, agent_id, recipient_id, task_id, amount].map((value) => value ?? null);
    for (const doc of docs) expect(columns(streamed(doc))).toEqual(columns(doc));
  });

  it('is open until a settlement says what became of it', () => {
    const data = { event_id: 'b', agent_id: 'system:node', target_event_id: 'a' };
    const said = {
      amount: 5,
      target_type: 'transfer',
      settlement_state: 'adjusted',
      settlement_reason: 'expired',
    };
    const event = streamedEvent({
      seq: 2,
      type: 'settlement',
      timestamp: 1,
      data: { ...data, ...said },
    } as never);
    expect(settlementOf(event)).toEqual({ id: 'a', state: 'adjusted', fee: undefined });
    // The amount is the transfer's, and was counted with it.
    expect([event.settlement_state, event.amount]).toEqual(['settled', undefined]);
    const transfer = docs.find(({ event_type }) => event_type === 'transfer')!;
    expect([streamed(transfer).settlement_state, settlementOf(streamed(transfer))]).toEqual([
      'optimistic',
      undefined,
    ]);
  });
});

describe('the export of a stream', () => {
  it('writes each event once and in order, also when it begins again', async () => {
    const sink = new Sink();
    const messages = docs.map(messageOf);
    await exporterOf(sink, messages).run(20);
    expect(sink.events.length).toBe(20);
    await exporterOf(sink, messages).run(docs.length);
    expect(sink.events.map(({ seq }) => seq)).toEqual(docs.map(({ seq }) => seq));
  });

  it('writes nothing behind another history: the newest event of the sink comes first, and is the same', async () => {
    const sink = new Sink();
    const messages = docs.map(messageOf);
    await exporterOf(sink, messages).run(20);
    const other = messageOf({ ...docs[19]!, event_id: 'another' });
    const went = exporterOf(sink, [...messages.slice(0, 19), other, ...messages.slice(20)]);
    await expect(went.run(docs.length)).rejects.toMatchObject({ kind: 'differs' });
    expect(sink.events.length).toBe(20);
  });

  it('compares again after each connection, and is behind until the node has told something', async () => {
    const sink = new Sink();
    const messages = docs.map(messageOf);
    const other = messageOf({ ...docs[9]!, event_id: 'another' });
    const connections = [messages.slice(0, 10), [], [...messages.slice(0, 9), other, ...messages.slice(10)]];
    const asked: number[] = [];
    const lags: boolean[] = [];
    let nowMs = 0;
    const exporter: TrustedStream = new TrustedStream({
      async *follow(since, signal, onRetry) {
        while (!signal.aborted) {
          asked.push(since);
          const told = connections.shift()!.filter(({ seq }) => seq > since);
          nowMs += 1000;
          lags.push(exporter.lagMs > 0);
          for (const message of told) yield message;
          while (exporter.lagMs > 0 && told.length > 0) await new Promise((next) => setImmediate(next));
          lags.push(exporter.lagMs > 0);
          onRetry(told.length > 0);
        }
      },
      sink,
      genesisHash: '',
      clock: { monotonicMs: () => nowMs },
    });
    await expect(exporter.run()).rejects.toMatchObject({ kind: 'differs' });
    expect(sink.events.length).toBe(10);
    // It had begun with an empty sink; then its newest event is asked for again.
    expect(asked).toEqual([0, 9, 9]);
    expect(lags).toEqual([true, false, true, true, true]);
  });

  it('writes many at once, and does not read on while too many wait', async () => {
    const sink = new Sink();
    const many = Array.from({ length: 30_000 }, (_, i) => messageOf({ ...docs[0]!, seq: i + 1 }));
    const exporter = exporterOf(sink, many);
    await exporter.run(many.length);
    expect(exporter.seq).toBe(30_000);
    expect(sink.longest).toBe(5000);
  });

  it('ends at a gap, with what came before written', async () => {
    const gap = { seq: 9, type: 'gap', timestamp: 0, data: { from: 5, to: 9 } } as const;
    for (const next of [gap, messageOf(docs[6]!)]) {
      const sink = new Sink();
      const exporter = exporterOf(sink, [...docs.slice(0, 5).map(messageOf), next]);
      await expect(exporter.run()).rejects.toMatchObject({ kind: 'gap' });
      expect(sink.events.length).toBe(5);
    }
  });

  it('ends with what the sink says', async () => {
    const sink = new Sink();
    sink.isBroken = true;
    await expect(exporterOf(sink, docs.map(messageOf)).run()).rejects.toThrow('no room');
  });

  it('ends with what the sink said first, and asks it no more', async () => {
    const faults = ['no room', 'a hole'];
    const sink = new Sink();
    sink.write = async () => {
      throw new Error(faults.shift());
    };
    const exporter = new TrustedStream({
      async *follow() {
        for (const doc of docs.slice(0, 3)) {
          yield messageOf(doc);
          for (let i = 0; i < 5; i++) await new Promise((next) => setImmediate(next));
        }
      },
      sink,
      genesisHash: '',
      clock: systemClock,
    });
    await expect(exporter.run()).rejects.toThrow('no room');
    expect(faults).toEqual(['a hole']);
  });

  it('has written what came before a gap when it ends', async () => {
    const sink = new Sink();
    const write = sink.write.bind(sink);
    sink.write = async (events) => {
      await new Promise((next) => setTimeout(next, 30));
      await write(events);
    };
    const gap = { seq: 9, type: 'gap', timestamp: 0, data: { from: 5, to: 9 } } as const;
    const exporter = exporterOf(sink, [...docs.slice(0, 5).map(messageOf), gap]);
    await expect(exporter.run()).rejects.toMatchObject({ kind: 'gap' });
    expect(sink.events.length).toBe(5);
  });

  it('ends when it is stopped', async () => {
    const sink = new Sink();
    const exporter = exporterOf(sink, docs.slice(0, 3).map(messageOf));
    const running = exporter.run();
    while (exporter.seq < 3) await new Promise((next) => setImmediate(next));
    exporter.stop();
    await running;
    expect(exporter.lagMs).toBe(0);
  });
});

it('the endpoint of metrics answers that one question', async () => {
  const service = metricsService(new Metrics('export'));
  const ask = (method: string, path: string): Promise<HttpReply> =>
    new Promise((resolve) => service.handle({ method, path } as never, resolve));
  expect((await ask('GET', '/metrics')).body).toContain('vws_export_batch_seconds');
  expect((await ask('GET', '/')).status).toBe(404);
  expect((await ask('POST', '/metrics')).status).toBe(405);
});

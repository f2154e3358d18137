// The stream of a reader, from a log that answers later: what clients get is what a node sends them.

import { afterEach, describe, expect, it } from 'vitest';
import { ReaderStream } from '../../../host/export/reader/stream.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import type { EventType } from '../../../host/store/event-types.ts';
import { freeCharge } from '../api/charges.ts';
import { FakeSocket, range, turns } from '../api/stream-fakes.ts';
import { EventSource, eventOf, idOf, TIME } from '../api/stream-source.ts';

const until = async (is: () => boolean): Promise<void> => {
  for (let i = 0; i < 2000 && !is(); i++) await turns(1);
};
const typeOf = (seq: number): EventType => (seq % 100 === 0 ? 'unstake' : 'stake');

/** A stream in NATS as it is seen by its reader: answers come a turn later, and it can be away. */
class FakeLog {
  first = 1;
  last = 0;
  reads: [from: number, to: number][] = [];
  isAway = false;
  isOther = false;
  #wake: () => void = () => {};

  doc(seq: number): EventDoc {
    return eventOf(seq, typeOf(seq), this.isOther ? { event_id: idOf(seq + 1) } : {});
  }

  async #answer(): Promise<void> {
    await turns(1);
    if (this.isAway) throw new Error('NATS is away');
  }

  async range() {
    await this.#answer();
    return { first: this.first, last: this.last };
  }

  async read(from: number, to: number): Promise<EventDoc[]> {
    await this.#answer();
    this.reads.push([from, to]);
    return from < this.first ? [] : range(from, Math.min(to, this.last)).map((seq) => this.doc(seq));
  }

  async nextOf(type: EventType, seq: number): Promise<number | undefined> {
    await this.#answer();
    return range(seq, this.last).find((at) => typeOf(at) === type);
  }

  async *follow(from: number): AsyncGenerator<EventDoc, void, undefined> {
    for (let seq = from; !this.isAway; ) {
      if (seq <= this.last) yield this.doc(seq++);
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
    throw new Error('the connection broke');
  }

  add(count: number): void {
    this.last += count;
    this.#wake();
  }

  set away(isAway: boolean) {
    this.isAway = isAway;
    this.#wake();
  }

  async close() {
    this.away = true;
  }
}

const streams: ReaderStream[] = [];
afterEach(() => Promise.all(streams.splice(0).map((stream) => stream.stop())));

async function begun(log: FakeLog, known = 0) {
  const logged: unknown[] = [];
  const timers: (() => void)[] = [];
  const clock = {
    monotonicMs: () => 0,
    soon: (fn: () => void) => void setImmediate(fn),
    setTimer: (fn: () => void, ms: number) => {
      if (ms < 1000) setImmediate(fn);
      else timers.push(fn);
      return () => {};
    },
  };
  const tables = {
    read: async <T>(run: (s: never) => Promise<T>): Promise<T> =>
      run({ rows: async () => (known === 0 ? [] : [{ seq: known, event_id: idOf(known) }]) } as never),
  };
  const stream = new ReaderStream({
    log,
    tables,
    timeSecs: () => TIME,
    clock,
    logger: { error: (one: unknown) => void logged.push(one), warn: (one: unknown) => void logged.push(one) },
    metrics: { streamMessages: () => {}, slowConsumer: () => {} },
  });
  streams.push(stream);
  void stream.run();
  await turns(20);
  const open = (query: { since?: number; filter?: string } = {}): FakeSocket => {
    const socket = new FakeSocket();
    socket.listener = stream.admit(freeCharge('10.0.0.1'), query)(socket);
    return socket;
  };
  return { stream, open, logged };
}

describe('the stream of a reader', () => {
  it('sends what a node sends, byte for byte: stored events, then live ones', async () => {
    const log = new FakeLog();
    log.last = 700;
    const { open } = await begun(log, 700);
    const socket = open({ since: 3 });
    await until(() => socket.received.length === 697);
    log.add(40);
    await until(() => socket.received.length === 737);
    const source = new EventSource({ monotonicMs: () => 0, setTimer: () => () => {}, soon: setImmediate });
    const docs = range(1, 740).map((seq) => log.doc(seq));
    await source.write(docs);
    source.hub.publish(docs, 740);
    const node = new FakeSocket();
    node.listener = source.hub.admit(freeCharge('10.0.0.1'), { since: 3 })(node);
    await until(() => node.received.length === 737);
    expect(socket.received.map(String)).toEqual(node.received.map(String));
    expect(socket.seqs).toEqual(range(4, 740));
  });

  it('sends new events only where nothing else is asked for', async () => {
    const log = new FakeLog();
    log.last = 10;
    const { open } = await begun(log);
    const socket = open();
    log.add(300);
    await until(() => socket.received.length === 300);
    expect(socket.seqs).toEqual(range(11, 310));
    // The chunk in whose midst it began, as a node reads it from its store.
    expect(log.reads).toEqual([[1, 256]]);
  });

  it('reads a chunk once for all that wait for it', async () => {
    const log = new FakeLog();
    log.last = 512;
    const { open } = await begun(log);
    const sockets = range(1, 10).map(() => open({ since: 0 }));
    await until(() => sockets.every(({ received }) => received.length === 512));
    expect(log.reads).toEqual([
      [1, 256],
      [257, 512],
    ]);
  });

  it('finds a rare type without reading what lies between', async () => {
    const log = new FakeLog();
    log.last = 100_050;
    const { open } = await begun(log);
    const socket = open({ since: 99_901, filter: 'unstake' });
    const none = open({ since: 0, filter: 'slash' });
    await until(() => socket.received.length === 1);
    expect(socket.seqs).toEqual([100_000]);
    await until(() => log.reads.length > 2);
    expect(none.seqs).toEqual([]);
    expect(log.reads.length).toBeLessThan(6);
  });

  it('reports what the stream does not keep any more, and what is not there yet, as a gap', async () => {
    const log = new FakeLog();
    log.last = 600;
    log.first = 301;
    const { open } = await begun(log);
    const [old, future] = [open({ since: 0 }), open({ since: 9000 })];
    await until(() => old.received.length === 301);
    expect(old.messages[0]).toEqual({
      seq: 300,
      type: 'gap',
      timestamp: TIME,
      data: { from: 0, to: 300 },
    });
    expect(old.seqs).toEqual(range(300, 600));
    expect(future.messages).toEqual([
      { seq: 600, type: 'gap', timestamp: TIME, data: { from: 9000, to: 600 } },
    ]);
  });

  it('notices that the beginning was dropped while it read', async () => {
    const log = new FakeLog();
    log.last = 600;
    const { open } = await begun(log);
    log.first = 401;
    const socket = open({ since: 0 });
    await until(() => socket.seqs.at(-1) === 600);
    expect(socket.seqs).toEqual(range(400, 600));
    expect(socket.messages[0].type).toBe('gap');
  });

  it('waits for NATS, skips nothing, and refuses new streams meanwhile', async () => {
    const log = new FakeLog();
    log.last = 5;
    const { open, logged } = await begun(log);
    const socket = open();
    log.add(3);
    await until(() => socket.received.length === 3);
    log.away = true;
    await turns(10);
    log.add(4);
    expect(() => open()).toThrow(expect.objectContaining({ code: 'not_ready' }));
    log.away = false;
    await until(() => socket.received.length === 7);
    expect(socket.seqs).toEqual(range(6, 12));
    expect(logged.length).toBeGreaterThan(0);
    open();
  });

  it('closes a stream whose events cannot be read, and leaves the others', async () => {
    const log = new FakeLog();
    log.last = 300;
    const { open } = await begun(log);
    const live = open();
    log.read = async () => [];
    const socket = open({ since: 0 });
    await until(() => socket.code !== undefined);
    expect([socket.code, live.code]).toEqual([1011, undefined]);
  });

  it('sends nothing of another history, nor of a stream that went back', async () => {
    const other = new FakeLog();
    other.last = 5;
    other.isOther = true;
    const { open, logged } = await begun(other, 5);
    expect(() => open()).toThrow(expect.objectContaining({ code: 'not_ready' }));
    expect(JSON.stringify(logged)).toContain('not of this database');
    const log = new FakeLog();
    log.last = 5;
    const second = await begun(log);
    second.open();
    log.away = true;
    await turns(5);
    log.last = 4;
    log.away = false;
    await turns(50);
    expect(() => second.open()).toThrow(expect.objectContaining({ code: 'not_ready' }));
    expect(JSON.stringify(second.logged)).toContain('had 5 before');
  });
});

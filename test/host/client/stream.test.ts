// The follower against scripted connections: what it requests, what it yields, when it gives up.

import { describe, expect, it } from 'vitest';
import {
  type ClientEnvironment,
  type FollowOptions,
  followEvents,
  type SocketLike,
} from '../../../host/client/index.ts';
import type { StreamMessage } from '../../../host/client/stream-types.ts';
import { systemClock } from '../../../host/world/system/clock.ts';

const BASE = 'http://node.example:8338/';

/** A connection that the test controls. */
class Script implements SocketLike {
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  closedWith: number | undefined;
  constructor(readonly url: string) {}
  close(code?: number): void {
    this.closedWith = code;
  }
  say(...seqs: number[]): void {
    for (const seq of seqs) this.message({ seq, type: 'stake', timestamp: 1, data: { amount: seq } });
  }
  message(value: unknown): void {
    this.onmessage?.({ data: JSON.stringify(value) });
  }
  end(code: number): void {
    this.onclose?.({ code, reason: '' });
  }
}

const turn = () => new Promise((next) => setTimeout(next, 1));

function setUp(
  more: Partial<FollowOptions> = {},
  head: () => Promise<Response> = async () => Response.json([{ seq: 40 }]),
) {
  const links: Script[] = [];
  const waits: number[] = [];
  const asked: string[] = [];
  const environment: ClientEnvironment = {
    fetch: (url) => {
      asked.push(url);
      return head();
    },
    clock: systemClock,
    randomBytes: (n) => new Uint8Array(n),
  };
  const clock = {
    setTimer: (run: () => void, ms: number) => {
      // The watch over a quiet connection is the only long timer: it is left to the test.
      if (ms >= 120_000) {
        watches.push(run);
        return () => {};
      }
      waits.push(ms);
      const timer = setTimeout(run, 0);
      return () => clearTimeout(timer);
    },
  };
  const watches: (() => void)[] = [];
  const openSocket = (url: string) => {
    const link = new Script(url);
    links.push(link);
    return link;
  };
  const iterator = followEvents({ baseUrl: BASE, openSocket, environment, clock, ...more });
  /** Waits for the n-th connection. */
  const link = async (n: number): Promise<Script> => {
    for (let i = 0; i < 500 && !links[n]; i++) await turn();
    return links[n]!;
  };
  const take = async (count: number): Promise<StreamMessage[]> => {
    const found: StreamMessage[] = [];
    while (found.length < count) found.push((await iterator.next()).value as StreamMessage);
    return found;
  };
  const seqs = async (count: number) => (await take(count)).map((m) => m.seq);
  return { iterator, links, link, take, seqs, waits, watches, asked };
}

describe('following a stream', () => {
  it('requests what was asked for, and resumes after the last event however a connection ends', async () => {
    const f = setUp({ since: 10, types: ['stake', 'transfer'] });
    const first = f.seqs(2);
    const one = await f.link(0);
    expect(one.url).toBe('ws://node.example:8338/v1/ws?since=10&filter=stake%2Ctransfer');
    one.say(11, 15);
    expect(await first).toEqual([11, 15]);
    for (const [i, code] of [1013, 1001, 1006].entries()) {
      const next = f.seqs(1);
      f.links[i]!.end(code);
      const link = await f.link(i + 1);
      expect(new URL(link.url).searchParams.get('since')).toBe(String(15 + i));
      link.say(16 + i);
      expect(await next).toEqual([16 + i]);
    }
    // Every connection worked, so the pauses did not grow.
    expect(f.waits).toEqual([125, 125, 125]);
    await f.iterator.return();
    expect(f.links[3]!.closedWith).toBe(1000);
  });

  it('begins at the head of the node by default, so that the first reconnection leaves no gap', async () => {
    let calls = 0;
    const f = setUp({}, async () => {
      if (++calls === 1) throw new TypeError('fetch failed');
      return Response.json([{ seq: 40 }]);
    });
    const next = f.seqs(1);
    const link = await f.link(0);
    expect(link.url).toBe('ws://node.example:8338/v1/ws?since=40');
    expect(f.asked[0]).toBe('http://node.example:8338/v1/events/recent?limit=1');
    link.say(41);
    expect(await next).toEqual([41]);
    expect(calls).toBe(2);
  });

  it('yields nothing twice and nothing out of order, even from a node that is behind', async () => {
    const f = setUp({ since: 20 });
    const next = f.seqs(3);
    const link = await f.link(0);
    link.message({ seq: 12, type: 'gap', timestamp: 1, data: { from: 20, to: 12 } });
    link.say(13, 20, 21, 21, 15, 22, 23);
    expect(await next).toEqual([21, 22, 23]);
  });

  it('reports a gap ahead, and continues after it', async () => {
    const f = setUp({ since: 5 });
    const next = f.take(2);
    const gap = { seq: 90, type: 'gap', timestamp: 1, data: { from: 5, to: 90 } };
    (await f.link(0)).message(gap);
    f.links[0]!.say(91);
    const [first, second] = await next;
    expect(first).toEqual(gap);
    expect(second!.seq).toBe(91);
  });

  it('waits longer after each failure, and throws after the allowed retries', async () => {
    const retries: boolean[] = [];
    const f = setUp({ since: 0, retries: 6, onRetry: (hasWorked) => void retries.push(hasWorked) });
    const next = f.iterator.next();
    for (let i = 0; i <= 6; i++) (await f.link(i)).end(1006);
    await expect(next).rejects.toMatchObject({ name: 'VwsError', code: 'unreachable' });
    expect(f.waits).toEqual([250, 500, 1000, 2000, 4000, 8000]);
    expect(retries).toEqual([false, false, false, false, false, false]);
  });

  it('closes a connection that sends nothing, or more than is read', async () => {
    const f = setUp({ since: 0 });
    const next = f.seqs(1);
    await f.link(0);
    f.watches.at(-1)!();
    expect(f.links[0]!.closedWith).toBe(1000);
    const second = await f.link(1);
    second.say(...Array.from({ length: 9000 }, (_, i) => i + 1));
    expect(await next).toEqual([1]);
    expect(second.closedWith).toBe(1000);
    const rest = f.seqs(8192);
    const third = await f.link(2);
    expect(new URL(third.url).searchParams.get('since')).toBe('8192');
    third.say(8193);
    expect((await rest).at(-1)).toBe(8193);
  });

  it('ends when the signal aborts: before, while it waits, between two messages, while it pauses', async () => {
    const done = { done: true, value: undefined };
    expect(await setUp({ since: 0, signal: AbortSignal.abort() }).iterator.next()).toEqual(done);
    const control = new AbortController();
    const f = setUp({ since: 0, signal: control.signal });
    const next = f.seqs(1);
    (await f.link(0)).say(1, 2, 3);
    await next;
    control.abort();
    expect(await f.iterator.next()).toEqual(done);
    expect(f.links[0]!.closedWith).toBe(1000);
    const waiting = new AbortController();
    const g = setUp({ since: 0, signal: waiting.signal });
    const never = g.iterator.next();
    await g.link(0);
    waiting.abort();
    expect(await never).toEqual(done);
    expect(g.waits).toEqual([]);
  });

  it('refuses a bad since, a missing WebSocket, a peer with another protocol', async () => {
    for (const since of [-1, 1.5, Number.NaN]) {
      await expect(setUp({ since }).iterator.next()).rejects.toMatchObject({ code: 'bad_call' });
    }
    const world = globalThis as { WebSocket?: unknown };
    const known = world.WebSocket;
    delete world.WebSocket;
    await expect(followEvents({ baseUrl: BASE, since: 0 }).next()).rejects.toMatchObject({
      code: 'bad_call',
    });
    if (known) world.WebSocket = known;
    const gaps = ['{"seq":1,"type":"gap"}', '{"seq":1,"type":"gap","data":{"to":"9"}}'];
    for (const text of ['hello', '{"seq":"1","type":"stake"}', 'null', Buffer.from('{}'), ...gaps]) {
      const f = setUp({ since: 0 });
      const next = f.iterator.next();
      (await f.link(0)).onmessage!({ data: text });
      await expect(next).rejects.toMatchObject({ code: 'bad_answer' });
    }
    const refused = setUp({}, async () =>
      Response.json({ error: 'no', code: 'invalid_request' }, { status: 400 }),
    );
    await expect(refused.iterator.next()).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

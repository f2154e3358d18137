// Writes of one client over a stream: frames, answers in any order, and what becomes of a lost connection.

import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  overStream,
  signerFromSeed,
  systemEnvironment,
  VwsClient,
  type VwsClientOptions,
  type WritesOver,
} from '../../../host/client/index.ts';
import type { WritingSocket } from '../../../host/client/stream-link.ts';
import { FakeNode } from './fake-node.ts';
import { hurriedClock } from './hurried-clock.ts';

interface Frame {
  id: number;
  requests: { path: string; body: string; headers: Record<string, string> }[];
}

/** The other side of a socket that the client opened. */
class FakeStream implements WritingSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  readonly frames: Frame[] = [];
  isClosed = false;

  constructor(
    readonly url: string,
    private readonly onFrame: (stream: FakeStream, frame: Frame) => void,
  ) {}

  send(text: string): void {
    const frame = JSON.parse(text) as Frame;
    this.frames.push(frame);
    this.onFrame(this, frame);
  }
  say(message: unknown): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }
  end(): void {
    this.onclose?.({ code: 1006, reason: '' });
  }
  close(): void {
    this.isClosed = true;
  }
}

let node: FakeNode;
let client: VwsClient;
let writes: WritesOver;
let streams: FakeStream[];
let onFrame: (stream: FakeStream, frame: Frame) => void;
let canOpen: boolean;

const amountOf = ({ body }: { body: string }): number => JSON.parse(body).amount;
const answer = (stream: FakeStream, { id, requests }: Frame): void => {
  const results = requests.map((request) => ({
    status: 200,
    order: 1,
    body: { amount: amountOf(request) },
  }));
  stream.say({ id, results });
};

const newClient = async (more: Partial<VwsClientOptions>): Promise<VwsClient> => {
  const key = await signerFromSeed(new Uint8Array(32).fill(7));
  return new VwsClient({ baseUrl: node.url, key, writesOver: writes, ...more });
};

beforeEach(async () => {
  node = await FakeNode.start();
  streams = [];
  canOpen = true;
  onFrame = answer;
  writes = overStream({
    openSocket: (url) => {
      const stream = new FakeStream(url, (from, frame) => onFrame(from, frame));
      streams.push(stream);
      queueMicrotask(() => (canOpen ? stream.onopen?.(undefined as never) : stream.end()));
      return stream;
    },
  });
  client = await newClient({ environment: { ...systemEnvironment, clock: hurriedClock } });
  node.on('POST /v1/stake', ({ body }) => ({ body: { amount: JSON.parse(body).amount, by: 'http' } }));
});
afterEach(() => node.stop());

const stakes = async (count: number, more = {}): Promise<PromiseSettledResult<unknown>[]> => {
  const signed = await Promise.all(
    Array.from({ length: count }, (_, amount) => client.prepare('POST', '/v1/stake', { amount, ...more })),
  );
  return Promise.allSettled(signed.map((request) => client.submit(request)));
};
const fulfilled = (count: number) =>
  Array.from({ length: count }, (_, amount) => ({ status: 'fulfilled', value: { amount } }));

it('go out in frames of one connection, each write with its own reply', async () => {
  expect(await stakes(200)).toEqual(fulfilled(200));
  expect(streams.map(({ url }) => url)).toEqual([
    `${node.url.replace('http', 'ws')}/v1/ws?filter=gap&writes=true`,
  ]);
  const { frames } = streams[0]!;
  expect(new Set(frames.map(({ id }) => id)).size).toBe(frames.length);
  expect(frames.flatMap(({ requests }) => requests).length).toBe(200);
  // The first leave alone, what waits leaves together.
  expect(frames.length).toBeLessThan(50);
  expect(node.writes()).toEqual([]);
});

it('are under way in at most 8 frames of at most 64 KiB, answered in any order', async () => {
  const held: (() => void)[] = [];
  let most = 0;
  let underWay = 0;
  onFrame = (stream, frame) => {
    underWay += 1;
    most = Math.max(most, underWay);
    expect(JSON.stringify(frame).length).toBeLessThanOrEqual(65_536);
    held.push(() => {
      underWay -= 1;
      answer(stream, frame);
    });
    setTimeout(() => held.splice(Math.floor(held.length / 2), 1)[0]?.(), 5);
  };
  expect(await stakes(300, { memo: 'é"\\'.repeat(100) })).toEqual(fulfilled(300));
  expect(most).toBe(8);
});

it('that were under way when the connection ended are sent again over another, the same requests', async () => {
  onFrame = (stream, frame) => {
    if (streams.length === 1) stream.end();
    else answer(stream, frame);
  };
  expect(await stakes(3)).toEqual(fulfilled(3));
  expect(streams.length).toBeGreaterThan(1);
  const signatures = (stream: FakeStream) =>
    stream.frames.flatMap(({ requests }) => requests.map(({ headers }) => headers['X-Service-Signature']));
  expect(streams.slice(1).flatMap(signatures)).toEqual(expect.arrayContaining(signatures(streams[0]!)));
});

it('refused as a whole are sent again when the node says so', async () => {
  let isRefused = false;
  onFrame = (stream, frame) => {
    if (isRefused) return answer(stream, frame);
    isRefused = true;
    const body = { error: 'busy', code: 'overloaded' };
    stream.say({ id: frame.id, status: 503, retry_after: 1, body });
  };
  expect(await stakes(1)).toEqual(fulfilled(1));
  expect(streams[0]!.frames.length).toBe(2);
});

it('pass over what is no answer of theirs', async () => {
  onFrame = (stream, frame) => {
    stream.say('no JSON');
    stream.say({ seq: 1, type: 'gap', timestamp: 1, data: { from: 0, to: 1 } });
    stream.say({ id: null, status: 400, body: {} });
    stream.say({ id: frame.id + 1000, results: [] });
    answer(stream, frame);
  };
  expect(await stakes(1)).toEqual(fulfilled(1));
});

it('whose answer lists too few outcomes are lost answers', async () => {
  onFrame = (stream, { id }) => stream.say({ id, results: [] });
  const [result] = await stakes(1);
  expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unreachable' } });
});

it('go by HTTP where no stream can be had, or where a frame is too small', async () => {
  canOpen = false;
  expect(await stakes(1)).toMatchObject([{ status: 'fulfilled', value: { by: 'http' } }]);
  canOpen = true;
  expect(await stakes(1, { memo: 'x'.repeat(30_000) })).toMatchObject([{ value: { by: 'http' } }]);
  expect(await stakes(1)).toEqual(fulfilled(1));
});

it('open another connection after the client closed the last', async () => {
  await stakes(1);
  writes.close();
  expect(streams[0]!.isClosed).toBe(true);
  await stakes(1);
  expect(streams.length).toBe(2);
});

it('that get no answer in time give the connection up', async () => {
  client = await newClient({ timeoutMs: 200 });
  onFrame = (stream, frame) => {
    if (streams.length > 1) answer(stream, frame);
  };
  expect(await stakes(2)).toEqual(fulfilled(2));
  expect(streams[0]!.isClosed).toBe(true);
});

// Frames of a stream that takes writes: which are begun, how each is answered, and who is cut off.

import { beforeEach, describe, expect, it } from 'vitest';
import {
  checkWritingPage,
  MAX_FRAMES,
  MAX_REFUSED,
  MAX_UNREAD_BYTES,
  withWrites,
} from '../../../host/api/stream-writes.ts';
import type { ServiceError } from '../../../host/errors.ts';
import type { HttpReply, HttpRequest, StreamListener } from '../../../host/world/http.ts';
import { FakeSocket } from './stream-fakes.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const HEADERS: Record<string, string> = {
  'x-forwarded-for': '9.9.9.9',
  origin: 'https://page',
  'content-length': '7',
};
const handshake: HttpRequest = {
  method: 'GET',
  path: '/v1/ws',
  query: 'writes=true',
  header: (name) => HEADERS[name],
  remoteAddress: '10.0.0.1',
  body: new Uint8Array(0),
};

let begun: { request: HttpRequest; reply: (reply: HttpReply) => void }[];
let socket: FakeSocket;
let listener: StreamListener;
let calls: string[];
beforeEach(() => {
  begun = [];
  calls = [];
  socket = new FakeSocket();
  const opener = withWrites(
    () => ({
      drained: () => void calls.push('drained'),
      pong: () => void calls.push('pong'),
      closed: () => void calls.push('closed'),
    }),
    {
      handshake,
      handle: (request, reply) => void begun.push({ request, reply }),
      refusal: (error: ServiceError) => ({
        status: error.status,
        headers: error.headers,
        body: JSON.stringify(error.body()),
      }),
      onSlow: () => void calls.push('slow'),
    },
  );
  listener = opener(socket);
  socket.listener = listener;
});

const send = (text: string): void => listener.frame!(bytes(text));
const sendMany = (count: number): void => {
  for (let i = 0; i < count; i++) send(`{"id":${i},"requests":[]}`);
};
const ok = (results: string): HttpReply => ({ status: 200, headers: {}, body: `{"results":[${results}]}` });
const bodies = (): string[] => begun.map(({ request }) => Buffer.from(request.body).toString());

describe('a frame', () => {
  it('is a batch from the address of the socket, and its answer has its id', () => {
    send('{"id":7,"requests":[{"path":"/v1/stake"}]}');
    send(' {\n "id" : "a.b:c-d_1" ,"requests":[]}');
    expect(bodies()).toEqual(['{"requests":[{"path":"/v1/stake"}]}', '{"requests":[]}']);
    const { request } = begun[0]!;
    expect([request.method, request.path, request.query, request.remoteAddress]).toEqual([
      'POST',
      '/v1/batch',
      '',
      '10.0.0.1',
    ]);
    // Who the client is holds for its frames; what else the handshake said does not.
    expect(['x-forwarded-for', 'origin', 'content-length'].map((name) => request.header(name))).toEqual([
      '9.9.9.9',
      undefined,
      '35',
    ]);
    begun[1]!.reply(ok('{"status":200,"body":{}}'));
    begun[0]!.reply(ok(''));
    expect(socket.messages).toEqual([
      { id: 'a.b:c-d_1', results: [{ status: 200, body: {} }] },
      { id: 7, results: [] },
    ]);
  });

  it('that is refused whole is answered like one of a batch, with its id', () => {
    send('{"id":1,"requests":[]}');
    const body = '{"error":"rate limit exceeded","code":"rate_limited"}';
    begun[0]!.reply({ status: 429, headers: { 'Retry-After': '3' }, body });
    expect(socket.messages).toEqual([{ id: 1, status: 429, retry_after: 3, body: JSON.parse(body) }]);
  });

  it.each([
    '',
    'hello',
    '[]',
    '{"requests":[]}',
    '{"requests":[],"id":1}',
    '{"id":1}',
    '{"id":01,"requests":[]}',
    '{"id":-1,"requests":[]}',
    '{"id":1.5,"requests":[]}',
    '{"id":1e3,"requests":[]}',
    '{"id":null,"requests":[]}',
    '{"id":"","requests":[]}',
    '{"id":"a\\"b","requests":[]}',
    `{"id":"${'x'.repeat(65)}","requests":[]}`,
    '{"id":1000000000000000,"requests":[]}',
    '{"id":"é","requests":[]}',
    `${' '.repeat(100)}{"id":1,"requests":[]}`,
  ])('that does not begin with an id is refused without one: %s', (frame) => {
    send(frame);
    expect(begun).toEqual([]);
    expect(socket.messages).toMatchObject([{ id: null, status: 400, body: { code: 'invalid_request' } }]);
  });
});

describe('a page', () => {
  const check = (origin: string | undefined, host: string | undefined) => () =>
    checkWritingPage({ ...handshake, header: (name) => ({ origin, host })[name] }, [
      'https://listed.example',
    ]);

  it.each([
    [undefined, 'node:8338'],
    ['http://node:8338', 'node:8338'],
    ['http://node:8338', 'Node:8338'],
    ['https://listed.example', 'node:8338'],
  ])('of origin %s may write at %s', (origin, host) => {
    expect(check(origin, host)).not.toThrow();
  });

  it.each([
    ['http://node:8339', 'node:8338'],
    ['https://listed.example.evil', 'node:8338'],
    ['null', 'node:8338'],
    ['null', undefined],
    ['', ''],
    ['file://', ''],
  ])('of origin %s may not at %s', (origin, host) => {
    expect(check(origin, host)).toThrow(expect.objectContaining({ code: 'origin_not_allowed' }));
  });
});

describe('a socket', () => {
  it('has only so many frames under way; the next one is refused at once', () => {
    sendMany(MAX_FRAMES + 1);
    expect(begun.length).toBe(MAX_FRAMES);
    const refusal = { id: MAX_FRAMES, status: 429, retry_after: 1, body: { code: 'rate_limited' } };
    expect(socket.messages).toMatchObject([refusal]);
    begun[3]!.reply(ok(''));
    send('{"id":"next","requests":[]}');
    expect(begun.length).toBe(MAX_FRAMES + 1);
  });

  it('that goes on sending what is refused is closed with 1008', () => {
    for (let i = 0; i < MAX_REFUSED - 1; i++) send('no');
    send('{"id":1,"requests":[]}');
    // One that is carried out begins the count again.
    begun[0]!.reply(ok(''));
    for (let i = 0; i < MAX_REFUSED - 1; i++) send('no');
    expect(socket.code).toBeUndefined();
    send('no');
    expect(socket.code).toBe(1008);
    const answers = socket.received.length;
    send('{"id":2,"requests":[]}');
    send('no');
    expect([begun.length, socket.received.length]).toEqual([1, answers]);
  });

  it('that does not read its answers is closed with 1013', () => {
    socket.room = 0;
    const large = `"${'x'.repeat(MAX_UNREAD_BYTES / 4)}"`;
    for (let i = 0; i < 5; i++) {
      send(`{"id":${i},"requests":[]}`);
      expect(socket.code).toBeUndefined();
      begun[i]!.reply(ok(large));
    }
    expect(socket.code).toBe(1013);
    // What was unread stays about the bound.
    expect(socket.waiting).toBeLessThan(MAX_UNREAD_BYTES + MAX_UNREAD_BYTES / 4 + 1000);
    expect(calls).toEqual(['slow', 'closed']);
  });

  it('that is gone gets no answer, and its stream learns of its end', () => {
    send('{"id":1,"requests":[]}');
    listener.closed();
    begun[0]!.reply(ok(''));
    expect(socket.received).toEqual([]);
    listener.drained();
    listener.pong();
    expect(calls).toEqual(['closed', 'drained', 'pong']);
  });
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { type AttemptOptions, attempt } from '../../../host/webhooks/attempt.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemPost } from '../../../host/world/system/post.ts';
import { StillClock, settle } from './still-clock.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function receiver(
  answer: (response: ServerResponse) => void,
): Promise<{ port: number; got: Received[] }> {
  const got: Received[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk) => (body += chunk));
    req.on('end', () => {
      got.push({ method: req.method!, url: req.url!, headers: req.headers, body });
      answer(res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, got };
}

/** Resolves every name to these addresses. */
const to =
  (...addresses: string[]) =>
  async (): Promise<string[]> =>
    addresses;

const optionsOf = (over: Partial<AttemptOptions> = {}): AttemptOptions => ({
  clock: systemClock,
  policy: { tlsOnly: false, allowPrivate: true },
  resolve: to('127.0.0.1'),
  post: systemPost,
  ...over,
});
const GUARDED = { tlsOnly: false, allowPrivate: false };
const idle = new AbortController().signal;
const message = (url: string) => ({ url, headers: { 'Content-Type': 'application/json' }, body: '{"ä":1}' });
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (res: ServerResponse) =>
    void res.writeHead(code, headers).end('{}');

describe('a delivery', () => {
  it('is a POST to the checked address with the name as Host', async () => {
    const { port, got } = await receiver(status(204));
    expect(await attempt(message(`http://hook.example:${port}/in?x=1`), optionsOf(), idle)).toBe('ok');
    expect(got).toEqual([
      {
        method: 'POST',
        url: '/in?x=1',
        body: '{"ä":1}',
        headers: {
          host: `hook.example:${port}`,
          'content-type': 'application/json',
          'content-length': '8',
          connection: 'close',
        },
      },
    ]);
  });

  it.each([200, 201, 299])('is done with %d', async (code) => {
    const { port } = await receiver(status(code));
    expect(await attempt(message(`http://h.example:${port}/`), optionsOf(), idle)).toBe('ok');
  });

  it.each([300, 304, 400, 404, 500, 503])('has failed with %d', async (code) => {
    const { port } = await receiver(status(code));
    expect(await attempt(message(`http://h.example:${port}/`), optionsOf(), idle)).toBe('failed');
  });

  it('does not follow a redirect', async () => {
    const { port, got } = await receiver(status(302, { Location: '/elsewhere' }));
    expect(await attempt(message(`http://h.example:${port}/in`), optionsOf(), idle)).toBe('failed');
    expect(got.map(({ url }) => url)).toEqual(['/in']);
  });

  it('reaches an address in an odd notation', async () => {
    const { port, got } = await receiver(status(200));
    expect(await attempt(message(`http://0x7f.1:${port}/`), optionsOf(), idle)).toBe('ok');
    expect(got[0]!.headers.host).toBe(`0x7f.1:${port}`);
  });
});

it('verifies a TLS receiver by its name, not its address, and refuses a certificate of another', async () => {
  const asked: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, done) => {
      asked.push(name);
      done(new Error('no certificate'));
    },
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await attempt(message(`https://Hook.example.:${port}/`), optionsOf(), idle)).toBe('failed');
  expect(asked).toEqual(['Hook.example']);
});

describe('the guard', () => {
  it('refuses literals and names that resolve to addresses that are not public', async () => {
    const { port, got } = await receiver(status(200));
    const guarded = (url: string, ...addresses: string[]) =>
      attempt(message(url), optionsOf({ policy: GUARDED, resolve: to(...addresses) }), idle);
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]']) {
      expect(await guarded(`http://${host}:${port}/`)).toBe('blocked');
    }
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', 'fe80::1%lo', 'nonsense']) {
      expect(await guarded(`http://h.example:${port}/`, address)).toBe('blocked');
    }
    expect(await guarded('http://h.example:22/', '8.8.8.8')).toBe('blocked');
    expect(
      await attempt(message('http://h.example/'), optionsOf({ policy: { ...GUARDED, tlsOnly: true } }), idle),
    ).toBe('blocked');
    expect(got).toEqual([]);
  });

  it('resolves a name once and connects to the address found', async () => {
    const { port, got } = await receiver(status(200));
    let asked = 0;
    const resolve = async (): Promise<string[]> => [asked++ === 0 ? '127.0.0.1' : '10.0.0.1'];
    expect(await attempt(message(`http://h.example:${port}/`), optionsOf({ resolve }), idle)).toBe('ok');
    expect([asked, got.length]).toEqual([1, 1]);
  });
});

describe('failures', () => {
  it('a name that does not resolve, a port that nobody listens on', async () => {
    const resolve = (): Promise<string[]> => Promise.reject(new Error('ENOTFOUND'));
    expect(await attempt(message('http://h.example/'), optionsOf({ resolve }), idle)).toBe('failed');
    expect(await attempt(message('http://h.example:1025/'), optionsOf(), idle)).toBe('failed');
  });

  it('no answer, and no resolver, within 5 s', async () => {
    const { port, got } = await receiver(() => {});
    const clock = new StillClock();
    const silent = attempt(message(`http://h.example:${port}/`), optionsOf({ clock }), idle);
    while (got.length === 0) await settle();
    await clock.advance(4999);
    await clock.advance(1);
    expect(await silent).toBe('failed');
    const lost = attempt(
      message('http://h.example/'),
      optionsOf({ clock, resolve: () => new Promise(() => {}) }),
      idle,
    );
    await clock.advance(5000);
    expect(await lost).toBe('failed');
    expect(clock.pending).toBe(0);
  });

  it('a shutdown ends an attempt', async () => {
    const { port, got } = await receiver(() => {});
    const stop = new AbortController();
    const running = attempt(message(`http://h.example:${port}/`), optionsOf(), stop.signal);
    while (got.length === 0) await settle();
    stop.abort();
    expect(await running).toBe('failed');
  });

  it('an answer that is not HTTP', async () => {
    const server = createTcpServer((socket) => void socket.end('hello\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await attempt(message(`http://h.example:${port}/`), optionsOf(), idle)).toBe('failed');
  });
});

it('reads little of an endless answer, whose status counts', async () => {
  let sent = 0;
  let closed = false;
  const { port } = await receiver((res) => {
    res.writeHead(200);
    const more = (): void => {
      while (!closed && sent < 50_000_000) {
        sent += 16_384;
        if (!res.write(Buffer.alloc(16_384))) return void res.once('drain', more);
      }
    };
    (res.socket as Socket).on('close', () => {
      closed = true;
    });
    more();
  });
  expect(await attempt(message(`http://h.example:${port}/`), optionsOf(), idle)).toBe('ok');
  // What the sockets' buffers take besides the 64 KiB is the system's.
  expect(sent).toBeLessThan(20_000_000);
});

it('uses the status of an answer whose body never ends', async () => {
  const { port } = await receiver((res) => void res.writeHead(200).write('x'));
  const clock = new StillClock();
  const slow = attempt(message(`http://h.example:${port}/`), optionsOf({ clock }), idle);
  let result: string | undefined;
  void slow.then((r) => (result = r));
  for (let i = 0; i < 20; i++) await settle();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(result).toBeUndefined();
  await clock.advance(5000);
  expect(await slow).toBe('ok');
});

it('leaves nothing of itself behind, however long the signal of its node lives', async () => {
  const node = new AbortController();
  const signals: WeakRef<AbortSignal>[] = [];
  const post: AttemptOptions['post'] = async (_, signal) => {
    signals.push(new WeakRef(signal));
    return { status: 204, body: new Uint8Array(), end: 'whole' };
  };
  const message = { url: 'http://example.org/', headers: {}, body: '{}' };
  for (let n = 0; n < 100; n++) expect(await attempt(message, optionsOf({ post }), node.signal)).toBe('ok');
  await new Promise((resolve) => setTimeout(resolve, 10));
  gc();
  expect(signals.filter((one) => one.deref() !== undefined).length).toBeLessThan(5);
  node.abort();
});

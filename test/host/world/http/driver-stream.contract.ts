// The contract of streams under an HTTP driver, run over each of them: handshake, frames, backpressure, endings.

import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type {
  Answer,
  HttpDriver,
  HttpReply,
  HttpRequest,
  HttpService,
  StreamOpener,
  StreamSocket,
} from '../../../../host/world/http.ts';
import { systemClock } from '../../../../host/world/system/clock.ts';
import type { DriverClock } from '../../../../host/world/system/http/driver-rules.ts';
import { freePort } from '../../../../tools/localnet/free-ports.ts';
import type { CreateDriver } from './driver.contract.ts';
import { RawClient, rawCall } from './raw-http.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const text = (s: string): Uint8Array => Buffer.from(s);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const realClock: DriverClock = systemClock;

const reply = (status: number, body: string): HttpReply => ({
  status,
  headers: { 'Content-Type': 'text/plain', 'X-A': '1' },
  body,
});

/** Waits until something that another side brings about is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; !isSo(); i++) {
    if (i > 2000) throw new Error('not so within 10 s');
    await pause(5);
  }
}

/** A stream as the service holds it, with all that the driver told about it. */
interface Held {
  socket: StreamSocket;
  request: HttpRequest;
  drained: number;
  pongs: number;
  closed: number;
  frames: Uint8Array[];
}

class StreamService implements HttpService {
  streams: Held[] = [];
  /** Sent by the opener itself, before it returns. */
  greeting: Uint8Array[] = [];
  /** Handshakes whose decision takes a while. */
  waiting = 0;
  maxBodyBytes = () => 65_536;
  admit = (head: HttpRequest) => (head.path === '/early' ? reply(429, 'early') : undefined);
  refusal = (code: string) => reply(400, code);

  handle(request: HttpRequest, send: (reply: HttpReply) => void): void {
    send(reply(200, `${request.method} ${request.path} ${new TextDecoder().decode(request.body)}`));
  }

  upgrade(request: HttpRequest): Answer<HttpReply | StreamOpener | undefined> {
    if (request.path === '/slow') {
      this.waiting++;
      return pause(20).then(() => this.decide(request));
    }
    const isLater = request.path.startsWith('/later');
    return isLater ? Promise.resolve(this.decide(request)) : this.decide(request);
  }

  private decide(request: HttpRequest): HttpReply | StreamOpener | undefined {
    if (request.path === '/plain') return undefined;
    if (request.path === '/full') return reply(503, 'too many');
    return (socket) => {
      const held: Held = { socket, request, drained: 0, pongs: 0, closed: 0, frames: [] };
      this.streams.push(held);
      if (this.greeting.length > 0) socket.send(this.greeting);
      if (request.path.endsWith('-bye')) socket.close(1008, 'bye');
      return {
        drained: () => held.drained++,
        pong: () => held.pongs++,
        closed: () => held.closed++,
        ...(request.path === '/w' ? { frame: (bytes) => held.frames.push(bytes) } : {}),
      };
    };
  }
}

/** A client with everything it got. */
class Client {
  readonly texts: string[] = [];
  code: number | undefined;
  reason = '';
  private constructor(readonly ws: WebSocket) {
    ws.on('message', (data, isBinary) => this.texts.push(isBinary ? 'binary' : data.toString()));
    ws.on('close', (code, reason) => {
      this.code = code;
      this.reason = reason.toString();
    });
    ws.on('error', () => {});
  }
  static open(port: number, path = '/s?a=1'): Promise<Client> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    const client = new Client(ws);
    return new Promise((resolve, reject) => {
      ws.on('open', () => resolve(client));
      ws.on('error', reject);
    });
  }
}

const handshake = (path: string, more = '', version = '13', key = KEY) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n` +
  `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: ${version}\r\n${more}\r\n`;

export function driverStreamContract(name: 'uws' | 'node', create: CreateDriver): void {
  describe(`streams of driver ${name}`, () => {
    let service: StreamService;
    let driver: HttpDriver;
    let port: number;
    beforeEach(async () => {
      service = new StreamService();
      driver = await create(service, realClock);
      port = await driver.listen('127.0.0.1', 0);
    });
    afterEach(() => driver.close(100));
    const isServing = async () =>
      expect((await rawCall(port, 'GET /ok HTTP/1.1\r\nHost: x\r\n\r\n'))!.status).toBe(200);

    describe('handshake', () => {
      it('opens a stream: the service sees the request, the client what the opener sent', async () => {
        service.greeting = [text('hello'), text('wörld')];
        const client = await Client.open(port);
        await until(() => client.texts.length === 2);
        expect(client.texts).toEqual(['hello', 'wörld']);
        const { request } = service.streams[0]!;
        expect([request.method, request.path, request.query, request.remoteAddress]).toEqual([
          'GET',
          '/s',
          'a=1',
          '127.0.0.1',
        ]);
        expect(client.ws.extensions).toBe('');
        client.ws.close();
      });

      it('that is decided later opens a stream as well', async () => {
        const clients = await Promise.all(Array.from({ length: 40 }, () => Client.open(port, '/later')));
        await until(() => service.streams.length === clients.length);
        for (const { socket } of service.streams) socket.send([text('hello')]);
        await until(() => clients.every(({ texts }) => texts.length === 1));
        expect(service.streams.filter(({ closed }) => closed > 0)).toEqual([]);
        for (const { ws } of clients) ws.close();
      });

      it.each(['/now-bye', '/later-bye'])('that is closed as it is opened has ended: %s', async (path) => {
        service.greeting = [text('hello')];
        const client = await Client.open(port, path);
        await until(() => client.code !== undefined);
        expect([client.texts, client.code, client.reason]).toEqual([['hello'], 1008, 'bye']);
        await until(() => service.streams[0]!.closed > 0);
        expect(service.streams[0]!.closed).toBe(1);
      });

      // Each such stream kept its place for ever: twenty, and their address had none left.
      it.each<[string, (socket: Socket) => void]>([
        ['ends its side', (socket) => socket.end()],
        ['closes', (socket) => socket.destroy()],
        ['resets', (socket) => socket.resetAndDestroy()],
      ])('whose client %s before the decision is opened and has ended', async (_, leave) => {
        const client = await RawClient.open(port);
        client.send(handshake('/slow'));
        // A reset drops what was not read.
        await until(() => service.waiting > 0);
        leave(client.socket);
        await until(() => service.streams.length === 1 && service.streams[0]!.closed > 0);
        await pause(5);
        expect(service.streams[0]!.closed).toBe(1);
        client.close();
      });

      it.each(['Sec-WebSocket-Protocol: a, b\r\n', 'Sec-WebSocket-Protocol: ,,\r\n', 'Upgrade: h2c\r\n'])(
        'opens the one protocol that there is, whatever else is offered: %j',
        async (offer) => {
          const client = await RawClient.open(port);
          client.send(handshake('/s', offer));
          await client.until(() => client.isClosed || client.text.includes('\r\n\r\n'));
          expect(client.text).toMatch(/^HTTP\/1\.1 101 /);
          expect(client.text.toLowerCase()).not.toContain('sec-websocket-protocol');
          client.close();
          await until(() => service.streams[0]!.closed === 1);
        },
      );

      it('has the accept key of RFC 6455', async () => {
        const client = await RawClient.open(port);
        client.send(handshake('/s'));
        await client.until(() => client.text.includes('\r\n\r\n'));
        expect(client.text).toMatch(/^HTTP\/1\.1 101 /);
        expect(client.text.toLowerCase()).toContain('sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=');
        client.close();
      });

      it('is refused with the reply of the service', async () => {
        const answer = await rawCall(port, handshake('/full'));
        expect([answer!.status, answer!.body, answer!.headers['x-a']]).toEqual([503, 'too many', '1']);
      });

      it('is an ordinary request where the path has no stream or the handshake is incomplete', async () => {
        for (const bad of [
          handshake('/plain'),
          handshake('/s', '', '12'),
          handshake('/s', '', '13', 'short'),
          handshake('/s').replace('Upgrade: websocket', 'Upgrade: h2c'),
          handshake('/s').replace('keep-alive, Upgrade', 'keep-alive'),
          handshake('/s').replace(`Sec-WebSocket-Key: ${KEY}\r\n`, ''),
        ]) {
          const answer = await rawCall(port, bad);
          expect([answer!.status, answer!.body.split(' ')[0]], bad).toEqual([200, 'GET']);
        }
        expect(service.streams).toHaveLength(0);
        await isServing();
      });

      it('offers of other protocols keep their body', async () => {
        const head = `POST /b HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 9\r\n\r\n`;
        const client = await RawClient.open(port);
        client.send(`${head}abc`);
        await pause(20);
        client.send('defghi');
        expect((await client.answers())[0]).toMatchObject({ status: 200, body: 'POST /b abcdefghi' });
        client.close();
        expect((await rawCall(port, `${head}123456789`))!.body).toBe('POST /b 123456789');
      });

      it('with a URL that is too long is refused', async () => {
        const answer = await rawCall(port, handshake(`/s?${'a'.repeat(9000)}`));
        expect([answer!.status, answer!.body]).toEqual([400, 'uri_too_long']);
        expect(service.streams).toHaveLength(0);
      });
    });

    describe('messages', () => {
      it('of all sizes arrive complete and in order, as text', async () => {
        const client = await Client.open(port);
        const { socket } = service.streams[0]!;
        const sent = [0, 1, 125, 126, 65_535, 65_536, 300_000].map((n) => 'x'.repeat(n));
        for (const one of sent) socket.send([text(one)]);
        const many = Array.from({ length: 5000 }, (_, i) => `{"seq":${i}}`);
        for (let i = 0; i < many.length; i += 500) socket.send(many.slice(i, i + 500).map(text));
        await until(() => client.texts.length === sent.length + many.length);
        expect(client.texts).toEqual([...sent, ...many]);
        client.ws.close();
      });

      it('that a client does not read are counted, none is lost, and the service is notified when they are sent', async () => {
        const client = await Client.open(port);
        const held = service.streams[0]!;
        expect(held.socket.unsentBytes()).toBe(0);
        client.ws.pause();
        const message = text('y'.repeat(100_000));
        let sent = 0;
        for (; sent < 1000 && held.socket.unsentBytes() < 1_000_000; sent++) {
          held.socket.send([message]);
          if (sent % 10 === 0) await pause(1);
        }
        expect(held.socket.unsentBytes()).toBeGreaterThanOrEqual(1_000_000);
        const drained = held.drained;
        client.ws.resume();
        await until(() => client.texts.length === sent);
        await until(() => held.drained > drained && held.socket.unsentBytes() === 0);
        expect(client.texts.every((t) => t.length === 100_000)).toBe(true);
        client.ws.close();
      });

      // The node counts what is on its way to a thread as unsent, too: it waited for ever for the rest of what was sent long ago.
      it('that are few and left late are reported when they are sent, as many are', async () => {
        const client = await Client.open(port);
        const held = service.streams[0]!;
        client.ws.pause();
        const message = text('y'.repeat(10_000));
        let sent = 0;
        for (; sent < 10_000 && held.socket.unsentBytes() < 20_000; sent++) {
          held.socket.send([message]);
          await pause(2);
        }
        expect(held.socket.unsentBytes()).toBeGreaterThanOrEqual(20_000);
        const { drained } = held;
        client.ws.resume();
        await until(() => client.texts.length === sent);
        await until(() => held.drained > drained && held.socket.unsentBytes() === 0);
        client.ws.close();
      });
    });

    describe('what clients send', () => {
      it('is dropped, in any form', async () => {
        const client = await Client.open(port);
        client.ws.send('hello');
        client.ws.send(Buffer.alloc(1024));
        client.ws.send('');
        client.ws.ping('x');
        await pause(20);
        service.streams[0]!.socket.send([text('still here')]);
        await until(() => client.texts.length === 1);
        expect(client.code).toBeUndefined();
        client.ws.close();
      });

      it('ends the stream with 1009 when it is over 1 KiB, in one frame or in parts', async () => {
        const whole = await Client.open(port);
        whole.ws.send('x'.repeat(1025));
        const parts = await Client.open(port);
        parts.ws.send('x'.repeat(600), { fin: false });
        parts.ws.send('x'.repeat(600), { fin: true });
        await until(() => whole.code !== undefined && parts.code !== undefined);
        expect([whole.code, parts.code]).toEqual([1009, 1009]);
        await until(() => service.streams.every((s) => s.closed === 1));
        await isServing();
      });

      // uWebSockets.js reads parts without a call for each.
      it.skipIf(name === 'uws')(
        'ends the stream when a frame comes in thousands of parts, empty or not',
        async () => {
          const client = await Client.open(port);
          for (let i = 0; i < 1_001; i++) client.ws.send('', { fin: false });
          await until(() => client.code !== undefined);
          expect(client.code).toBe(1008);
          await isServing();
        },
      );

      it('reaches a stream that takes frames: text or binary, whole or in parts, in order', async () => {
        const client = await Client.open(port, '/w');
        const sent = ['', 'wörld', 'x'.repeat(65_536)].map(text);
        for (const one of sent) client.ws.send(one, { binary: false });
        client.ws.send(text('bytes'));
        client.ws.send('pa', { fin: false });
        client.ws.send('rts', { fin: true });
        const { frames, socket } = service.streams[0]!;
        await until(() => frames.length === 5);
        // Later frames do not overwrite what the listener has.
        expect(frames.map((bytes) => Buffer.from(bytes).toString())).toEqual([
          ...sent.map(String),
          'bytes',
          'parts',
        ]);
        socket.send([text('answer')]);
        await until(() => client.texts.length === 1);
        client.ws.close();
      });

      it('ends such a stream when it is over 64 KiB', async () => {
        const client = await Client.open(port, '/w');
        client.ws.send('x'.repeat(65_537));
        await until(() => client.code !== undefined);
        // uWebSockets.js sends no close frame then.
        expect(client.code).toBe(name === 'uws' ? 1006 : 1009);
        await until(() => service.streams[0]!.closed === 1);
        expect(service.streams[0]!.frames).toEqual([]);
        await isServing();
      });

      it('after the end of the stream reaches nobody', async () => {
        const client = await Client.open(port, '/w');
        const { frames, socket } = service.streams[0]!;
        socket.close(1008, 'enough');
        for (let i = 0; i < 100; i++) client.ws.send('late');
        await until(() => client.code === 1008);
        await pause(20);
        expect(frames).toEqual([]);
      });

      it('that is not WebSocket ends the stream', async () => {
        const client = await RawClient.open(port);
        client.send(handshake('/s'));
        await client.until(() => client.text.includes('\r\n\r\n'));
        client.send('GET /x HTTP/1.1\r\nHost: x\r\n\r\n');
        await client.until(() => client.isClosed);
        await until(() => service.streams[0]!.closed === 1);
        await isServing();
      });

      it('pings are answered by the client and reported', async () => {
        const client = await Client.open(port);
        let pings = 0;
        client.ws.on('ping', () => pings++);
        service.streams[0]!.socket.ping();
        await until(() => pings === 1 && service.streams[0]!.pongs === 1);
        client.ws.close();
      });
    });

    describe('frames that ask for nothing', () => {
      const sendings: [string, (ws: WebSocket) => void][] = [
        ['texts', (ws) => ws.send('')],
        ['pings', (ws) => ws.ping()],
        ['pongs', (ws) => ws.pong()],
      ];
      it.each(sendings)('end a stream by their number, %s', async (_, send) => {
        const client = await Client.open(port);
        const [held] = service.streams as [Held];
        for (let n = 0; n < 50; n++) send(client.ws);
        await pause(50);
        expect(held.closed).toBe(0);
        for (let n = 0; n < 5_000 && held.closed === 0; n++) {
          send(client.ws);
          if (n % 40 === 0) await pause(1);
        }
        await until(() => held.closed === 1 && client.code !== undefined);
        expect(client.code).toBe(1006);
        await isServing();
      });

      it('are not those that a stream takes', async () => {
        const client = await Client.open(port, '/w');
        for (let n = 0; n < 2_000; n++) client.ws.send('{}');
        await until(() => service.streams[0]!.frames.length === 2_000);
        client.ws.close();
      });
    });

    describe('endings', () => {
      it('of a client that pings and reads no pongs, however often it says that it lives', async () => {
        const client = await Client.open(port);
        const [held] = service.streams as [Held];
        client.ws.pause();
        let most = 0;
        for (let i = 0; i < 2000 && held.closed === 0; i++) {
          for (let n = 0; n < 250; n++) client.ws.ping('x'.repeat(125));
          client.ws.pong();
          await pause(1);
          most = Math.max(most, held.socket.unsentBytes());
        }
        expect(held.closed).toBe(1);
        expect(most).toBeLessThan(1 << 20);
        client.ws.terminate();
        await isServing();
      });

      it('by the service: code and reason arrive behind what was sent; later calls are harmless', async () => {
        const client = await Client.open(port);
        const held = service.streams[0]!;
        held.socket.send([text('last')]);
        held.socket.close(1013, 'too slow');
        await until(() => client.code !== undefined);
        expect([client.texts, client.code, client.reason]).toEqual([['last'], 1013, 'too slow']);
        await until(() => held.closed === 1);
        held.socket.send([text('never')]);
        held.socket.ping();
        held.socket.close(1000, '');
        held.socket.terminate();
        expect(held.socket.unsentBytes()).toBe(0);
        await isServing();
        expect(held.closed).toBe(1);
      });

      it('by terminate: without a close frame, reported once', async () => {
        const client = await Client.open(port);
        service.streams[0]!.socket.terminate();
        await until(() => client.code !== undefined);
        expect(client.code).toBe(1006);
        await until(() => service.streams[0]!.closed === 1);
      });

      it('by the client, closing or vanishing: reported once', async () => {
        const [polite, gone] = [await Client.open(port), await Client.open(port)];
        polite.ws.close(1000);
        gone.ws.terminate();
        await until(() => service.streams.every((s) => s.closed === 1) && polite.code !== undefined);
        expect(polite.code).toBe(1000);
        await isServing();
      });

      it('by close of the driver: 1001 to everybody, also to a slow one that reads on', async () => {
        const clients = await Promise.all(Array.from({ length: 5 }, () => Client.open(port)));
        const started = Date.now();
        await driver.close(3000);
        expect(Date.now() - started).toBeLessThan(2000);
        await until(() => clients.every((c) => c.code !== undefined));
        expect(clients.map((c) => c.code)).toEqual([1001, 1001, 1001, 1001, 1001]);
        expect(service.streams.map((s) => s.closed)).toEqual([1, 1, 1, 1, 1]);
      });

      it('by close of the driver free the port for exclusive use by the next one', async () => {
        await driver.close(0);
        port = await freePort();
        driver = await create(service, realClock);
        await driver.listen('127.0.0.1', port);
        const clients = await Promise.all(Array.from({ length: 5 }, () => Client.open(port)));
        await driver.close(3000);
        driver = await create(service, realClock);
        expect(await driver.listen('127.0.0.1', port)).toBe(port);
        const other = await create(service, realClock);
        await expect(other.listen('127.0.0.1', port)).rejects.toThrow();
        await other.close(0);
        await isServing();
        for (const { ws } of clients) ws.terminate();
      });

      it('by close of the driver when a client reads nothing: after the grace time', async () => {
        const client = await Client.open(port);
        client.ws.pause();
        await driver.close(50);
        await until(() => service.streams[0]!.closed === 1);
        client.ws.terminate();
      });

      it('hundreds of streams open and close without leaking', async () => {
        for (let round = 0; round < 10; round++) {
          const clients = await Promise.all(Array.from({ length: 50 }, () => Client.open(port)));
          for (const [i, { ws }] of clients.entries()) {
            if (i % 3 === 0) ws.terminate();
            else if (i % 3 === 1) ws.close();
            else service.streams[round * 50 + i]!.socket.close(1013, 'x');
          }
        }
        await until(() => service.streams.every((s) => s.closed === 1));
        expect(service.streams).toHaveLength(500);
        await isServing();
      });
    });
  });
}

// Both HTTP drivers under one contract, and what applies to only one of them.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { HttpDriver, HttpService } from '../../../../host/world/http.ts';
import { createDriver } from '../../../../host/world/system/http/driver.ts';
import { BodyParts } from '../../../../host/world/system/http/driver-body.ts';
import { createNodeDriver } from '../../../../host/world/system/http/driver-node.ts';
import { addressText } from '../../../../host/world/system/http/driver-rules.ts';
import { createUwsDriver } from '../../../../host/world/system/http/driver-uws.ts';
import { driverContract, ManualClock } from './driver.contract.ts';
import { driverStreamContract } from './driver-stream.contract.ts';
import { hasUws, quiet } from './quiet-service.ts';
import { parseAnswers, type RawAnswer, RawClient } from './raw-http.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const streaming: HttpService = {
  ...quiet,
  isProxy: () => true,
  upgrade: () => () => ({ drained() {}, pong() {}, closed() {} }),
};

driverContract('node', async (service, clock) => createNodeDriver(service, clock));
driverStreamContract('node', async (service, clock) => createNodeDriver(service, clock));
if (hasUws) {
  driverContract('uws', createUwsDriver);
  driverStreamContract('uws', createUwsDriver);
}

describe('addresses as text', () => {
  it('IPv4, mapped and shortened IPv6', () => {
    expect(addressText(Uint8Array.of(192, 0, 2, 1))).toBe('192.0.2.1');
    const v6 = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(':', ''), 'hex'));
    expect(addressText(v6('0000:0000:0000:0000:0000:ffff:c000:0201'))).toBe('192.0.2.1');
    expect(addressText(v6('2001:0db8:0000:0000:0001:0000:0000:0000'))).toBe('2001:db8:0:0:1::');
    expect(addressText(v6('0000:0000:0000:0000:0000:0000:0000:0001'))).toBe('::1');
    expect(addressText(v6('2001:0db8:0000:0001:0002:0003:0004:0005'))).toBe('2001:db8:0:1:2:3:4:5');
  });
});

describe('a body as it comes', () => {
  it('is what was sent, in whatever chunks, though their memory is used again', () => {
    const sent = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) % 256);
    for (const size of [1, 3, 64, 999, 1000]) {
      const [body, memory] = [new BodyParts(), new Uint8Array(size)];
      body.add(new Uint8Array(0));
      for (let at = 0; at < sent.length; at += size) {
        const count = Math.min(size, sent.length - at);
        memory.set(sent.subarray(at, at + count));
        body.add(memory.subarray(0, count));
        expect(body.bytes).toBe(at + count);
      }
      memory.fill(0);
      expect(body.take()).toEqual(sent);
    }
    expect(new BodyParts().take()).toEqual(new Uint8Array(0));
  });

  // One address could fill the memory of a node: 500 requests of 64 KiB in single bytes took 6 GB.
  it('takes the memory of its bytes, though each is a chunk of its own', () => {
    const bodies = Array.from({ length: 4 }, () => new BodyParts());
    const used = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = used();
    for (const body of bodies) for (let i = 0; i < 65_536; i++) body.add(Uint8Array.of(i & 255));
    expect((used() - before) / (bodies.length * 65_536)).toBeLessThan(10);
    expect(bodies.map((body) => body.take().length)).toEqual([65_536, 65_536, 65_536, 65_536]);
  });
});

describe('requests behind one another on a connection of the driver node', () => {
  const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  /** What becomes of so many in one packet, the service having `more`. */
  async function packet(count: number, more: Partial<HttpService>) {
    let admitted = 0;
    const service: HttpService = {
      ...quiet,
      ...more,
      admit(head) {
        admitted += 1;
        return (more.admit ?? quiet.admit)(head);
      },
    };
    const driver = createNodeDriver(service, new ManualClock());
    const client = await RawClient.open(await driver.listen('127.0.0.1', 0));
    client.send(REQUEST.repeat(count));
    await client.until(() => client.isClosed || parseAnswers(client.text).length === count);
    const { isClosed } = client;
    client.close();
    await driver.close(0);
    return { admitted, answers: parseAnswers(client.text).length, isClosed };
  }

  it('are a hundred at most: more end the connection, and are not looked at', async () => {
    expect(await packet(100, {})).toEqual({ admitted: 100, answers: 100, isClosed: false });
    expect(await packet(1700, {})).toMatchObject({ admitted: 100, isClosed: true });
  });

  it('are not looked at behind one that is refused with the end of the connection', async () => {
    const refused = { status: 429, headers: { Connection: 'close' }, body: 'no' };
    expect(await packet(90, { admit: () => refused })).toEqual({ admitted: 1, answers: 1, isClosed: true });
    expect(await packet(90, { handle: (_, reply) => reply(refused) })).toMatchObject({
      answers: 1,
      isClosed: true,
    });
  });
});

type Open = (most: number, service?: HttpService) => Promise<HttpDriver>;
const DRIVERS: [string, Open][] = [
  ['node', async (most, service = streaming) => createNodeDriver(service, new ManualClock(), most)],
];
if (hasUws)
  DRIVERS.push(['uws', (most, service = streaming) => createUwsDriver(service, new ManualClock(), most)]);

describe.each(DRIVERS)('connections of the driver %s', (_, open) => {
  const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  /** So many connections, opened one after another, each with the answer to a request, if it got one. */
  async function opened(port: number, count: number): Promise<{ client: RawClient; first?: RawAnswer }[]> {
    const all: { client: RawClient; first?: RawAnswer }[] = [];
    for (let i = 0; i < count; i++) {
      const client = await RawClient.open(port);
      client.send(REQUEST);
      const [first] = await client.answers();
      all.push({ client, ...(first ? { first } : {}) });
    }
    return all;
  }

  it('of one network leave places to others, once more than half are taken', async () => {
    const driver = await open(12, { ...streaming, isProxy: () => false });
    const port = await driver.listen('127.0.0.1', 0);
    const all = await opened(port, 9);
    const clients = all.map(({ client }) => client);
    expect(all.map(({ first }) => first?.status)).toEqual([
      ...Array(6).fill(200),
      ...Array(3).fill(undefined),
    ]);
    // Those that were taken stay, as long as no more are.
    clients[0]!.send(REQUEST);
    expect(await clients[0]!.answers(2)).toHaveLength(2);
    for (const client of clients) client.close();
    await driver.close(0);
  });

  it('end with their next answer while more than half are taken', async () => {
    const driver = await open(4);
    const port = await driver.listen('127.0.0.1', 0);
    const clients = (await opened(port, 3)).map(({ client }) => client);
    expect(parseAnswers(clients[0]!.text)[0]!.headers.connection ?? 'keep-alive').toBe('keep-alive');
    expect(parseAnswers(clients[2]!.text)[0]!.headers.connection).toBe('close');
    await clients[2]!.until(() => clients[2]!.isClosed);
    // Two of four are not more than half.
    clients[0]!.send(REQUEST);
    expect(await clients[0]!.answers(2)).toHaveLength(2);
    for (const client of clients) client.close();
    await driver.close(0);
  });

  it('are closed at once beyond their number, and taken again when others have ended, streams too', async () => {
    const driver = await open(3);
    const port = await driver.listen('127.0.0.1', 0);
    const kept: Socket[] = [];
    /** Sends a request on a new connection; resolves with the first line of the answer, or '' when it was closed. */
    const send = (headers = ''): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1');
        kept.push(socket);
        socket.on('error', () => resolve(''));
        socket.on('close', () => resolve(''));
        socket.once('data', (bytes) => resolve(bytes.toString('latin1').split('\r\n')[0]!));
        socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      });
    const end = async (socket: Socket): Promise<void> => {
      if (socket.closed) return;
      socket.destroy();
      await once(socket, 'close');
    };
    const handshake =
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    for (let round = 0; round < 3; round++) {
      expect(await send()).toBe('HTTP/1.1 200 OK');
      expect(await send(handshake)).toBe('HTTP/1.1 101 Switching Protocols');
      expect(await send(handshake)).toBe('HTTP/1.1 101 Switching Protocols');
      expect([await send(), await send(handshake)]).toEqual(['', '']);
      for (const socket of kept.splice(0)) await end(socket);
      // The driver hears of an end a little later.
      for (let tries = 0; (await send()) === '' && tries < 100; tries++) await pause(10);
      for (const socket of kept.splice(0)) await end(socket);
      await pause(50);
    }
    await driver.close(0);
  });
});

describe('choice of the driver', () => {
  it('uses the configured one', async () => {
    const clock = new ManualClock();
    expect((await createDriver(quiet, 'node', { clock })).name).toBe('node');
    if (hasUws) expect((await createDriver(quiet, 'uws', { clock })).name).toBe('uws');
    else await expect(createDriver(quiet, 'uws', { clock })).rejects.toThrow();
    expect((await createDriver(quiet, 'auto', { clock })).name).toBe(hasUws ? 'uws' : 'node');
  });
});

// Both HTTP drivers under the one contract, and what only one of them has to prove.

import { describe, expect, it } from 'vitest';
import { createDriver } from '../../../host/api/driver.ts';
import { createNodeDriver } from '../../../host/api/driver-node.ts';
import { createUwsDriver } from '../../../host/api/driver-uws.ts';
import type { HttpService } from '../../../host/api/http.ts';
import { driverContract, ManualClock } from './driver.contract.ts';
import { parseAnswers, RawClient } from './raw-http.ts';

driverContract('node', async (service, clock) => createNodeDriver(service, clock));
driverContract('uws', createUwsDriver);

const quiet: HttpService = {
  maxBodyBytes: () => 100,
  refusal: () => ({ status: 400, headers: {}, body: '' }),
  handle: (_request, reply) => reply({ status: 200, headers: {}, body: 'ok' }),
};

describe('times of the uWS driver (DECISIONS 8.2)', () => {
  const start = async () => {
    const clock = new ManualClock();
    const driver = await createUwsDriver(quiet, clock);
    const port = await driver.listen('127.0.0.1', 0);
    const seconds = (n: number) => {
      for (let i = 0; i < n; i++) clock.advance(1000);
    };
    return { driver, port, seconds };
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

  it('a head may take 30 s, an idle connection stays 65 s, a body 30 s', async () => {
    const { driver, port, seconds } = await start();
    const [slow, idle, body] = await Promise.all([1, 2, 3].map(() => RawClient.open(port)));
    slow!.send('GET / HTTP/1.1\r\n');
    idle!.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    body!.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab');
    await idle!.answers();
    await settle();
    seconds(26);
    await settle();
    expect([slow!.isClosed, idle!.isClosed, body!.isClosed]).toEqual([false, false, false]);
    seconds(10);
    await settle();
    expect([slow!.isClosed, idle!.isClosed, body!.isClosed]).toEqual([true, false, true]);
    idle!.text = '';
    idle!.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await idle!.answers())[0]!.status).toBe(200);
    seconds(60);
    await settle();
    expect(idle!.isClosed).toBe(false);
    seconds(10);
    await settle();
    expect(idle!.isClosed).toBe(true);
    await driver.close(0);
  });

  it('a connection in doubt is not touched until it speaks again', async () => {
    const { driver, port, seconds } = await start();
    const idle = await RawClient.open(port);
    idle.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.answers();
    const chunked = await RawClient.open(port);
    chunked.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await settle();
    chunked.close();
    await settle();
    seconds(80);
    await settle();
    expect(idle.isClosed).toBe(false);
    idle.text = '';
    idle.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(parseAnswers((await idle.answers(), idle.text))[0]!.status).toBe(200);
    seconds(70);
    await settle();
    expect(idle.isClosed).toBe(true);
    await driver.close(0);
  });
});

describe('choice of the driver', () => {
  it('takes the one asked for', async () => {
    const clock = new ManualClock();
    expect((await createDriver(quiet, 'node', { clock })).name).toBe('node');
    expect((await createDriver(quiet, 'uws', { clock })).name).toBe('uws');
    expect((await createDriver(quiet, 'auto', { clock })).name).toBe('uws');
  });
});

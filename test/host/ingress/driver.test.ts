// The contract of drivers over threads that take requests in: the service sees the same requests and clients get the same
// answers as without them.

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { IngressDriver, type IngressOptions } from '../../../host/ingress/ingress-driver.ts';
import type { ServiceFacts } from '../../../host/ingress/service-facts.ts';
import {
  type HttpDriver,
  type HttpReply,
  type HttpService,
  REFUSAL_CODES,
  type RefusalCode,
} from '../../../host/world/http.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemProgram } from '../../../host/world/system/files.ts';
import { createNodeDriver } from '../../../host/world/system/http/driver-node.ts';
import type { DriverClock } from '../../../host/world/system/http/driver-rules.ts';
import { createUwsDriver } from '../../../host/world/system/http/driver-uws.ts';
import { systemThreads } from '../../../host/world/system/threads.ts';
import type { Room, RoomPlan } from '../../../host/world/threads.ts';
import { driverContract, ManualClock } from '../world/http/driver.contract.ts';
import { driverStreamContract } from '../world/http/driver-stream.contract.ts';
import { hasUws, quiet } from '../world/http/quiet-service.ts';
import { loopRooms } from './loop-room.ts';

const factsOf = (service: HttpService): ServiceFacts => ({
  bodyLimits: [{ method: 'POST', path: /^\/big$/, bytes: service.maxBodyBytes('POST', '/big') }],
  usualBodyBytes: service.maxBodyBytes('POST', '/'),
  refusals: Object.fromEntries(REFUSAL_CODES.map((code) => [code, service.refusal(code)])) as Record<
    RefusalCode,
    HttpReply
  >,
  batch: { path: '/v1/batch', maxRequests: 1000 },
});

type Serve = (service: HttpService, clock: DriverClock) => Promise<HttpDriver>;

const open = (service: HttpService, changes: Partial<IngressOptions> = {}, threads = 1): IngressDriver =>
  new IngressDriver({
    service,
    plan: { facts: factsOf(service), driver: 'auto', verifier: 'wasm', trustedProxies: [], threads },
    world: { clock: systemClock, threads: systemThreads },
    file: systemProgram.path('host/ingress/thread.js'),
    onFallback() {},
    onFewer() {},
    onFailure(error) {
      throw error;
    },
    ...changes,
  });

const looped =
  (serve: Serve): Serve =>
  async (service) =>
    open(service, {
      world: { clock: systemClock, threads: loopRooms(systemClock, (one) => serve(one, systemClock)) },
    });

const DRIVERS = {
  node: async (service: HttpService, clock: DriverClock) => createNodeDriver(service, clock),
  ...(hasUws ? { uws: createUwsDriver as Serve } : {}),
};
for (const [name, serve] of Object.entries(DRIVERS)) {
  driverContract(name as 'node', looped(serve), true);
  driverStreamContract(name as 'node', looped(serve));
}

const echo: HttpService = {
  ...quiet,
  handle: ({ path }, reply) => reply({ status: 200, headers: {}, body: path }),
};

describe('threads that take requests in', () => {
  it('share a port, and leave it when they close', async () => {
    const driver = open(echo, {}, 3);
    const port = await driver.listen('127.0.0.1', 0);
    expect(driver.name).toMatch(hasUws ? /^uws on 3 threads$/ : /^node on [13] threads?$/);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => (await fetch(`http://127.0.0.1:${port}/${i}`)).text()),
    );
    expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => `/${i}`));
    await driver.close(100);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it.each([1, 2])('do not share it with another program (%i of them)', async (threads) => {
    const other = open(quiet);
    const port = await other.listen('127.0.0.1', 0);
    const driver = open(quiet, {}, threads);
    await expect(driver.listen('127.0.0.1', port)).rejects.toThrow(/in use/);
    await driver.close(0);
    await other.close(0);
  });

  it('end the node when one of them ends: what waits for it fails, and it is closed all the same', async () => {
    const failures: string[] = [];
    let end: (error: Error) => void = () => {};
    const driver = open(quiet, {
      world: {
        clock: systemClock,
        threads: {
          room: ({ onEnd }) => {
            end = onEnd;
            return { post() {}, hold() {}, close: async () => {} };
          },
        },
      },
      onFailure: (error) => failures.push(error.message),
    });
    const listening = driver.listen('127.0.0.1', 0);
    end(new Error('gone'));
    await expect(listening).rejects.toThrow('gone');
    await driver.close(0);
    expect(failures).toEqual(['gone']);
  });

  // With uWebSockets.js the process was aborted before the reason was known.
  it('end the node by what they do not catch, in good order', async () => {
    const failures: string[] = [];
    const rooms: Room[] = [];
    const room = (plan: RoomPlan): Room => {
      rooms.push(systemThreads.room(plan));
      return rooms[0]!;
    };
    const driver = open(echo, {
      world: { clock: systemClock, threads: { room } },
      onFailure: (error) => failures.push(error.message),
    });
    const port = await driver.listen('127.0.0.1', 0);
    const unknown = Uint8Array.of(99, 1, 0, 0, 0);
    rooms[0]!.post(unknown);
    while (failures.length === 0) await pause(5);
    expect(failures).toEqual(['a frame of kind 99']);
    expect(await (await fetch(`http://127.0.0.1:${port}/still`)).text()).toBe('/still');
    await driver.close(100);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('that are silent are ended when the node stops', async () => {
    const clock = new ManualClock();
    let isClosed = false;
    const room = (): Room => ({
      post() {},
      hold() {},
      close: async () => {
        isClosed = true;
      },
    });
    const driver = open(quiet, {
      world: { clock: { ...systemClock, setTimer: clock.setTimer.bind(clock) }, threads: { room } },
    });
    const closing = driver.close(3000);
    await pause(5);
    clock.advance(4000);
    await pause(5);
    expect(isClosed).toBe(false);
    clock.advance(1000);
    await closing;
    expect(isClosed).toBe(true);
  });

  it('whose program does not load are noticed', async () => {
    const failures: Error[] = [];
    const driver = open(quiet, {
      file: systemProgram.path('host/ingress/missing.js'),
      onFailure: (error) => failures.push(error),
    });
    await expect(driver.listen('127.0.0.1', 0)).rejects.toThrow(/missing/);
    expect(failures.length).toBeGreaterThan(0);
    await driver.close(0);
  });
});

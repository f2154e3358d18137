// What a reader answers and refuses, with tables that are made up; test/export/reader.long.ts compares it with a node.

import { describe, expect, it } from 'vitest';
import { ClientIp } from '../../../host/api/client-ip.ts';
import { OrderWaits } from '../../../host/api/order-waits.ts';
import { ROUTES } from '../../../host/api/routes.ts';
import { ServiceError } from '../../../host/errors.ts';
import { Conditions } from '../../../host/export/reader/answers.ts';
import { PlaceWatch } from '../../../host/export/reader/place-watch.ts';
import { READERS } from '../../../host/export/reader/readers.ts';
import { ReaderService } from '../../../host/export/reader/service.ts';
import type { Snapshot } from '../../../host/export/reader/snapshot.ts';
import { createLogger } from '../../../host/log.ts';
import { Metrics } from '../../../host/metrics.ts';
import type { HttpReply } from '../../../host/world/http.ts';
import { systemClock } from '../../../host/world/system/clock.ts';

const log = createLogger('error', { write: () => {} });

/** A reader of a database that is at `order`, and has no row of anything. */
class Fake {
  order = 7;
  isAway = false;
  isVerified = true;
  /** Timers that wait, by their time; nothing runs by itself. */
  readonly timers: (() => void)[] = [];
  readonly clock = {
    ...systemClock,
    // Stands still: nothing here depends on how fast the machine is.
    monotonicMs: () => 0,
    setTimer: (fn: () => void) => {
      this.timers.push(fn);
      return () => this.timers.splice(this.timers.indexOf(fn), 1);
    },
  };
  readonly orders = new OrderWaits(this.clock, 0, () => ({}));
  readonly tables = {
    read: async <T>(run: (s: Snapshot) => Promise<T>): Promise<T> => {
      if (this.isAway) throw new ServiceError('not_ready');
      const at = {
        order: this.order,
        seq: 0,
        timeMs: 0,
        firstOrder: 0,
        keptFrom: 0,
        signedHeight: 0,
        isVerified: this.isVerified,
      };
      return run({ ...at, rows: async () => [] });
    },
  };
  readonly watch = new PlaceWatch(this.tables, this.orders, this.clock, () => {});
  readonly service: ReaderService<never>;

  readonly streams: unknown[] = [];

  constructor(isLimited = false, hasStream = false) {
    const admit = (_: unknown, query: unknown) => {
      this.streams.push(query);
      return () => ({}) as never;
    };
    this.service = new ReaderService({
      routes: ROUTES as never,
      tables: this.tables,
      watch: this.watch,
      orders: this.orders,
      stream: hasStream ? { admit } : undefined,
      nodeUrl: 'https://node.example.org',
      connections: 1,
      isLimited,
      clientIp: new ClientIp([]),
      metrics: new Metrics(),
      log,
      clock: this.clock,
    });
  }

  #request(method: string, target: string, minOrder?: number) {
    const [path = '', query = ''] = target.split('?');
    const header = (name: string): string | undefined =>
      name === 'x-service-min-order' && minOrder !== undefined ? String(minOrder) : undefined;
    return { method, path, query, header, remoteAddress: '10.0.0.1', body: new Uint8Array() };
  }

  ask(method: string, target: string, minOrder?: number): Promise<HttpReply> {
    const request = this.#request(method, target, minOrder);
    return new Promise((resolve) => this.service.handle(request, resolve));
  }

  upgrade(target: string) {
    return this.service.upgrade(this.#request('GET', target));
  }

  async code(method: string, target: string, minOrder?: number): Promise<[number, string, unknown]> {
    const { status, body } = await this.ask(method, target, minOrder);
    const { code, details } = JSON.parse(String(body)) as { code: string; details: unknown };
    return [status, code, details];
  }
}

describe('the table of a reader', () => {
  it('has a row for every GET of the route table, and for nothing else', () => {
    const reads = ROUTES.filter(({ method }) => method === 'GET').map(({ id }) => id);
    expect(Object.keys(READERS).sort()).toEqual([...reads].sort());
  });

  it('has nothing of its own but what the service answers', async () => {
    const fake = new Fake();
    await fake.watch.look();
    const own = ROUTES.filter(({ id }) => READERS[id] === 'own');
    expect(own.length).toBe(4);
    for (const { id, path } of own)
      expect((await fake.ask('GET', path)).status).toBe(id === 'events_stream' ? 501 : 200);
  });

  it('refuses the stream where it has none, and asks for a handshake where it has one', async () => {
    const [without, fake] = [new Fake(), new Fake(false, true)];
    expect(await without.code('GET', '/v1/ws')).toEqual([
      501,
      'ask_a_node',
      { reason: 'stream', node: 'https://node.example.org' },
    ]);
    expect(without.upgrade('/v1/ws')).toBeUndefined();
    const reply = await fake.ask('GET', '/v1/ws');
    expect([reply.status, reply.headers.Upgrade]).toEqual([426, 'websocket']);
    expect(fake.upgrade('/v1/ws?since=7')).toBeTypeOf('function');
    expect(fake.streams).toEqual([{ since: 7 }]);
    // What is written goes to a node.
    expect(fake.upgrade('/v1/ws?writes=true')).toMatchObject({ status: 501 });
    expect(fake.upgrade('/v1/ws?since=-1')).toMatchObject({ status: 400 });
    expect(fake.upgrade('/v1/tasks')).toBeUndefined();
  });
});

describe('a reader', () => {
  it('refuses every write, and says where to send it', async () => {
    const fake = new Fake();
    for (const { method, path } of ROUTES.filter((route) => route.method !== 'GET'))
      expect(await fake.code(method, path.replaceAll(/\{\w+\}/g, 'x'))).toEqual([
        501,
        'ask_a_node',
        { reason: 'write', node: 'https://node.example.org' },
      ]);
  });

  it('refuses what only a node knows, with the reason', async () => {
    const fake = new Fake();
    for (const route of ROUTES) {
      const reader = READERS[route.id];
      if (typeof reader !== 'string' || reader === 'own') continue;
      const [status, code, details] = await fake.code('GET', route.path.replaceAll(/\{\w+\}/g, 'x'));
      expect([status, code, details]).toEqual([
        501,
        'ask_a_node',
        { reason: reader, node: 'https://node.example.org' },
      ]);
    }
  });

  it('leaves to a node what only its core can price', async () => {
    const [status, code, details] = await new Fake().code('GET', '/v1/network/state?category=ships');
    expect([status, code, details]).toMatchObject([501, 'ask_a_node', { reason: 'moves' }]);
  });

  it('answers nothing from what was not recomputed', async () => {
    const fake = new Fake();
    fake.isVerified = false;
    const [status, , details] = await fake.code('GET', '/v1/events/recent');
    expect([status, details]).toEqual([501, { reason: 'trusted', node: 'https://node.example.org' }]);
  });

  it('has the refusals of a node for paths, methods and queries', async () => {
    const fake = new Fake();
    expect((await fake.code('GET', '/v1/nothing'))[1]).toBe('not_found');
    expect((await fake.code('POST', '/v1/economics'))[1]).toBe('method_not_allowed');
    expect((await fake.code('GET', '/v1/tasks?colour=red'))[1]).toBe('invalid_request');
    expect((await fake.code('GET', '/v1/tasks/00', 99_999))[1]).toBe('behind');
  });

  it('names the order of its answers, of refusals too', async () => {
    const reply = await new Fake().ask('GET', '/v1/tasks/00');
    expect([reply.status, reply.headers['X-Service-Order']]).toEqual([404, '7']);
  });

  it('waits for an order, and answers once the database has it', async () => {
    const fake = new Fake();
    await fake.watch.look();
    const reading = fake.ask('GET', '/v1/tasks/00', 8);
    await fake.watch.look();
    fake.order = 8;
    await fake.watch.look();
    expect((await reading).headers['X-Service-Order']).toBe('8');
  });

  it('says that it is behind when the order does not come, or another server has less', async () => {
    const fake = new Fake();
    await fake.watch.look();
    const late = fake.code('GET', '/v1/tasks/00', 8);
    while (fake.timers.length === 0) await Promise.resolve();
    fake.timers[0]!();
    expect(await late).toEqual([503, 'behind', { order: 7 }]);
    fake.order = 6;
    expect(await fake.code('GET', '/v1/tasks/00', 7)).toEqual([503, 'behind', { order: 6 }]);
  });

  it('is not ready without its database', async () => {
    const fake = new Fake();
    fake.isAway = true;
    await fake.watch.look();
    expect((await fake.ask('GET', '/health/ready')).status).toBe(503);
    expect((await fake.ask('GET', '/health/live')).status).toBe(200);
    expect((await fake.code('GET', '/v1/tasks/00'))[1]).toBe('not_ready');
  });

  it('limits what one address may ask', async () => {
    const fake = new Fake(true);
    let refused = 0;
    for (let i = 0; i < 600; i++) if ((await fake.ask('GET', '/v1/tasks/00')).status === 429) refused += 1;
    expect(refused).toBeGreaterThan(0);
  });
});

it('numbers the values of conditions, also of one that stands twice', () => {
  const where = new Conditions().add('(a = ? or b = ?)', 'x').add('c = ?', undefined).add('d = ?', 3);
  expect([where.sql, where.values]).toEqual(['where (a = $1 or b = $1) and d = $2', ['x', 3]]);
  expect(new Conditions().sql).toBe('');
});

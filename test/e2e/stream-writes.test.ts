// Writes over a stream of a real node (protocol 9.5), on both HTTP drivers: each has the outcome that it would have had in a
// request, and nobody who floods, stalls or sends rubbish costs others more than an HTTP client could.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overStream, VwsClient } from '../../host/client/node.ts';
import type { SignedRequest } from '../../host/client/signed-request.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Agent, call, get, type Json, TOKEN } from './agent.ts';
import { Stream } from './stream-client.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

const asItem = ({ method, path, headers, body }: SignedRequest): Json => ({ method, path, headers, body });
const WRITES = '?filter=gap&writes=true';

describe.each(['uws', 'node'])('writes over the stream, driver %s', (driver) => {
  let node: NodeProcess;
  let port: number;
  let alice: Agent;
  const env = {
    SERVICE_API_DRIVER: driver,
    SERVICE_TRUSTED_PROXIES: '127.0.0.1',
    SERVICE_CORS_ORIGINS: 'https://listed.example',
  };

  beforeAll(async () => {
    node = await bed.start({ dataDir: await bed.directory(), env });
    port = node.port;
    alice = await new Agent(port).register({ initial_stake: 1000 * TOKEN });
  });

  /** Sends a frame and waits for its answer. */
  const exchange = async (stream: Stream, frame: Json): Promise<Json> => {
    stream.ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    const find = (): Json => stream.messages.find(({ id }) => id === (frame.id ?? null));
    await stream.until(() => find() !== undefined);
    return find();
  };
  const stake = (amount: number): Promise<SignedRequest> => alice.sign('POST', '/v1/stake', { amount });

  it('are executed in the order of their list, each with its own outcome, beside the events', async () => {
    const stream = await Stream.open(port, '?writes=true');
    const signed = await Promise.all([3, 1, 2].map(stake));
    const forged = { ...asItem(await stake(7)), body: '{"amount":8}' };
    const requests = [...signed.map(asItem), forged, { method: 'GET', path: '/v1/status' }];
    const { results } = await exchange(stream, { id: 'first', requests });
    expect(results.map(({ status }: Json) => status)).toEqual([200, 200, 200, 400, 400]);
    expect(results[3].body.code).toBe('tx_signature_invalid');
    expect(results.slice(0, 3).every(({ order }: Json) => order > 0)).toBe(true);
    const ids = signed.map(({ txid }) => txid);
    expect(results.slice(0, 3).map(({ body }: Json) => body.event_id)).toEqual(ids);
    await stream.until((s) => s.messages.filter(({ seq }) => seq).length === 3);
    const events = stream.messages.filter(({ seq }) => seq);
    expect(events.map(({ data }) => data.event_id)).toEqual(ids);
    // The same request over HTTP is the same transaction.
    const again = await call(port, signed[0]!);
    expect([again.status, again.body.code]).toEqual([409, 'DUPLICATE_TX']);
    stream.close();
  });

  it('that are no batch are refused with a code, and the stream goes on', async () => {
    const stream = await Stream.open(port, WRITES);
    for (const [i, requests] of [[], [1], {}, [{ path: '/v1/stake', query: '' }]].entries()) {
      const answer = await exchange(stream, { id: i, requests });
      expect(answer).toMatchObject({ id: i, status: 400, body: { code: 'invalid_request' } });
    }
    const broken = await exchange(stream, { id: 10, requests: [], atomic: true });
    expect(broken).toMatchObject({ id: 10, status: 400, body: { code: 'invalid_request' } });
    expect(await exchange(stream, 'rubbish')).toMatchObject({
      id: null,
      status: 400,
      body: { code: 'invalid_request' },
    });
    const { results } = await exchange(stream, { id: 'last', requests: [asItem(await stake(1))] });
    expect(results[0].status).toBe(200);
    stream.close();
  });

  it('need a stream that takes them', async () => {
    const stream = await Stream.open(port, '?filter=gap');
    stream.ws.send(JSON.stringify({ id: 1, requests: [] }));
    stream.ws.send('x'.repeat(1025));
    await stream.until((s) => s.code !== undefined);
    expect([stream.code, stream.messages]).toEqual([1009, []]);
    expect((await Stream.refusal(port, '?writes=yes')).status).toBe(400);
  });

  it("of a page need one that may read their answers: the node's own, or one that is listed", async () => {
    for (const origin of ['https://elsewhere.example', 'null', `http://127.0.0.1:${port + 1}`]) {
      const refusal = await Stream.refusal(port, WRITES, { Origin: origin });
      expect([refusal.status, refusal.body.code], origin).toEqual([403, 'origin_not_allowed']);
      // Events are for everybody.
      (await Stream.open(port, '', { Origin: origin })).close();
    }
    for (const origin of [`http://127.0.0.1:${port}`, 'https://listed.example'])
      (await Stream.open(port, WRITES, { Origin: origin })).close();
  });

  it('of a client of the package go over one stream', async () => {
    const writesOver = overStream();
    const client = new VwsClient({ baseUrl: `http://127.0.0.1:${port}`, key: alice.signer, writesOver });
    const requests = async (): Promise<number> =>
      Number(
        /^vws_api_requests_total\{[^}]*route="\/v1\/stake"[^}]*status="200"\} (\d+)$/m.exec(
          (await get(port, '/metrics')).body,
        )?.[1],
      );
    const staked = async (): Promise<number> => (await client.stakeInfo(alice.id)).staked_amount;
    const [before, counted] = [await staked(), await requests()];
    const signed = await Promise.all(
      Array.from({ length: 300 }, (_, i) => client.prepare('POST', '/v1/stake', { amount: i + 1 })),
    );
    await Promise.all(signed.map((request) => client.submit(request)));
    expect(await staked()).toBe(before + (300 * 301) / 2);
    // Each is counted as the write that it is.
    expect(await requests()).toBe(counted + 300);
    writesOver.close();
  });

  describe('of an attacker', () => {
    const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });
    let limited: NodeProcess;
    beforeAll(async () => {
      limited = await bed.start({
        dataDir: await bed.directory(),
        env: { ...env, SERVICE_RATE_LIMITS: 'on' },
      });
    });
    const costMs = async (): Promise<number> => {
      const { body } = await get(limited.port, '/metrics');
      return Number(/^vws_api_cost_ms_total\{lane="write"\} (\S+)$/m.exec(body)?.[1] ?? 0);
    };
    /** A write passes and is answered soon. */
    const isServing = async (address: string): Promise<void> => {
      const stream = await Stream.open(limited.port, WRITES, from(address));
      const startMs = performance.now();
      const { results } = await exchange(stream, { id: 1, requests: [{ path: '/v1/stake', body: '{}' }] });
      expect(results[0].body.code).toBe('auth_required');
      expect(performance.now() - startMs).toBeLessThan(2_000);
      stream.close();
    };

    it('who floods with frames pays for them, is refused, and then cut off with 1008', async () => {
      const stream = await Stream.open(limited.port, WRITES, from('10.1.0.1'));
      const before = await costMs();
      const requests = Array.from({ length: 100 }, () => ({ path: '/v1/stake', body: '{}' }));
      let sent = 0;
      while (stream.code === undefined && sent < 20_000) {
        for (let i = 0; i < 20; i++) stream.ws.send(JSON.stringify({ id: sent++, requests }));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await stream.until((s) => s.code !== undefined);
      expect(stream.code).toBe(1008);
      const refused = stream.messages.filter(({ status }) => status !== undefined);
      // Fewer than 32 where the thread that takes them in notices first that its client waits for no answer.
      expect(refused.length).toBeGreaterThan(0);
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['rate_limited']));
      // What was begun costs the address of the socket, and nobody else.
      expect(await costMs()).toBeGreaterThan(before);
      await isServing('10.2.0.1');
    });

    it('pays as the address of its socket, whatever its frames say', async () => {
      const stream = await Stream.open(limited.port, WRITES, from('10.3.0.1'));
      // Headers of a request in a frame name another client: they are those of the request alone.
      const headers = from('10.4.0.1');
      const requests = Array.from({ length: 80 }, () => ({ path: '/v1/stake', body: '{}', headers }));
      /** Frames until one of them, or a request in it, is refused as too many. */
      const framesUntilRefusal = async (on: Stream): Promise<number> => {
        for (let id = 0; id < 5_000; id++) {
          const answer = await exchange(on, { id, requests });
          const all = [answer, ...(answer.results ?? [])].map(({ status }: Json) => status);
          if (all.includes(429)) return id;
        }
        throw new Error('no frame was refused');
      };
      const first = await framesUntilRefusal(stream);
      stream.close();
      // Another socket of the address has what the address has left, and what comes back meanwhile.
      const other = await Stream.open(limited.port, WRITES, from('10.3.0.1'));
      expect(await framesUntilRefusal(other)).toBeLessThan(first / 2);
      other.close();
      await isServing('10.4.0.1');
    });

    it('who sends huge frames, or frames that never end, is cut off', async () => {
      for (const isWhole of [true, false]) {
        const stream = await Stream.open(limited.port, WRITES, from('10.5.0.1'));
        for (let i = 0; i < (isWhole ? 1 : 100); i++)
          stream.ws.send('x'.repeat(isWhole ? 10_000_000 : 1000), { fin: isWhole });
        await stream.until((s) => s.code !== undefined);
        expect(stream.code).toBe(driver === 'uws' ? 1006 : 1009);
        expect(stream.messages).toEqual([]);
      }
      await isServing('10.6.0.1');
    });

    it('who does not read its answers is cut off with 1013, and the node keeps a bounded part of them', async () => {
      const slow = await Stream.open(port, WRITES);
      slow.ws.pause();
      // Each request of these is refused, in some 100 bytes.
      const requests = Array.from({ length: 900 }, () => ({ path: '/v1/x' }));
      const frame = (id: number): string => JSON.stringify({ id, requests });
      expect(frame(1).length).toBeLessThan(65_536);
      const slowCount = async (): Promise<number> =>
        Number(/^vws_ws_slow_consumers_total (\d+)$/m.exec((await get(port, '/metrics')).body)?.[1] ?? 0);
      const before = await slowCount();
      for (let id = 0; id < 400 && (await slowCount()) === before; id++) {
        slow.ws.send(frame(id));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(await slowCount()).toBe(before + 1);
      slow.ws.resume();
      await slow.until((s) => s.code !== undefined);
      expect(slow.code).toBe(1013);
    });
  });
});

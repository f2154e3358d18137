import { describe, expect, it } from 'vitest';
import { sealWebhookSecret } from '../../../host/client/sealed.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import type { DeliveryDoc } from '../../../host/store/market-documents.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import type { Attempt, AttemptResult } from '../../../host/webhooks/attempt.ts';
import {
  type DeliveredTask,
  DeliveryQueue,
  type DeliveryResult,
} from '../../../host/webhooks/delivery-queue.ts';
import { signatureOf } from '../../../host/webhooks/signature.ts';
import { randomBytes } from '../../../host/world/system/random.ts';
import { StillClock, settle } from './still-clock.ts';

const TASK: DeliveredTask = {
  id: 'aa'.repeat(16),
  title: 't',
  description: 'd',
  category: 'code',
  poster_id: 'p',
  budget: 5,
  status: 'open',
};

const KEY = keyPairFromSeed(new Uint8Array(32).fill(9));

const delivery = (over: Partial<DeliveryDoc> = {}): DeliveryDoc => ({
  delivery_id: '11'.repeat(32),
  task_id: TASK.id,
  agent_id: 'worker',
  url: 'https://hook.example/in',
  issued_at: 1_799_999_999,
  attempts: 0,
  next_ms: 0,
  ...over,
});

interface Call extends Attempt {
  atMs: number;
  finish(result: AttemptResult): Promise<void>;
}

/** A queue whose attempts end as the test says. */
class Bench {
  readonly calls: Call[] = [];
  readonly results: DeliveryResult[] = [];
  readonly failures: unknown[] = [];
  readonly logged: string[] = [];
  task: DeliveredTask | undefined = TASK;
  /** The task is routed to whoever asks, not to `worker` alone. */
  anybody = false;
  queue: DeliveryQueue;

  constructor(
    readonly store = new MemoryStore(),
    readonly clock = new StillClock(),
  ) {
    this.queue = this.restart();
  }

  restart(): DeliveryQueue {
    const note = (...parts: unknown[]): void => void this.logged.push(JSON.stringify(parts));
    this.queue = new DeliveryQueue({
      json: JSON.stringify,
      store: this.store,
      clock: this.clock,
      log: { debug: note, info: note, warn: note, error: note },
      key: KEY,
      taskFor: (taskId, agentId) =>
        taskId === TASK.id && (this.anybody || agentId === 'worker') ? this.task : undefined,
      attempt: (a, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('failed'));
          const finish = (result: AttemptResult): Promise<void> => {
            resolve(result);
            return settle();
          };
          this.calls.push({ ...a, atMs: this.clock.nowMs(), finish });
        }),
      onResult: (result) => this.results.push(result),
      onFailure: (error) => this.failures.push(error),
    });
    return this.queue;
  }

  async add(seq: number, doc = delivery()): Promise<void> {
    await this.store.write([{ key: rowKey.delivery(seq), value: Buffer.from(JSON.stringify(doc)) }]);
    this.queue.note(seq);
    await settle();
  }

  row(seq: number): DeliveryDoc | undefined {
    return readJson<DeliveryDoc>(this.store.get(rowKey.delivery(seq)));
  }
}

describe('what is sent (protocol 10)', () => {
  it('has the documented headers and body, without a secret no signature', async () => {
    const bench = new Bench();
    await bench.add(7);
    const [call] = bench.calls;
    expect(call).toMatchObject({
      url: 'https://hook.example/in',
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Event': 'task_assigned',
        'X-Service-Delivery': '11'.repeat(32),
      },
    });
    expect(call!.headers['X-Service-Signature']).toBeUndefined();
    expect(JSON.parse(call!.body)).toEqual({
      event: 'task_assigned',
      delivery_id: '11'.repeat(32),
      task_id: TASK.id,
      agent_id: 'worker',
      task: TASK,
      issued_at: 1_799_999_999,
    });
    await call!.finish('ok');
    expect(bench.row(7)).toBeUndefined();
    expect([bench.results, bench.queue.size, bench.clock.pending]).toEqual([['ok'], 0, 0]);
  });

  it('is signed anew at each attempt, over the same body', async () => {
    const bench = new Bench();
    await bench.add(1, delivery({ secret: 'whsec' }));
    await bench.calls[0]!.finish('failed');
    await bench.clock.advance(5000);
    const [first, second] = bench.calls;
    expect(second!.body).toBe(first!.body);
    for (const [i, call] of bench.calls.entries()) {
      const t = 1_800_000_000 + 5 * i;
      expect(call.headers['X-Service-Signature']).toBe(signatureOf('whsec', t, call.body));
    }
  });
});

describe('an encrypted secret', () => {
  const sealed = (to: Uint8Array, agentId: string): string =>
    sealWebhookSecret(to, agentId, 'whsec', randomBytes);

  it('signs like the plain one at each attempt, and stays encrypted in the row', async () => {
    const bench = new Bench();
    const secret = sealed(KEY.publicKey, 'worker');
    await bench.add(1, delivery({ secret }));
    await bench.calls[0]!.finish('failed');
    expect(bench.row(1)!.secret).toBe(secret);
    await bench.clock.advance(5000);
    for (const [i, call] of bench.calls.entries()) {
      const t = 1_800_000_000 + 5 * i;
      expect(call.headers['X-Service-Signature']).toBe(signatureOf('whsec', t, call.body));
    }
    await bench.calls[1]!.finish('ok');
    expect([bench.results, bench.logged]).toEqual([['retry', 'ok'], []]);
  });

  it.each([
    ['to another key', sealed(keyPairFromSeed(new Uint8Array(32).fill(8)).publicKey, 'worker')],
    ['for another agent', sealed(KEY.publicKey, 'poster')],
    ['by its looks only', 'vws-hook-v1:whsec'],
  ])('%s lets nothing go out: dropped, counted, and logged without it', async (_, secret) => {
    const bench = new Bench();
    await bench.add(1, delivery({ secret }));
    await bench.clock.advance(10_000_000);
    expect([bench.calls, bench.results, bench.failures]).toEqual([[], ['dropped'], []]);
    expect([bench.row(1), bench.queue.size]).toEqual([undefined, 0]);
    expect(bench.logged).toHaveLength(1);
    expect(bench.logged[0]).toContain('cannot be decrypted');
    expect(bench.logged[0]).not.toContain(secret);
    await bench.add(2);
    expect(bench.calls).toHaveLength(1);
  });
});

describe('retries', () => {
  it('come after 5, 30, 120 and 600 s, then the delivery is dropped', async () => {
    const bench = new Bench();
    await bench.add(1);
    const start = bench.clock.nowMs();
    for (const wait of [5, 30, 120, 600]) {
      const count = bench.calls.length;
      await bench.calls.at(-1)!.finish('failed');
      await bench.clock.advance(wait * 1000 - 1);
      expect(bench.calls).toHaveLength(count);
      await bench.clock.advance(1);
      expect(bench.calls).toHaveLength(count + 1);
    }
    await bench.calls.at(-1)!.finish('failed');
    await bench.clock.advance(10_000_000);
    expect(bench.calls.map((call) => (call.atMs - start) / 1000)).toEqual([0, 5, 35, 155, 755]);
    expect(bench.results).toEqual(['retry', 'retry', 'retry', 'retry', 'dropped']);
    expect([bench.row(1), bench.queue.size]).toEqual([undefined, 0]);
  });

  it('do not follow a refusal of the guard', async () => {
    const bench = new Bench();
    await bench.add(1);
    await bench.calls[0]!.finish('blocked');
    await bench.clock.advance(1_000_000);
    expect([bench.calls.length, bench.results, bench.row(1)]).toEqual([1, ['blocked'], undefined]);
  });

  it('end once the task is no longer open or is routed to another', async () => {
    const bench = new Bench();
    await bench.add(1);
    await bench.calls[0]!.finish('failed');
    bench.task = undefined;
    await bench.clock.advance(5000);
    expect([bench.calls.length, bench.results, bench.row(1)]).toEqual([1, ['retry'], undefined]);
    expect(bench.queue.size).toBe(0);
  });
});

describe('restarts', () => {
  it('continue where the last run stopped, at the stored time', async () => {
    const bench = new Bench();
    await bench.add(1);
    await bench.add(2, delivery({ delivery_id: '22'.repeat(32) }));
    await bench.calls[0]!.finish('failed');
    // The second attempt is cut off: it does not count.
    await bench.queue.close();
    expect(bench.row(1)).toMatchObject({ attempts: 1, next_ms: bench.clock.nowMs() + 5000 });
    expect(bench.row(2)).toEqual(delivery({ delivery_id: '22'.repeat(32) }));
    expect(bench.clock.pending).toBe(0);

    bench.restart();
    await bench.queue.load();
    await settle();
    expect(bench.calls.slice(2).map((call) => call.headers['X-Service-Delivery'])).toEqual(['22'.repeat(32)]);
    await bench.clock.advance(5000);
    expect(bench.calls).toHaveLength(4);
    await bench.calls[3]!.finish('failed');
    expect(bench.row(1)).toMatchObject({ attempts: 2, next_ms: bench.clock.nowMs() + 30_000 });
  });

  it('do not wait longer than the longest retry for a clock that was set back', async () => {
    const bench = new Bench();
    await bench.add(1, delivery({ attempts: 1, next_ms: bench.clock.nowMs() + 1e9 }));
    await bench.clock.advance(600_000);
    expect(bench.calls).toHaveLength(1);
  });

  it('accept nothing new once closed', async () => {
    const bench = new Bench();
    await bench.queue.close();
    await bench.add(1);
    expect(bench.calls).toHaveLength(0);
    expect(bench.row(1)).toBeDefined();
  });
});

it('calls one host four times at once, and others meanwhile', async () => {
  const bench = new Bench();
  bench.anybody = true;
  for (let seq = 1; seq <= 6; seq++) await bench.add(seq, delivery({ agent_id: `worker${seq}` }));
  await bench.add(7, delivery({ url: 'https://other.example:8443/' }));
  expect(bench.calls.map((call) => new URL(call.url).host)).toEqual([
    ...new Array(4).fill('hook.example'),
    'other.example:8443',
  ]);
  await bench.calls[0]!.finish('ok');
  expect(bench.calls).toHaveLength(6);
});

it('drops deliveries above its bound and deletes their rows', async () => {
  const bench = new Bench();
  const rows = Array.from({ length: 10_001 }, (_, seq) => ({
    key: rowKey.delivery(seq),
    value: Buffer.from(
      JSON.stringify(
        delivery({ agent_id: `worker${seq % 20}`, next_ms: bench.clock.nowMs() + 1000, attempts: 1 }),
      ),
    ),
  }));
  await bench.store.write(rows);
  await bench.queue.load();
  await settle();
  expect([bench.queue.size, bench.results]).toEqual([10_000, ['dropped']]);
  expect(bench.row(10_000)).toBeUndefined();
});

it('drops deliveries of an agent above its own bound, and takes those of others', async () => {
  const bench = new Bench();
  const later = () => delivery({ agent_id: 'flooder', next_ms: bench.clock.nowMs() + 1000, attempts: 1 });
  for (let seq = 1; seq <= 1001; seq++) await bench.add(seq, later());
  expect([bench.queue.size, bench.results]).toEqual([1000, ['dropped']]);
  await bench.add(1002);
  expect([bench.calls.length, bench.results]).toEqual([1, ['dropped']]);
  // What is over makes room.
  await bench.clock.advance(1000);
  expect(bench.queue.size).toBe(1);
  await bench.add(1003, later());
  expect([bench.queue.size, bench.results]).toEqual([2, ['dropped']]);
});

describe('agents whose receivers hold their places', () => {
  /** Deliveries to receivers of so many agents, each under a host name of its own. */
  const flood = async (bench: Bench, agents: number, seq: number): Promise<void> => {
    for (let i = 0; i < agents; i++) {
      await bench.add(seq + i, delivery({ agent_id: `slow${i}`, url: `https://h${seq + i}.slow.example/` }));
    }
  };
  const isSlow = ({ url }: Call): boolean => url.includes('slow.example');

  it('have four at a time, whatever their host names are', async () => {
    const bench = new Bench();
    bench.anybody = true;
    for (let i = 0; i < 8; i++) {
      await bench.add(i, delivery({ agent_id: 'slow', url: `https://h${i}.slow.example/` }));
    }
    expect(bench.calls).toHaveLength(4);
    await bench.add(9);
    expect(bench.calls).toHaveLength(5);
  });

  it.each(['ok', 'failed'] as const)('leave places to others, also if they answer late: %s', async (end) => {
    const bench = new Bench();
    bench.anybody = true;
    await flood(bench, 40, 0);
    expect(bench.calls).toHaveLength(32);
    await bench.clock.advance(4900);
    for (const call of bench.calls.slice(0, 32)) await call.finish(end);
    for (const call of bench.calls.slice(32, 40)) await call.finish(end);
    await flood(bench, 32, 100);
    const held = bench.calls.slice(40).filter(isSlow);
    expect(held).toHaveLength(16);
    await bench.add(200);
    expect(bench.calls.at(-1)!.url).toBe('https://hook.example/in');
  });
});

it('never logs URL or secret', async () => {
  const bench = new Bench();
  await bench.add(1, delivery({ url: 'https://h.example/private-path', secret: 'whsec-value' }));
  await bench.calls[0]!.finish('blocked');
  expect(bench.logged.length).toBeGreaterThan(0);
  expect(bench.logged.join()).not.toMatch(/private-path|whsec-value|h\.example/);
});

it('logs when a row cannot be written', async () => {
  const bench = new Bench();
  await bench.add(1);
  bench.store.failNext = new Error('disk full');
  await bench.calls[0]!.finish('ok');
  expect(String(bench.failures[0])).toMatch(/disk full/);
});

it('does nothing for a routing that owes no delivery', async () => {
  const bench = new Bench();
  bench.queue.note(5);
  await settle();
  expect([bench.calls.length, bench.queue.size]).toEqual([0, 0]);
});

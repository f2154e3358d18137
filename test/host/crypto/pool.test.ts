import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { createVerifierPool } from '../../../host/crypto/pool.ts';
import type { SignatureVerifier, VerifyMany } from '../../../host/crypto/verifier.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import type { Clock } from '../../../host/world/clock.ts';
import { systemWorld } from '../../../host/world/system/world.ts';

const pair = keyPairFromSeed(new Uint8Array(32).fill(3));
const message = utf8('m');
const job = { publicKey: pair.publicKey, message, signature: pair.sign(message) };
let pool: SignatureVerifier;
const built = systemWorld.program.path('host/crypto/worker.js');
interface Opened {
  clock?: Clock;
  maxWaiting?: number;
  workerFile?: string;
  alone?: VerifyMany;
}
const open = (o: Opened = {}) => {
  const { clock = systemWorld.clock, workerFile = built, ...more } = o;
  return createVerifierPool({ threads: 1, workerFile, world: { ...systemWorld, clock }, ...more });
};
afterEach(() => pool.close());

test('signatures that arrive together form one batch', async () => {
  pool = open();
  await Promise.all(Array.from({ length: 50 }, () => pool.verify(job)));
  expect(pool.stats.batches).toBe(1);
  await pool.verify(job);
  expect(pool.stats.batches).toBe(2);
});

test('up to three that arrive together are verified on the calling thread, more are handed over', async () => {
  const sizes: number[] = [];
  const alone: VerifyMany = (jobs) => {
    sizes.push(jobs.length);
    return Uint8Array.from(jobs, ({ signature }) => (signature === job.signature ? 1 : 0));
  };
  pool = open({ alone });
  const forged = { ...job, signature: new Uint8Array(64) };
  expect([...(await pool.verifyAll([job, forged]))]).toEqual([1, 0]);
  expect(await Promise.all([pool.verify(job), pool.verify(forged), pool.verify(job)])).toEqual([
    true,
    false,
    true,
  ]);
  expect([...(await pool.verifyAll([job, job, forged, job]))]).toEqual([1, 1, 0, 1]);
  expect(sizes).toEqual([2, 3]);
  expect(pool.stats).toMatchObject({ batches: 3, verified: 9, refused: 3, waiting: 0 });
});

test('a batch has at most 1,024 signatures', async () => {
  pool = open();
  await Promise.all(Array.from({ length: 2500 }, () => pool.verify(job)));
  expect(pool.stats.batches).toBeGreaterThanOrEqual(3);
  expect(pool.stats.batches).toBeLessThan(2500 / 64);
});

test('many at once have a verdict each, in their order, and one refusal', async () => {
  pool = open({ maxWaiting: 20 });
  const forged = { ...job, signature: new Uint8Array(64) };
  const short = { ...job, signature: new Uint8Array(63) };
  const all = pool.verifyAll([job, short, forged, job]);
  await expect(pool.verifyAll(new Array(17).fill(job))).resolves.toHaveLength(17);
  const one = pool.verify(job);
  await expect(pool.verifyAll(new Array(20).fill(job))).rejects.toMatchObject({ code: 'overloaded' });
  expect(await one).toBe(true);
  expect([...(await all)]).toEqual([1, 0, 0, 1]);
  expect([...(await pool.verifyAll([short]))]).toEqual([0]);
  // What never fits beside others is taken when it comes alone: a vertex may have more entries than the queue has room.
  await expect(pool.verifyAll(new Array(30).fill(job))).resolves.toHaveLength(30);
});

test('while workers are busy, signatures gather and a timer bounds their wait', async () => {
  const timers: { fn: () => void; ms: number }[] = [];
  let cancelled = 0;
  const clock = {
    nowMs: () => 0,
    monotonicMs: () => 0,
    soon: systemWorld.clock.soon,
    setTimer(fn: () => void, ms: number) {
      timers.push({ fn, ms });
      return () => {
        cancelled += 1;
      };
    },
  };
  pool = open({ clock });
  const busy = Array.from({ length: 1024 }, () => pool.verify(job)); // goes out at once
  const few = [pool.verify(job), pool.verify(job)]; // waits behind it
  expect(timers.map((t) => t.ms)).toEqual([2]);
  timers[0]!.fn();
  expect(await Promise.all([...busy, ...few])).toEqual(new Array(1026).fill(true));
  expect(pool.stats.batches).toBe(2);
  expect(cancelled).toBe(0);
});

test('without the timer a free worker takes them', async () => {
  const never = { ...systemWorld.clock, setTimer: () => () => {} };
  pool = open({ clock: never });
  const all = Array.from({ length: 258 }, () => pool.verify(job));
  expect(await Promise.all(all)).toEqual(new Array(258).fill(true));
});

test('a full queue refuses with 503 overloaded, answers the rest and recovers', async () => {
  pool = open({ maxWaiting: 20 });
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => pool.verify(job)));
  expect(results.filter((r) => r.status === 'fulfilled').length).toBe(20);
  for (const r of results.slice(20)) {
    expect((r as PromiseRejectedResult).reason).toMatchObject({
      code: 'overloaded',
      status: 503,
      headers: { 'Retry-After': '1' },
    });
  }
  expect(pool.stats).toMatchObject({ overloaded: 10, waiting: 0 });
  expect(await pool.verify(job)).toBe(true);
});

test('a failing worker fails its batch with 500 internal, and the pool still closes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'vws-worker-'));
  const workerFile = join(directory, 'worker.mjs');
  writeFileSync(workerFile, "export default () => { throw new Error('broken'); };");
  pool = open({ workerFile });
  const results = await Promise.allSettled([pool.verify(job), pool.verify(job)]);
  for (const r of results) expect((r as PromiseRejectedResult).reason).toMatchObject({ code: 'internal' });
  expect(pool.stats).toMatchObject({ waiting: 0, verified: 0 });
  await pool.close();
  rmSync(directory, { recursive: true });
});

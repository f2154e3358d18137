// Bytes of the log at admission: a node counts what an agent has in flight, so that it packs nothing that the order would
// refuse (protocol 6.18).

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { openParts, type Parts, seedOf, send, signed } from '../one-node/harness.ts';

const [free, rich] = [keyPairFromSeed(seedOf(20)), keyPairFromSeed(seedOf(21))];
const LISTING = { name: 'x', category: 'research' };

/** A network with one grant, which the first to register gets. */
async function withAgents(): Promise<Parts> {
  const p = await openParts({ params: { onboarding_daily_budget: '50000000000' } });
  await send(p, rich, '/v1/agents', {});
  await send(p, free, '/v1/agents', {});
  return p;
}

/** Submits that many requests of a KiB at once; how many were packed, and how many executed. */
async function flood(p: Parts, key: typeof free, count: number): Promise<{ packed: number; good: number }> {
  const waiting: Promise<unknown>[] = [];
  for (let i = 0; i < count; i++) {
    try {
      waiting.push(p.sequencer.submit(signed(p, key, '/v1/registry', LISTING)));
    } catch (error) {
      expect(error).toMatchObject({ code: 'insufficient_balance' });
    }
  }
  const results = await Promise.allSettled(waiting);
  return { packed: waiting.length, good: results.filter((r) => r.status === 'fulfilled').length };
}

it('of what an agent without anything sends at once, only what is left of its 32 KiB is packed', async () => {
  const p = await withAgents();
  expect(await flood(p, free, 80)).toEqual({ packed: 31, good: 31 });
  expect(await flood(p, free, 1)).toEqual({ packed: 0, good: 0 });
});

it('who holds something is not slowed down by what is in flight', async () => {
  const p = await withAgents();
  expect(await flood(p, rich, 80)).toEqual({ packed: 80, good: 80 });
});

it('a long request counts with all its KiB, also while it waits', async () => {
  const p = await withAgents();
  const long = { ...LISTING, description: 'x'.repeat(4_900) };
  const all = Array.from({ length: 8 }, () => signed(p, free, '/v1/registry', long));
  const sent = all.map((s) => {
    try {
      return p.sequencer.submit(s);
    } catch {
      return undefined;
    }
  });
  await Promise.allSettled(sent);
  // 31 KiB are left after the registration, and each of these has 5.
  expect(sent.filter((s) => s !== undefined)).toHaveLength(6);
});

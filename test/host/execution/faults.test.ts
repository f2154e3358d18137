// Every write of a run fails in turn (pitfalls D4, M3): what was acknowledged is there after a restart, nothing else
// is, and the root is that of a whole prefix of the undisturbed run.

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { eventOf } from '../../../host/store/events.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rangeOf } from '../../../host/store/prefixes.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import type { BatchOp } from '../../../host/world/store.ts';
import { openParts, type Parts, restoreAt, SEAT_KEY, seedOf, send } from '../one-node/harness.ts';

const TOKEN = 1_000_000;
const [alice, bob] = [keyPairFromSeed(seedOf(20)), keyPairFromSeed(seedOf(21))];

/** Fails the write of this number, counted from 1. */
class FailingStore extends MemoryStore {
  writes = 0;

  constructor(readonly failAt: number) {
    super();
  }

  override async write(ops: readonly BatchOp[]): Promise<void> {
    this.writes++;
    if (this.writes === this.failAt) throw new Error('No space left on device');
    await super.write(ops);
  }
}

const rootOf = (p: Parts): string => toHex(p.ids.state.core.stateHash());

type Write = [key: typeof alice, path: string, body: (p: Parts) => Record<string, unknown>];

const lastEvent = (p: Parts) => p.events.at(-1)!.event_id;
const WRITES: Write[] = [
  [alice, '/v1/agents', () => ({ initial_stake: 100 * TOKEN })],
  [bob, '/v1/agents', () => ({})],
  [alice, '/v1/faucet', () => ({})],
  [alice, '/v1/transfer', () => ({ to_agent: bob.publicKeyHex, amount: 5 * TOKEN })],
  [SEAT_KEY, '/v1/verify', (p) => ({ event_id: lastEvent(p), verdict: true })],
  [bob, '/v1/generation', () => ({ claimed_value: 7, evidence_hash: 'e' })],
  [SEAT_KEY, '/v1/verify', (p) => ({ event_id: lastEvent(p), verdict: false })],
  [bob, '/v1/stake', () => ({ amount: 3 })],
  [alice, '/v1/unstake', () => ({ amount: 100 * TOKEN })],
];

/** Runs until the first refusal. Returns the root at the start and after each acknowledged write. */
async function run(p: Parts): Promise<string[]> {
  const roots = [rootOf(p)];
  for (const [key, path, body] of WRITES) {
    if (typeof (await send(p, key, path, body(p))) === 'string') break;
    roots.push(rootOf(p));
  }
  return roots;
}

async function rowCount(store: MemoryStore, prefix: 'e' | 'q'): Promise<number> {
  let count = 0;
  for await (const _ of store.scan(rangeOf(prefix))) count++;
  return count;
}

it('each write of a run fails in turn', async () => {
  const undisturbed = new FailingStore(0);
  const whole = await openParts({ store: undisturbed, snapshotOrders: 3 });
  const opened = undisturbed.writes;
  expect((await run(whole)).length).toBe(WRITES.length + 1);
  expect(undisturbed.writes).toBe(opened + WRITES.length);

  for (let failAt = opened + 1; failAt <= undisturbed.writes; failAt++) {
    const store = new FailingStore(failAt);
    const p = await openParts({ store, snapshotOrders: 3 });
    const roots = await run(p);
    const at = `write ${failAt}`;
    expect([p.failure.length, roots.length], at).toEqual([1, failAt - opened]);
    for (const useSnapshot of [true, false]) {
      expect((await restoreAt(store, useSnapshot)).root, at).toBe(roots.at(-1));
    }
    for (const { event_id, seq } of p.events) {
      expect(eventOf(store, fromHex(event_id)!), at).toMatchObject({ event_id, seq });
    }
    for (const prefix of ['e', 'q'] as const) expect(await rowCount(store, prefix), at).toBe(p.events.length);
    // With room again the run continues where it stopped.
    const next = await openParts({ store, snapshotOrders: 3 });
    expect(typeof (await send(next, keyPairFromSeed(seedOf(22)), '/v1/agents')), at).toBe('object');
  }
});

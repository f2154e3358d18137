import { describe, expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import * as recovery from '../../../host/execution/recovery.ts';
import { eventOf } from '../../../host/store/events.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rangeOf, rowKey } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import {
  FakeClock,
  openParts,
  type Parts,
  restoreAt,
  SEAT_KEY,
  START_MS,
  seedOf,
  send,
  settle,
  signed,
} from '../one-node/harness.ts';

const TOKEN = 1_000_000;
const [alice, bob] = [keyPairFromSeed(seedOf(10)), keyPairFromSeed(seedOf(11))];

async function withAgents(o: Parameters<typeof openParts>[0] = {}): Promise<Parts> {
  const p = await openParts(o);
  await send(p, alice, '/v1/agents', { initial_stake: 100 * TOKEN });
  await send(p, bob, '/v1/agents', {});
  return p;
}
const rootOf = (p: Parts): string => toHex(p.ids.state.core.stateHash());

describe('order and answers', () => {
  it('starts the chain with the genesis event as seq 1, once there is a time', async () => {
    const p = await openParts();
    // The first block of all is of round 1 and repeats the time before it, which is none (consensus 5.8).
    expect(p.events.map((e) => [e.event_type, e.seq, e.order])).toEqual([['genesis', 1, 2]]);
    expect(p.events[0]!.timestamp).toBe(START_MS / 1000);
    expect(p.ids.state.header().supply).toBe(1e15);
  });

  it('answers after execution, with the state right after the transaction', async () => {
    const p = await withAgents();
    const words = (await send(p, alice, '/v1/transfer', {
      to_agent: bob.publicKeyHex,
      amount: 3 * TOKEN,
    })) as number[];
    expect(words[3]).toBe((50_000 - 100 - 3) * TOKEN);
    expect(p.events.at(-1)).toMatchObject({
      event_type: 'transfer',
      amount: 3 * TOKEN,
      settlement_state: 'optimistic',
    });
  });

  it('a request that was ordered before its first second may still run: 503, and its TxID is free', async () => {
    const p = await withAgents();
    p.clock.skewMs = 100_000;
    const early = signed(p, alice, '/v1/stake', { amount: 1 });
    const sent = p.sequencer.submit(early);
    p.clock.skewMs = 0;
    await expect(sent).rejects.toMatchObject({ code: 'no_quorum' });
    p.clock.ms += 60_000;
    await send(p, alice, '/v1/stake', { amount: 2 });
    expect((await p.sequencer.submit(early)).outcome.code).toBe(0);
  });

  it('packs what arrives together into one vertex, each answered by its own outcome', async () => {
    const p = await withAgents();
    const before = p.executor.head.order;
    const all = await Promise.all([1, 2, 3, 4].map((n) => send(p, alice, '/v1/stake', { amount: n })));
    expect(p.executor.head.order).toBe(before + 1);
    expect(new Set(p.events.slice(-4).map((e) => e.order))).toEqual(new Set([before + 1]));
    expect(all.map((w) => w[1])).toEqual([1, 2, 3, 4]);
  });

  it('refuses at admission without ordering anything, and does not spend the TxID', async () => {
    const p = await withAgents();
    const before = p.executor.head.order;
    const s = signed(p, bob, '/v1/transfer', { to_agent: alice.publicKeyHex, amount: 5 });
    expect(() => p.sequencer.submit(s)).toThrow('trust limit');
    expect(p.executor.head.order).toBe(before);
    await send(p, bob, '/v1/stake', { amount: 10 });
    await expect(p.sequencer.submit(s)).resolves.toMatchObject({ outcome: { code: 0 } });
  });
});

describe('duplicates', () => {
  it('a waiting TxID is a duplicate; a repeated executed one gets its outcome', async () => {
    const p = await withAgents();
    const s = signed(p, alice, '/v1/stake', { amount: 7 });
    const first = p.sequencer.submit(s);
    expect(() => p.sequencer.submit(s)).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_TX', details: { executed: false } }),
    );
    const { outcome } = await first;
    expect(() => p.sequencer.submit(s)).toThrow(
      expect.objectContaining({
        code: 'DUPLICATE_TX',
        details: { executed: true, status: 200, order: outcome.order },
      }),
    );
  });

  it('a TxID refused at execution is spent, and its status is remembered', async () => {
    const p = await withAgents();
    // Both pass admission together; the second finds the balance gone.
    const [a, b] = [1, 2].map(() => signed(p, bob, '/v1/stake', { amount: 40_000 * TOKEN }));
    const results = await Promise.allSettled([p.sequencer.submit(a!), p.sequencer.submit(b!)]);
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected']);
    expect(() => p.sequencer.submit(b!)).toThrow(
      expect.objectContaining({ details: { executed: true, status: 402, order: p.executor.head.order } }),
    );
  });
});

describe('bounds', () => {
  it('gives one agent a tenth of the queue and refuses the rest at once', async () => {
    const p = await withAgents({ maxQueued: 20 });
    const taken = [
      signed(p, alice, '/v1/stake', { amount: 1 }),
      signed(p, alice, '/v1/stake', { amount: 1 }),
    ];
    const waiting = taken.map((s) => p.sequencer.submit(s));
    expect(() => p.sequencer.submit(signed(p, alice, '/v1/stake', { amount: 1 }))).toThrow(
      expect.objectContaining({ code: 'overloaded' }),
    );
    const other = p.sequencer.submit(signed(p, bob, '/v1/stake', { amount: 1 }));
    await Promise.all([...waiting, other]);
    await expect(send(p, alice, '/v1/stake', { amount: 1 })).resolves.toBeInstanceOf(Array);
  });

  it('takes nothing after close, and finishes what it took', async () => {
    const p = await withAgents();
    const last = p.sequencer.submit(signed(p, alice, '/v1/stake', { amount: 1 }));
    const closing = p.sequencer.close();
    expect(() => p.sequencer.submit(signed(p, alice, '/v1/stake', { amount: 1 }))).toThrow(
      expect.objectContaining({ code: 'not_ready' }),
    );
    await closing;
    await expect(last).resolves.toMatchObject({ outcome: { code: 0 } });
  });
});

describe('time', () => {
  it('an idle node orders empty vertices, and a deadline fires when it is due', async () => {
    const p = await withAgents();
    await send(p, alice, '/v1/transfer', { to_agent: bob.publicKeyHex, amount: TOKEN });
    const id = p.events.at(-1)!.event_id;
    const order = p.executor.head.order;
    await p.clock.advance(9000);
    expect(p.executor.head.order).toBeGreaterThanOrEqual(order + 2);
    await p.clock.advance(300_000);
    const doc = eventOf(p.store, Buffer.from(id, 'hex'))!;
    expect(doc).toMatchObject({ settlement_state: 'adjusted', settlement_reason: 'expired' });
    expect(doc.deadline! - doc.timestamp).toBe(300);
    const settled = p.events.find((e) => e.event_type === 'settlement')!;
    expect(settled.timestamp - doc.deadline!).toBeLessThan(5);
    expect(p.pending.size).toBe(0);
  });

  it('never goes back when the clock does', async () => {
    const p = await withAgents();
    const before = p.executor.head.timeMs;
    p.clock.ms -= 3_600_000;
    await send(p, alice, '/v1/stake', { amount: 1 });
    expect(p.executor.head.timeMs).toBeGreaterThanOrEqual(before);
  });
});

describe('store faults and recovery', () => {
  it('a failed write stops the node: nothing is acknowledged, and a restart resumes from the disk', async () => {
    const store = new MemoryStore();
    const p = await withAgents({ store });
    const head = p.executor.head;
    store.failNext = new Error('disk full');
    await expect(send(p, alice, '/v1/stake', { amount: 1 })).resolves.toBe('no_quorum');
    expect(p.failure).toHaveLength(1);
    await expect(send(p, alice, '/v1/stake', { amount: 1 })).resolves.toBe('not_ready');
    await settle();
    const again = await openParts({ store, clock: p.clock });
    expect(again.executor.head.order).toBe(head.order + 1); // the vertex of its start
    expect(again.ids.state.agent(again.ids.find(alice.publicKey)!.index)!.staked).toBe(100 * TOKEN);
  });

  it('replay from genesis and from a snapshot end in the same root, head and pending list', async () => {
    for (const snapshotOrders of [1_000_000, 3]) {
      const store = new MemoryStore();
      const p = await withAgents({ store, snapshotOrders });
      for (let i = 1; i <= 20; i++) {
        await send(p, i % 2 ? alice : SEAT_KEY, '/v1/transfer', { to_agent: bob.publicKeyHex, amount: i });
        p.clock.ms += 700;
      }
      const root = rootOf(p);
      const { head } = p.executor;
      await p.sequencer.close();
      const frozen = new FakeClock();
      frozen.ms = p.clock.ms;
      const again = await openParts({ store, clock: frozen, snapshotOrders });
      // Its start ordered one empty vertex; before that it had the same root.
      expect(again.executor.head.block).toBe(head.block + 1);
      expect(again.pending.size).toBe(p.pending.size);
      await again.sequencer.close();
      // The roots of a replay from genesis and of a recovery through the snapshot, at the same head.
      const recovered = await restoreAt(store, true);
      const replayed = await restoreAt(store, false);
      expect(recovered).toEqual(replayed);
      expect(recovered.order).toBe(again.executor.head.order);
      expect(root).not.toBe(recovered.root); // more vertices have been ordered since
    }
  });

  it('a snapshot of another layout is left aside and the log replayed', async () => {
    const store = new MemoryStore();
    const p = await withAgents({ store, snapshotOrders: 2 });
    await send(p, alice, '/v1/stake', { amount: 5 });
    await p.sequencer.close();
    const mark = recovery.readSnapshotMark(store)!;
    expect(mark.layout).toBe(p.ids.state.core.layout);
    await store.write([
      { key: rowKey.meta('snapshot'), value: Buffer.from(JSON.stringify({ ...mark, layout: '0:0' })) },
    ]);
    expect(await recovery.usableSnapshot(store, p.ids.state.core)).toBeUndefined();
    expect(recovery.readSnapshotMark(store)).toBeUndefined();
    const again = await openParts({ store, clock: p.clock, snapshotOrders: 2 });
    expect(again.ids.state.agent(again.ids.find(alice.publicKey)!.index)!.staked).toBe(100 * TOKEN + 5);
    await again.sequencer.close();
    expect(await restoreAt(store, true)).toEqual(await restoreAt(store, false));
  });

  it('finds an altered vertex and an altered block, and names it', async () => {
    for (const prefix of ['v', 'b'] as const) {
      const store = new MemoryStore();
      const p = await withAgents({ store });
      await p.sequencer.close();
      const rows = [];
      for await (const row of store.scan(rangeOf(prefix))) rows.push(row);
      const [key, value] = rows[1]!;
      const bad = Uint8Array.from(value);
      bad[40]! ^= 1;
      await store.write([{ key, value: bad }]);
      await expect(openParts({ store, clock: p.clock })).rejects.toThrow(/log is damaged at block \d+/);
    }
  });

  it('refuses the data of another genesis and leaves it alone', async () => {
    const store = new MemoryStore();
    const p = await withAgents({ store });
    await p.sequencer.close();
    await expect(openParts({ store, params: { day_secs: '7' } })).rejects.toThrow(/genesis/);
    await expect(openParts({ store, clock: p.clock })).resolves.toBeDefined();
  });

  it('refuses the data of another format and leaves it alone', async () => {
    const store = new MemoryStore();
    const p = await withAgents({ store });
    await p.sequencer.close();
    const key = rowKey.meta('meta');
    const meta = readJson<recovery.Meta>(store.get(key))!;
    expect(meta.schema).toBe(recovery.SCHEMA);
    const older = Buffer.from(JSON.stringify({ ...meta, schema: recovery.SCHEMA - 1 }));
    await store.write([{ key, value: older }]);
    await expect(openParts({ store, clock: p.clock })).rejects.toThrow(
      `the data directory has format ${recovery.SCHEMA - 1}, which this program (format ${recovery.SCHEMA}) cannot read`,
    );
    expect(store.get(key)).toEqual(older);
  });
});

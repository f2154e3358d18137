// A write that is not ordered in time (protocol 1.8): 503 no_quorum, and what a repetition gets. The order stands
// still here because the disk does not answer.

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import type { BatchOp } from '../../../host/world/store.ts';
import { openParts, type Parts, seedOf, send, settle, signed } from '../one-node/harness.ts';

/** A store whose writes wait while `hold` is set. */
class SlowStore extends MemoryStore {
  #release: (() => void) | undefined;
  #held: Promise<void> | undefined;

  hold(): void {
    this.#held = new Promise((done) => {
      this.#release = done;
    });
  }

  release(): void {
    this.#held = undefined;
    this.#release?.();
  }

  override async write(ops: readonly BatchOp[]): Promise<void> {
    await this.#held;
    await super.write(ops);
  }
}

const alice = keyPairFromSeed(seedOf(2));

async function heldParts(): Promise<Parts & { store: SlowStore }> {
  const store = new SlowStore();
  const parts = await openParts({ store });
  await send(parts, alice, '/v1/agents');
  store.hold();
  return { ...parts, store };
}

it('answers 503 after ten seconds, and the transaction may still execute, once', async () => {
  const p = await heldParts();
  const stake = signed(p, alice, '/v1/stake', { amount: 5 });
  const first = expect(p.sequencer.submit(stake)).rejects.toMatchObject({
    code: 'no_quorum',
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  await settle();
  await p.clock.advance(9_999);
  expect(() => p.sequencer.submit(stake)).toThrow(expect.objectContaining({ code: 'DUPLICATE_TX' }));
  await p.clock.advance(1);
  await first;

  // The repetition waits for the old transaction and gets its result.
  const second = p.sequencer.submit(stake);
  p.store.release();
  await expect(second).resolves.toMatchObject({ outcome: { code: 0 } });
  expect(() => p.sequencer.submit(stake)).toThrow(
    expect.objectContaining({ code: 'DUPLICATE_TX', details: expect.objectContaining({ executed: true }) }),
  );
  expect(p.events.filter((e) => e.event_type === 'stake').length).toBe(1);
});

it('a failing node says of a write that it was carrying out that it may still execute, of one that it was not that it will not', async () => {
  const p = await heldParts();
  const carried = p.sequencer.submit(signed(p, alice, '/v1/stake', { amount: 5 }));
  const open = expect(carried).rejects.toMatchObject({
    code: 'no_quorum',
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  await settle();
  const queued = p.sequencer.submit(signed(p, alice, '/v1/stake', { amount: 6 }));
  const refused = expect(queued).rejects.toMatchObject({
    code: 'not_ready',
    headers: { 'Retry-After': '5' },
  });
  // The batch may be on the disk all the same: a sync that fails says nothing of what was written before it.
  p.store.failNext = new Error('Input/output error');
  p.store.release();
  await Promise.all([open, refused]);
  expect(p.failure.length).toBe(1);
});

it('what a failing node was writing is shown to nobody, since it may be lost', async () => {
  const p = await heldParts();
  const write = p.sequencer.submit(signed(p, alice, '/v1/stake', { amount: 5 })).catch(() => {});
  await settle();
  let isShown = false;
  void p.sequencer.busy!.then(() => {
    isShown = true;
  });
  p.store.failNext = new Error('Input/output error');
  p.store.release();
  await write;
  await settle();
  expect([p.failure.length, isShown]).toEqual([1, false]);
  expect(p.sequencer.busy).toBeDefined();
});

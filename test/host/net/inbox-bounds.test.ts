// Room for vertices on their way, which nobody takes from others, and what becomes of them when an epoch ends (CONSENSUS 5.11;
// PITFALLS D3).

import { describe, expect, it } from 'vitest';
import { createInlineVerifier } from '../../../host/crypto/inline.ts';
import type { SignatureJob } from '../../../host/crypto/verifier.ts';
import { encodeVertex, makeVertex } from '../../../host/wire/vertex.ts';
import { FIRST, type Made, madeOf, SECOND, signatureAt, spoiled, Weaver } from './dag-fixture.ts';
import { checked, makeInbox, offerAll, trusting } from './inbox-fixture.ts';

describe('room', () => {
  /** Vertices of one seat over parents that nobody has. */
  function* orphans(count: number, seat = 3): Generator<Made> {
    for (let i = 0; i < count; i++) {
      const parent = new Uint8Array(32);
      new DataView(parent.buffer).setUint32(0, i + 1);
      const fields = {
        work: true,
        creator: seat,
        seq: 1,
        lamport: 2,
        timeMs: 1,
        epochId: FIRST.id,
        parents: [parent],
      };
      yield madeOf(makeVertex(fields, [], () => new Uint8Array(64), FIRST.maxParents));
    }
  }

  it('vertices without parents of one sender take a bounded room, and stop nobody', async () => {
    const net = makeInbox();
    for (const { bytes } of orphans(5000)) {
      net.inbox.offer(bytes, 'flood');
      if (net.inbox.underWay >= 500) await checked();
    }
    await checked();
    expect([net.inbox.size, net.inbox.underWay, net.inbox.hasRoom]).toEqual([2000, 0, true]);
    // An honest peer's vertices come children first all the same.
    const woven = new Weaver().many(40);
    offerAll(net.inbox, [...woven].reverse(), 'honest');
    await checked();
    expect(net.admit()).toHaveLength(40);
    expect(net.faults).toEqual([]);
  });

  it('what is under check is bounded in number', () => {
    const net = makeInbox({ verifier: { ...trusting, verify: () => new Promise<boolean>(() => {}) } });
    let taken = 0;
    for (const { bytes } of orphans(20_100)) if (net.inbox.offer(bytes, 'flood')) taken += 1;
    expect([taken, net.inbox.hasRoom]).toEqual([20_000, false]);
  });

  it('and in bytes', () => {
    const net = makeInbox({ verifier: { ...trusting, verify: () => new Promise<boolean>(() => {}) } });
    const payload = new Uint8Array(3 * 1024 * 1024 - 4);
    let bytes = 0;
    for (let i = 0; i < 40; i++) {
      const fields = {
        work: true,
        creator: 0,
        seq: 1,
        lamport: 1,
        timeMs: i,
        epochId: FIRST.id,
        parents: [],
      };
      const made = madeOf(makeVertex(fields, [payload], () => new Uint8Array(64)));
      if (net.inbox.offer(made.bytes, 'flood')) bytes += made.bytes.length;
    }
    expect(bytes).toBeLessThan(67 * 1024 * 1024 + 4096);
    expect(net.inbox.hasRoom).toBe(false);
  });

  it('a verifier that is full costs nobody anything: the vertex is taken when it comes again', async () => {
    let isFull = true;
    const verify = async (job: SignatureJob): Promise<boolean> => {
      if (isFull) throw new Error('overloaded');
      return trusting.verify(job);
    };
    const net = makeInbox({ verifier: { ...trusting, verify } });
    const woven = new Weaver().many(4);
    offerAll(net.inbox, woven);
    await checked();
    expect([net.inbox.size, net.faults, net.missing]).toEqual([0, [], []]);
    isFull = false;
    offerAll(net.inbox, woven);
    await checked();
    expect(net.admit()).toHaveLength(4);
  });
});

describe('epochs', () => {
  it('vertices of the next one are kept, unchecked, until it runs', async () => {
    let epoch = FIRST;
    const net = makeInbox({ epoch: () => epoch, verifier: createInlineVerifier() });
    const next = new Weaver(SECOND).many(6);
    offerAll(net.inbox, next);
    // One that is spoiled condemns no other.
    net.inbox.offer(spoiled(next[5]!.bytes, signatureAt(next[5]!)), 'liar');
    await checked();
    expect([net.inbox.size, net.inbox.hasReady, net.faults]).toEqual([0, false, []]);
    epoch = SECOND;
    net.inbox.epochChanged();
    await checked();
    expect(net.admit()).toHaveLength(6);
  });

  it('what was for the last one is let go, with all that waited', async () => {
    let epoch = FIRST;
    const net = makeInbox({ epoch: () => epoch });
    const old = new Weaver().many(8);
    offerAll(net.inbox, old.slice(2));
    await checked();
    expect(net.inbox.size).toBe(6);
    epoch = SECOND;
    net.inbox.epochChanged();
    expect([net.inbox.size, net.inbox.underWay, net.inbox.missing(), net.inbox.hasReady]).toEqual([
      0,
      0,
      [],
      false,
    ]);
    // Late ones of it are no fault, and are never taken.
    offerAll(net.inbox, old);
    await checked();
    expect([net.inbox.size, net.faults]).toEqual([0, []]);
  });

  it('what came between the seal and its commit is not lost', async () => {
    let epoch = FIRST;
    const net = makeInbox({ epoch: () => epoch });
    epoch = SECOND;
    const next = new Weaver(SECOND).many(3);
    offerAll(net.inbox, next);
    net.inbox.epochChanged();
    await checked();
    expect(net.admit()).toEqual(next.map(({ id }) => id));
  });

  it('a check that ends after the epoch has no effect', async () => {
    let epoch = FIRST;
    const open: ((isGood: boolean) => void)[] = [];
    const verify = (): Promise<boolean> => new Promise((done) => open.push(done));
    const net = makeInbox({ epoch: () => epoch, verifier: { ...trusting, verify } });
    offerAll(net.inbox, new Weaver().many(2));
    epoch = SECOND;
    net.inbox.epochChanged();
    open[0]!(true);
    open[1]!(false);
    await checked();
    expect([net.inbox.hasReady, net.inbox.size, net.faults]).toEqual([false, 0, []]);
  });

  it('what one sender has for other epochs takes room from no other', async () => {
    let epoch = FIRST;
    const net = makeInbox({ epoch: () => epoch });
    const payload = new Uint8Array(100_000);
    for (let i = 0; i < 100; i++) {
      const epochId = new Uint8Array(32).fill(i + 100);
      const fields = { work: true, creator: 0, seq: 1, lamport: 1, timeMs: i, epochId, parents: [] };
      net.inbox.offer(encodeVertex(makeVertex(fields, [payload], () => new Uint8Array(64))), 'flood');
    }
    const next = new Weaver(SECOND).many(10);
    offerAll(net.inbox, next, 'honest');
    epoch = SECOND;
    net.inbox.epochChanged();
    await checked();
    expect(net.admit()).toHaveLength(10);
  });
});

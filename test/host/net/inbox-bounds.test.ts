// Room for vertices on their way, which nobody takes from others, and what becomes of them when an epoch ends (consensus 5.11;
// pitfall D3).

import { describe, expect, it } from 'vitest';
import { createInlineVerifier } from '../../../host/crypto/inline.ts';
import type { SignatureJob } from '../../../host/crypto/verifier.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeVertex, makeVertex } from '../../../host/wire/vertex.ts';
import { START_MS } from '../one-node/harness.ts';
import {
  FIRST,
  KEYS,
  type Made,
  madeOf,
  SECOND,
  signatureAt,
  spoiled,
  Weaver,
  weave,
} from './dag-fixture.ts';
import { checked, makeInbox, offerAll, trusting } from './inbox-fixture.ts';

describe('room', () => {
  /** Vertices of one seat, each with a number of its own, over parents that nobody has. */
  function* orphans(count: number, seat = 3): Generator<Made> {
    for (let i = 0; i < count; i++) {
      const parent = new Uint8Array(32);
      new DataView(parent.buffer).setUint32(0, i + 1);
      const fields = {
        work: true,
        creator: seat,
        seq: i + 2,
        lamport: 2,
        timeMs: 1,
        epochId: FIRST.id,
        parents: [parent],
      };
      yield madeOf(makeVertex(fields, [], () => new Uint8Array(64), FIRST.maxParents));
    }
  }

  it('one more costs little when many wait for the same parents', async () => {
    const net = makeInbox();
    const parents = Array.from({ length: FIRST.maxParents }, (_, i) => new Uint8Array(32).fill(i + 1));
    const epochId = FIRST.id;
    /** The lower ones come last, and push others out. */
    const bytesOf = (i: number): Uint8Array => {
      const fields = { work: true, creator: 3, seq: i + 2, lamport: 9000 - i, timeMs: 1, epochId, parents };
      return madeOf(makeVertex(fields, [], () => new Uint8Array(64), FIRST.maxParents)).bytes;
    };
    /** Processor time of each, in microseconds. */
    const offered = async (from: number, to: number): Promise<number> => {
      const some = Array.from({ length: to - from }, (_, i) => bytesOf(from + i));
      const start = process.cpuUsage();
      for (const [i, bytes] of some.entries()) {
        net.inbox.offer(bytes, `flood ${i % 4}`);
        if (net.inbox.underWay >= 500) await checked();
      }
      await checked();
      return process.cpuUsage(start).user / some.length;
    };
    const coming = await offered(0, 8000);
    const pushing = await offered(8000, 8400);
    expect(net.inbox.size).toBe(8000);
    expect(pushing / coming).toBeLessThan(6);
  });

  /** Large ones of one seat over parents that nobody has. */
  function* largeOrphans(count: number, from: number): Generator<Made> {
    for (let i = 0; i < count; i++) {
      const parent = new Uint8Array(32).fill(200 + from);
      const fields = {
        work: true,
        creator: 2,
        seq: 2 + 10 * from + i,
        lamport: 2,
        timeMs: 1,
        epochId: FIRST.id,
        parents: [parent],
      };
      const payload = new Uint8Array(2_600_000).fill(i);
      yield madeOf(makeVertex(fields, [payload], () => new Uint8Array(64), FIRST.maxParents));
    }
  }

  it('vertices of one sender without known parents take bounded room, and block nobody', async () => {
    const net = makeInbox();
    for (const { bytes } of orphans(5000)) {
      net.inbox.offer(bytes, 'flood');
      if (net.inbox.underWay >= 500) await checked();
    }
    await checked();
    expect([net.inbox.size, net.inbox.underWay, net.inbox.hasRoom]).toEqual([2000, 0, true]);
    // An honest peer's vertices are accepted nevertheless, children first.
    const woven = new Weaver().many(40);
    offerAll(net.inbox, [...woven].reverse(), 'honest');
    await checked();
    expect(net.admit()).toHaveLength(40);
    expect(net.faults).toEqual([]);
  });

  /** So many vertices of the last seat with number 1. */
  const forks = (count: number): Made[] =>
    Array.from({ length: count }, (_, i) => weave(FIRST, KEYS[3]!, 3, undefined, [], [], START_MS + i));
  const idsOf = (...made: readonly Made[]): string[] => made.map(({ id }) => id);

  it('forks of one seat are accepted up to a limit, whether they arrive at once or one by one', async () => {
    const net = makeInbox();
    const [first, ...others] = forks(400) as [Made, ...Made[]];
    offerAll(net.inbox, [first, ...others.slice(0, 300)]);
    await checked();
    expect(net.admit()).toEqual(idsOf(first, ...others.slice(0, 256)));
    for (const made of others.slice(300)) {
      offerAll(net.inbox, [made]);
      await checked();
      expect(net.admit()).toEqual([]);
    }
    // Nothing of it is the fault of who passes it on, nor does it cost other seats or the seat's next numbers anything.
    const next = weave(FIRST, KEYS[3]!, 3, first, []);
    offerAll(net.inbox, [next, ...new Weaver().many(3)]);
    await checked();
    expect(net.admit()).toHaveLength(4);
    expect([net.faults, net.inbox.size]).toEqual([[], 0]);
  });

  it('beyond it a fork is accepted with its ancestors when another seat builds on it', async () => {
    const net = makeInbox();
    const [low, ...others] = forks(258) as [Made, ...Made[]];
    offerAll(net.inbox, [...others, weave(FIRST, KEYS[3]!, 3, others[0], [])]);
    await checked();
    expect(net.admit()).toHaveLength(258);
    const middle = weave(FIRST, KEYS[3]!, 3, low, []);
    const high = weave(FIRST, KEYS[0]!, 0, undefined, [middle]);
    offerAll(net.inbox, [low, middle]);
    await checked();
    expect([net.inbox.size, net.missing]).toEqual([0, []]);
    for (const made of [high, middle, low]) {
      offerAll(net.inbox, [made]);
      await checked();
    }
    expect(net.missing.map(([ids]) => ids)).toEqual([idsOf(middle), idsOf(low)]);
    expect(net.admit()).toEqual(idsOf(low, middle, high));
  });

  it('a seat that forks itself cannot vouch for the forks of another; a third one above both can', async () => {
    const net = makeInbox();
    const [low, ...others] = forks(258) as [Made, ...Made[]];
    offerAll(net.inbox, others);
    const [own, twin] = [0, 1].map((n) => weave(FIRST, KEYS[2]!, 2, undefined, [], [], START_MS + n));
    offerAll(net.inbox, [own!, twin!]);
    await checked();
    expect(net.admit()).toHaveLength(259);
    const accomplice = weave(FIRST, KEYS[2]!, 2, own, [low]);
    for (const made of [accomplice, low]) {
      offerAll(net.inbox, [made]);
      await checked();
    }
    expect(net.admit()).toEqual([]);
    const honest = weave(FIRST, KEYS[0]!, 0, undefined, [accomplice]);
    for (const made of [honest, low]) {
      offerAll(net.inbox, [made]);
      await checked();
    }
    expect(net.admit()).toEqual(idsOf(low, accomplice, honest));
  });

  it('and few when they are large', async () => {
    const net = makeInbox();
    const payload = new Uint8Array(3 * 1024 * 1024 - 4);
    for (let i = 0; i < 10; i++) {
      offerAll(net.inbox, [weave(FIRST, KEYS[3]!, 3, undefined, [], [payload], START_MS + i)]);
      await checked();
    }
    // The first is not a fork; 16 MiB of the others.
    expect(net.admit()).toHaveLength(7);
  });

  /** A chain of the last seat, large enough that neither the waiting room nor the bound on forks has room for it. */
  const largeChain = (count: number): Made[] => {
    const made: Made[] = [];
    for (let i = 0; i < count; i++) {
      const payload = new Uint8Array(2_600_000).fill(i);
      made.push(weave(FIRST, KEYS[3]!, 3, made.at(-1), [], [payload], START_MS + 5));
    }
    return made;
  };
  /** Offers them one by one; the admitted ones. */
  const sendEach = async (net: ReturnType<typeof makeInbox>, made: readonly Made[]): Promise<string[]> => {
    const admitted: string[] = [];
    for (const one of made) {
      offerAll(net.inbox, [one]);
      await checked();
      admitted.push(...net.admit());
    }
    return admitted;
  };
  const smallChain = (count: number): Made[] => {
    const made: Made[] = [];
    for (let i = 0; i < count; i++) made.push(weave(FIRST, KEYS[3]!, 3, made.at(-1), []));
    return made;
  };

  it('a second branch beyond the bound is accepted parents first once another seat is seen to build on it', async () => {
    const net = makeInbox();
    await sendEach(net, smallChain(16));
    const large = largeChain(16);
    const above = weave(FIRST, KEYS[0]!, 0, undefined, [large.at(-1)!]);
    // The first pass tells what is below what; with the vertex above it all of it is needed.
    expect(await sendEach(net, [...large, above])).toEqual(idsOf(...large.slice(0, 7)));
    expect(await sendEach(net, large)).toEqual(idsOf(...large.slice(7), above));
    // And no more than that.
    const other = weave(FIRST, KEYS[3]!, 3, large[3], []);
    expect(await sendEach(net, [other])).toEqual([]);
  });

  it('or children first, though they have no room to wait for their parents', async () => {
    const net = makeInbox();
    await sendEach(net, smallChain(16));
    const large = largeChain(16);
    const above = weave(FIRST, KEYS[0]!, 0, undefined, [large.at(-1)!]);
    const first = await sendEach(net, [above, ...[...large].reverse()]);
    // The lowest found room in place of the highest.
    expect(first.slice(0, 3)).toEqual(idsOf(...large.slice(0, 3)));
    const second = await sendEach(net, [...large, above]);
    expect([...first, ...second].sort()).toEqual(idsOf(...large, above).sort());
  });

  it('what only a seat builds on that forked itself is not needed', async () => {
    const net = makeInbox();
    const second = weave(FIRST, KEYS[2]!, 2, undefined, [], [], START_MS + 1);
    await sendEach(net, [weave(FIRST, KEYS[2]!, 2, undefined, []), second, ...forks(257)]);
    const [low] = forks(258).slice(-1) as [Made];
    const high = weave(FIRST, KEYS[2]!, 2, second, [low]);
    expect(await sendEach(net, [high, low])).toEqual([]);
    const honest = weave(FIRST, KEYS[0]!, 0, undefined, [high]);
    expect(await sendEach(net, [honest, low])).toEqual(idsOf(low, high, honest));
  });

  /** Two vertices of a seat, the second in a higher incarnation. */
  const resumed = (seat: number): [Made, Made] => {
    const one = weave(FIRST, KEYS[seat]!, seat, undefined, []);
    return [one, weave(FIRST, KEYS[seat]!, seat, one, [], [], START_MS, 1)];
  };
  const chainOver = (first: Made, count: number): Made[] => {
    const made = [first];
    for (let i = 0; i < count; i++) made.push(weave(FIRST, KEYS[3]!, 3, made.at(-1), [], [], START_MS + 1));
    return made.slice(1);
  };

  it('what a seat lost counts as a fork beside its newer incarnation, which does not', async () => {
    const net = makeInbox();
    const [one, back] = resumed(3);
    await sendEach(net, [one, back]);
    const lost = chainOver(one, 300);
    expect(await sendEach(net, lost)).toEqual(idsOf(...lost.slice(0, 256)));
    const goesOn = chainOver(back, 3);
    expect(await sendEach(net, goesOn)).toEqual(idsOf(...goesOn));
    // Another seat, which resumed as well and lost something, vouches for it: neither used a seq twice.
    const [first, second] = resumed(2);
    const late = weave(FIRST, KEYS[2]!, 2, first, [], [], START_MS + 1);
    await sendEach(net, [first, second, late]);
    const above = weave(FIRST, KEYS[2]!, 2, second, [lost.at(-1)!]);
    await sendEach(net, [above, ...lost]);
    await sendEach(net, lost);
    expect(net.admitted.has(above.id)).toBe(true);
  });

  it('a seat that used a seq twice beside its incarnations does not vouch', async () => {
    const net = makeInbox();
    const [one, back] = resumed(3);
    const [first, second] = resumed(2);
    const lost = chainOver(one, 257);
    const twice = [1, 2].map((n) => weave(FIRST, KEYS[2]!, 2, first, [], [], START_MS + n));
    await sendEach(net, [one, back, first, second, ...lost, ...twice]);
    const above = weave(FIRST, KEYS[2]!, 2, second, [lost.at(-1)!]);
    await sendEach(net, [above, ...lost]);
    await sendEach(net, lost);
    expect(net.admitted.has(above.id)).toBe(false);
  });

  it('a seat that resumes all the time has four incarnations, and the others count as forks', async () => {
    const net = makeInbox();
    const all = Array.from({ length: 300 }, (_, i) =>
      weave(FIRST, KEYS[3]!, 3, undefined, [], [], START_MS, i + 1),
    );
    expect(await sendEach(net, all.slice(0, 100))).toEqual(idsOf(...all.slice(0, 100)));
    offerAll(net.inbox, all.slice(100));
    await checked();
    expect(net.admit()).toEqual(idsOf(...all.slice(100, 260)));
    const goesOn = chainOver(all[259]!, 3);
    expect(await sendEach(net, goesOn)).toEqual(idsOf(...goesOn));
    const [left] = all.slice(-1) as [Made];
    const honest = weave(FIRST, KEYS[0]!, 0, undefined, [left]);
    expect(await sendEach(net, [honest, left])).toEqual(idsOf(left, honest));
  });

  it("a sender's vertices push out its own, or those of who takes most", async () => {
    const net = makeInbox();
    const chain = largeChain(4);
    for (let n = 0; n < 9; n++) offerAll(net.inbox, [...largeOrphans(3, n)], `flood${n}`);
    await checked();
    const before = net.inbox.size;
    offerAll(net.inbox, [chain[1]!], 'honest');
    await checked();
    expect(net.inbox.size).toBe(before);
    offerAll(net.inbox, [chain[0]!], 'honest');
    await checked();
    expect(net.admit()).toEqual(idsOf(...chain.slice(0, 2)));
  });

  it("copies with bad signatures do not count towards a seat's limit", async () => {
    const bad = new Set<string>();
    const verifier = {
      ...trusting,
      verify: async ({ signature }: SignatureJob) => !bad.has(toHex(signature)),
    };
    const net = makeInbox({ verifier });
    const made = forks(600);
    for (const { vertex } of made.slice(0, 400)) bad.add(toHex(vertex.signature));
    offerAll(net.inbox, made);
    await checked();
    expect(net.admit()).toEqual(idsOf(...made.slice(400)));
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

  it("a full verifier is nobody's fault: the vertex is accepted when it is sent again", async () => {
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
    net.inbox.onEpoch();
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
    net.inbox.onEpoch();
    expect([net.inbox.size, net.inbox.underWay, net.inbox.missing(), net.inbox.hasReady]).toEqual([
      0,
      0,
      [],
      false,
    ]);
    // Its late vertices are not a fault, and are never accepted.
    offerAll(net.inbox, old);
    await checked();
    expect([net.inbox.size, net.faults]).toEqual([0, []]);
  });

  it('vertices that arrive between the seal and its commit are not lost', async () => {
    let epoch = FIRST;
    const net = makeInbox({ epoch: () => epoch });
    epoch = SECOND;
    const next = new Weaver(SECOND).many(3);
    offerAll(net.inbox, next);
    net.inbox.onEpoch();
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
    net.inbox.onEpoch();
    open[0]!(true);
    open[1]!(false);
    await checked();
    expect([net.inbox.hasReady, net.inbox.size, net.faults]).toEqual([false, 0, []]);
  });

  it("one sender's vertices of other epochs take room from no other", async () => {
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
    net.inbox.onEpoch();
    await checked();
    expect(net.admit()).toHaveLength(10);
  });

  it('nor do those of many senders together', async () => {
    let epoch = FIRST;
    const net = makeInbox({ epoch: () => epoch });
    const payload = new Uint8Array(100_000);
    for (let i = 0; i < 200; i++) {
      const epochId = new Uint8Array(32).fill(i);
      const fields = { work: true, creator: 0, seq: 1, lamport: 1, timeMs: i, epochId, parents: [] };
      const bytes = encodeVertex(makeVertex(fields, [payload], () => new Uint8Array(64)));
      net.inbox.offer(bytes, `flood ${i % 20}`);
    }
    offerAll(net.inbox, new Weaver(SECOND).many(10), 'honest');
    epoch = SECOND;
    net.inbox.onEpoch();
    await checked();
    expect(net.admit()).toHaveLength(10);
  });
});

// The inbox: vertices become ready parents first, whatever their order of arrival, and a bad copy never spoils an id
// (consensus 5.17; pitfalls D2, D6).

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openImplementation } from '../../../host/crypto/implementation.ts';
import { createInlineVerifier } from '../../../host/crypto/inline.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeVertex, makeVertex } from '../../../host/wire/vertex.ts';
import { systemWorld } from '../../../host/world/system/world.ts';
import { FIRST, KEYS, type Made, signatureAt, spoiled, Weaver, weave } from './dag-fixture.ts';
import { checked, makeInbox, offerAll, trusting } from './inbox-fixture.ts';

describe('waiting for parents', () => {
  const WOVEN = new Weaver().many(60);

  it('any order of arrival, cut into any batches, is admitted completely, parents first', async () => {
    const orders = fc.shuffledSubarray(WOVEN, { minLength: WOVEN.length, maxLength: WOVEN.length });
    await fc.assert(
      fc.asyncProperty(orders, fc.array(fc.nat({ max: 20 }), { maxLength: 20 }), async (order, groups) => {
        const net = makeInbox();
        const got: string[] = [];
        let at = 0;
        for (const size of [...groups, WOVEN.length]) {
          offerAll(net.inbox, order.slice(at, at + size));
          at += size;
          await checked();
          got.push(...net.admit(7));
        }
        while (net.inbox.hasReady) got.push(...net.admit(7));
        expect([...got].sort()).toEqual(WOVEN.map(({ id }) => id).sort());
        expect([net.inbox.size, net.inbox.underWay, net.inbox.missing()]).toEqual([0, 0, []]);
        expect(net.faults).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('asks the sender for missing parents, and not for those being checked', async () => {
    const [a, b] = new Weaver().many(6).slice(-2) as [Made, Made];
    const net = makeInbox();
    offerAll(net.inbox, [b, a], 'left');
    await checked();
    const wanted = net.missing.flatMap(([ids]) => ids);
    expect(wanted).not.toContain(a.id);
    expect(new Set(net.missing.map(([, from]) => from))).toEqual(new Set(['left']));
    expect([net.inbox.size, net.inbox.underWay, net.inbox.hasReady]).toEqual([2, 0, false]);
    expect(net.inbox.missing().sort()).toEqual([...new Set(wanted)].sort());
  });

  it('parents that were admitted without the inbox make children ready', async () => {
    const woven = new Weaver().many(5);
    const net = makeInbox();
    offerAll(net.inbox, [woven[4]!]);
    await checked();
    for (const { vertex, id } of woven.slice(0, 4)) {
      net.admitted.add(id);
      net.inbox.onAdmittedElsewhere(vertex.id);
    }
    expect(net.admit()).toEqual([woven[4]!.id]);
    expect(net.inbox.size).toBe(0);
  });

  it('a known vertex is not accepted twice, in any state', async () => {
    const [first] = new Weaver().many(1) as [Made];
    const net = makeInbox();
    const offer = (): boolean => net.inbox.offer(first.bytes, 'peer');
    expect([offer(), offer()]).toEqual([true, false]);
    await checked();
    expect(offer()).toBe(false);
    const taken = net.inbox.takeReady(1);
    expect([taken.length, offer()]).toEqual([1, false]);
    net.admitted.add(first.id);
    net.inbox.markAdmitted([first.vertex.id]);
    expect([offer(), net.inbox.size]).toEqual([false, 0]);
  });

  it('a vertex offered with isWantedOnly is accepted only if others wait for it', async () => {
    const [parent, child] = new Weaver().many(2) as [Made, Made];
    const net = makeInbox();
    expect(net.inbox.offer(child.bytes, 'peer', true)).toBe(false);
    net.inbox.offer(child.bytes, 'peer');
    await checked();
    expect(net.inbox.offer(parent.bytes, 'peer', true)).toBe(true);
    await checked();
    expect(net.admit()).toEqual([parent.id, child.id]);
  });
});

describe('a spoiled copy', () => {
  const real = (): ReturnType<typeof makeInbox> => makeInbox({ verifier: createInlineVerifier() });

  it('with a bad signature is dropped and blamed; the good one passes after it', async () => {
    const woven = new Weaver().many(3);
    const target = woven[0]!;
    const net = real();
    net.inbox.offer(spoiled(target.bytes, signatureAt(target)), 'liar');
    offerAll(net.inbox, woven.slice(1), 'honest');
    await checked();
    expect(net.faults).toEqual([['liar', 'a vertex has a bad signature']]);
    // It is missing again, since others wait for it.
    expect(net.inbox.missing()).toEqual([target.id]);
    expect(net.inbox.offer(target.bytes, 'honest')).toBe(true);
    await checked();
    expect(net.admit()).toEqual(woven.map(({ id }) => id));
    expect(net.faults).toHaveLength(1);
  });

  it('with another payload, or without the rest of it, is refused before it costs a signature', () => {
    const made = new Weaver().make(0, [Buffer.from('an entry')]);
    const net = makeInbox({ verifier: { ...trusting, verify: () => Promise.reject(new Error('asked')) } });
    expect(net.inbox.offer(spoiled(made.bytes, -1), 'liar')).toBe(false);
    expect(net.inbox.offer(made.bytes.subarray(0, -1), 'liar')).toBe(false);
    expect(net.inbox.offer(Uint8Array.of(...made.bytes, 0), 'liar')).toBe(false);
    expect(net.faults.map(([, what]) => what)).toEqual(new Array(3).fill('a vertex breaks a rule'));
    expect(net.inbox.size).toBe(0);
    expect(net.inbox.offer(made.bytes, 'honest')).toBe(true);
  });

  it('another good signature of the same id is the same vertex', async () => {
    const made = new Weaver().make(0);
    // The library signs deterministically; the check is told which signatures are good.
    const net = makeInbox();
    net.inbox.offer(made.bytes, 'one');
    expect(net.inbox.offer(spoiled(made.bytes, signatureAt(made) + 40), 'two')).toBe(false);
    await checked();
    expect(net.admit()).toEqual([made.id]);
    expect(net.faults).toEqual([]);
  });

  it.each<[string, (made: Made) => Uint8Array]>([
    ['header', ({ bytes }) => spoiled(bytes, 0)],
    ['header', () => new Uint8Array(0)],
    ['header', ({ bytes }) => bytes.subarray(0, 95)],
    // More parents than seats, which the header alone allows.
    [
      'rule',
      ({ vertex }) => {
        const parents = Array.from({ length: 5 }, (_, i) => new Uint8Array(32).fill(i + 1));
        const fields = { ...vertex.header, seq: 1, lamport: 2, parents };
        return encodeVertex(makeVertex(fields, [], (m) => KEYS[0]!.sign(m)));
      },
    ],
    // A seat that the network does not have.
    [
      'rule',
      ({ vertex }) => encodeVertex(makeVertex({ ...vertex.header, creator: 4 }, [], (m) => KEYS[0]!.sign(m))),
    ],
  ])('what breaks a rule of a %s is a fault of the sender', (_, spoil) => {
    const net = makeInbox();
    expect(net.inbox.offer(spoil(new Weaver().make(0)), 'liar')).toBe(false);
    expect(net.faults).toHaveLength(1);
    expect(net.inbox.size).toBe(0);
  });

  it("only the creator's key of this epoch counts", async () => {
    const net = real();
    const forged = weave(FIRST, KEYS[1]!, 0, undefined, []);
    const stranger = weave(FIRST, keyPairFromSeed(new Uint8Array(32).fill(99)), 2, undefined, []);
    offerAll(net.inbox, [forged, stranger], 'liar');
    await checked();
    expect(net.faults).toHaveLength(2);
    expect(net.inbox.hasReady).toBe(false);
  });
});

it('100,000 changes of one byte: nothing of it passes, and the vertex itself does after them (pitfall D2)', async () => {
  const originals = [...new Weaver().many(4), new Weaver().make(0, [Buffer.alloc(300, 'an entry')])];
  const net = makeInbox({ verifier: createInlineVerifier(openImplementation('wasm', systemWorld)) });
  for (const { vertex } of originals)
    for (const parent of vertex.header.parents) net.admitted.add(toHex(parent));
  for (const { bytes, id } of originals) {
    net.admitted.delete(id);
    for (let i = 0; i < 20_000; i++) {
      // Another change each time: of every byte, then of every byte again.
      net.inbox.offer(spoiled(bytes, i % bytes.length, 1 + Math.floor(i / bytes.length)), 'liar');
      if (i % 1000 === 999) await checked();
    }
    await checked();
    expect([net.inbox.hasReady, net.inbox.size]).toEqual([false, 0]);
    expect(net.inbox.offer(bytes, 'honest')).toBe(true);
    await checked();
    expect(net.admit()).toEqual([id]);
  }
  expect(net.faults.length).toBeGreaterThan(40_000);
});

// Vertices that are held back in the inbox: what waits behind them, what brings them in, what is dropped (consensus 5.12).

import { describe, expect, it } from 'vitest';
import { Holding } from '../../../host/net/holding.ts';
import type { EntryProof } from '../../../host/ordering/entry-proof.ts';
import { FIRST, KEYS, type Made, Weaver, weave } from './dag-fixture.ts';
import { checked, makeInbox, offerAll, trusting } from './inbox-fixture.ts';

const MIB = 1024 * 1024;
const NOISE = new Uint8Array(2.5 * MIB);
const bad = { verdict: 'bad' } as EntryProof;

function makeHolding() {
  const clock = { nowMs: 0, monotonicMs: (): number => clock.nowMs };
  const holding = new Holding({
    clock,
    ownSeat: 0,
    connected: () => [1, 2, 3],
    isQuorum: (seats) => new Set(seats).size >= 3,
    isBehind: () => false,
    hasUnfinishedWork: () => false,
    unordered: () => ({ count: 0, bytes: 0 }),
  });
  const net = makeInbox({ holding, proofs: (entries) => entries.map(() => bad) });
  return { net, clock, holding };
}

const idsOf = (...made: readonly Made[]): string[] => made.map(({ id }) => id);
/** A chain of one seat; the first `junk` of them have junk. */
const chain = (seat: number, count: number, junk: number): Made[] => {
  const weaver = new Weaver();
  return Array.from({ length: count }, (_, i) => weaver.make(seat, i < junk ? [NOISE] : [], false));
};

async function sent(net: ReturnType<typeof makeInbox>, ...made: readonly Made[]): Promise<string[]> {
  const admitted: string[] = [];
  for (const one of made) {
    offerAll(net.inbox, [one]);
    await checked();
    admitted.push(...net.admit());
  }
  return admitted;
}

describe('a vertex that is held back', () => {
  it('comes in when its seat has paid, and then what was dropped meanwhile when it is sent again', async () => {
    const { net, clock, holding } = makeHolding();
    const [first, second, third, ...rest] = chain(3, 6, 2) as [Made, Made, Made, ...Made[]];
    expect(await sent(net, first, second)).toEqual(idsOf(first));
    expect([net.inbox.size, net.inbox.underWay, net.inbox.hasRoom]).toEqual([1, 0, true]);
    expect(net.inbox.reached([1, 1, 1, 1])).toEqual([1, 1, 1, 2 ** 32 - 1]);
    expect(await sent(net, third, ...rest)).toEqual([]);
    expect(net.inbox.size).toBe(1);
    clock.nowMs += 10_000;
    holding.executed(new Map());
    net.inbox.recheckHeld();
    expect(net.admit()).toEqual(idsOf(second));
    expect(net.inbox.reached([1, 1, 1, 2])).toEqual([1, 1, 1, 2]);
    // Empty ones are never held back for a debt.
    expect(await sent(net, third, ...rest)).toEqual(idsOf(third, ...rest));
    expect(net.inbox.heldCounts.get(3)).toEqual({ held: 1, dropped: 4 });
    expect(holding.totals.get(3)).toBe(2 * NOISE.length);
  });

  it('comes in at once when another seat has built on it or on what is above it', async () => {
    const { net } = makeHolding();
    const made = chain(3, 4, 4);
    const above = weave(FIRST, KEYS[1]!, 1, undefined, [made[3]!]);
    expect(await sent(net, ...made)).toEqual(idsOf(made[0]!));
    // From the top down, as parents are asked for.
    expect(await sent(net, above, made[3]!, made[2]!)).toEqual(idsOf(...made.slice(1), above));
  });

  it('which its own seat and one that cannot vouch any more do not achieve', async () => {
    const { net, holding } = makeHolding();
    const [first, second, third] = chain(3, 3, 3) as [Made, Made, Made];
    while (holding.vouch(1, MIB));
    const accomplice = weave(FIRST, KEYS[1]!, 1, undefined, [second]);
    const honest = weave(FIRST, KEYS[2]!, 2, undefined, [second]);
    expect(await sent(net, first, second, third, accomplice)).toEqual(idsOf(first));
    expect((await sent(net, honest)).sort()).toEqual(idsOf(second, accomplice, honest).sort());
  });

  it('does not keep the vertices of other seats waiting', async () => {
    const { net } = makeHolding();
    expect(await sent(net, ...chain(3, 2, 2))).toHaveLength(1);
    expect(await sent(net, ...chain(1, 5, 0), ...chain(2, 1, 0))).toHaveLength(6);
  });

  it('a fork costs its seat all of its bytes', async () => {
    const { net, holding } = makeHolding();
    const forks = [1, 2].map((n) => weave(FIRST, KEYS[3]!, 3, undefined, [], [NOISE], n));
    const plain = makeInbox({ holding, verifier: trusting });
    expect(await sent(plain, ...forks)).toHaveLength(2);
    expect(holding.totals.get(3)).toBe(256 + 4 + NOISE.length);
    expect(net.faults).toEqual([]);
  });
});

// What peers may cost: kept by key over reconnects, and shared among those without a seat.

import { describe, expect, it } from 'vitest';
import { PeerCredits } from '../../../host/net/peer-credit.ts';
import { FakeClock } from '../one-node/harness.ts';

describe('the credit of a key', () => {
  it('is what it had left when it connects anew, and what it has earned since', async () => {
    const clock = new FakeClock();
    const credits = new PeerCredits(clock, () => 0);
    const before = credits.of('a', true);
    expect(before.questions.spend(2000)).toBe(true);
    before.questions.owe(1000);
    const after = credits.of('a', true);
    expect([after.questions.spend(1), after.unasked.spend(1)]).toEqual([false, true]);
    await clock.advance(1500);
    expect([after.questions.left, credits.of('b', true).questions.left]).toEqual([500, 2000]);
  });

  it('is small at first without a seat: of such keys there is no end', async () => {
    const clock = new FakeClock();
    let others = 1;
    const credits = new PeerCredits(clock, () => others);
    const one = credits.of('a', false);
    expect([one.questions.left, one.unasked.left]).toEqual([100, 100]);
    await clock.advance(1000);
    expect(one.questions.left).toBe(1100);
    // Then they share what they may cost together.
    others = 25;
    one.questions.spend(1100);
    await clock.advance(1000);
    expect(one.questions.left).toBe(200);
    // With a seat it has its own.
    credits.of('a', true);
    await clock.advance(1000);
    expect(one.questions.left).toBe(1200);
  });

  it('of a seat is not forgotten for keys without one', () => {
    const credits = new PeerCredits(new FakeClock(), () => 1);
    credits.of('a', true).questions.spend(2000);
    for (let i = 0; i < 3000; i++) credits.of(`stranger ${i}`, false);
    expect(credits.of('a', true).questions.left).toBe(0);
  });

  it('is forgotten for the key that connected longest ago, once there are a thousand', () => {
    const credits = new PeerCredits(new FakeClock(), () => 1);
    const used = ['a', 'b'].map((key) => credits.of(key, true));
    for (const { questions } of used) questions.spend(2000);
    for (let i = 0; i < 998; i++) credits.of(`other ${i}`, true);
    credits.of('a', true);
    credits.of('last', true);
    expect([credits.of('a', true), credits.of('b', true)].map(({ questions }) => questions.left)).toEqual([
      0, 2000,
    ]);
  });
});

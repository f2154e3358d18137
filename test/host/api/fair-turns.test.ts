// Turns of the event loop: who comes first, and what happens when too much waits.

import { describe, expect, it } from 'vitest';
import { FairTurns } from '../../../host/api/fair-turns.ts';
import { openBudget } from './charges.ts';

function setUp(isBounded = true) {
  const { budget, time } = openBudget('read', false);
  const { budget: counted } = openBudget();
  const soon: (() => void)[] = [];
  let pause: Promise<void> | undefined;
  const log: string[] = [];
  const turns = new FairTurns({
    clock: { monotonicMs: () => time.ms, soon: (run) => soon.push(run) },
    pause: () => pause,
    maxWaiting: 64,
    isBounded,
  });
  const charges = new Map<string, ReturnType<typeof budget.open>>();
  const take = (address: string, name: string, ms = 1): void => {
    let charge = charges.get(address);
    if (!charge) {
      charge = counted.open(address, 0);
      if (name.startsWith('f')) charge.add(20);
      charges.set(address, charge);
    }
    const run = (): number => {
      log.push(name);
      time.ms += ms;
      charge.add(ms);
      return time.ms;
    };
    turns.take({ charge, run, refuse: () => log.push(`-${name}`) });
  };
  /** Everything that waits for the next turn of the loop. */
  const turn = (): void => {
    for (const run of soon.splice(0)) run();
  };
  return { turns, take, turn, log, hold: (until?: Promise<void>) => (pause = until) };
}

describe('turns', () => {
  it('run at once while there is little to do, and later beyond that', () => {
    const { take, turn, log, turns } = setUp();
    for (let i = 0; i < 7; i++) take('10.0.0.1', `a${i}`);
    expect([log.length, turns.size]).toEqual([3, 4]);
    turn();
    expect([log.length, turns.size]).toEqual([6, 1]);
    turn();
    expect(log).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    take('10.0.0.1', 'later');
    expect(log.at(-1)).toBe('later');
  });

  it('whoever used least comes first, however many others wait', () => {
    const { take, turn, log } = setUp();
    for (let i = 0; i < 60; i++) take(`10.0.0.${1 + (i % 3)}`, 'flood', 3);
    take('10.7.0.1', 'honest', 1);
    take('10.0.0.9', 'neighbour', 1);
    expect(log).toEqual(['flood']);
    turn();
    expect(log.slice(1)).toEqual(['honest', 'neighbour', 'flood']);
  });

  it('nothing runs while a batch is written, and all in order afterwards', async () => {
    const { take, turn, log, hold } = setUp();
    let end = (): void => {};
    hold(new Promise((resolve) => (end = resolve)));
    take('10.0.0.1', 'a');
    take('10.0.0.2', 'b');
    turn();
    expect(log).toEqual([]);
    hold();
    end();
    await Promise.resolve();
    await Promise.resolve();
    expect(log).toEqual(['a', 'b']);
  });
});

describe('what waits', () => {
  it('is at most 64 of one address', () => {
    const { take, log, turns } = setUp();
    for (let i = 0; i < 80; i++) take('10.0.0.1', `a${i}`, 3);
    expect(turns.size).toBe(64);
    expect(log.slice(0, 2)).toEqual(['a0', '-a65']);
  });

  it('when all is full, whoever used most gives way', () => {
    const { take, log, turns, turn } = setUp();
    for (let n = 0; n < 40; n++) for (let i = 0; i < 64; i++) take(`10.0.${n}.1`, `f${n}`, 3);
    expect(turns.size).toBe(2048);
    log.length = 0;
    take('10.200.0.1', 'honest', 1);
    expect([turns.size, log.length, log[0]?.startsWith('-f')]).toEqual([2048, 1, true]);
    turn();
    expect(log[1]).toBe('honest');
  });

  it('is bounded by the connections alone where limits are off', () => {
    const { take, turns } = setUp(false);
    for (let i = 0; i < 5_000; i++) take('10.0.0.1', 'a', 3);
    expect(turns.size).toBe(4_999);
  });
});

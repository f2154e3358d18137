import { expect, it } from 'vitest';
import { EqualWaits } from '../../../host/sequencer/equal-waits.ts';
import { FakeClock } from '../one-node/harness.ts';

function start() {
  const clock = new FakeClock();
  const late: string[] = [];
  let timers = 0;
  const counting = {
    monotonicMs: () => clock.monotonicMs(),
    setTimer(fn: () => void, ms: number) {
      timers += 1;
      return clock.setTimer(fn, ms);
    },
  };
  const waits = new EqualWaits<string>(counting, 100, (one) => {
    late.push(one);
    if (one === 'again') waits.begin('begun again');
  });
  return { clock, late, waits, timers: () => timers };
}

it('gives each up at its own time, the oldest first', async () => {
  const { clock, late, waits } = start();
  waits.begin('a');
  await clock.advance(30);
  waits.begin('b');
  waits.begin('c');
  await clock.advance(69);
  expect(late).toEqual([]);
  await clock.advance(1);
  expect(late).toEqual(['a']);
  await clock.advance(29);
  expect(late).toEqual(['a']);
  await clock.advance(1);
  expect(late).toEqual(['a', 'b', 'c']);
});

it('what has ended is not given up, and what begins after it has all of its time', async () => {
  const { clock, late, waits } = start();
  waits.begin('a');
  waits.begin('b');
  waits.end('a');
  await clock.advance(60);
  waits.end('b');
  waits.begin('c');
  await clock.advance(99);
  expect(late).toEqual([]);
  await clock.advance(1);
  expect(late).toEqual(['c']);
});

it('has one timer for many', async () => {
  const { clock, waits, timers } = start();
  for (let i = 0; i < 1000; i++) {
    waits.begin(String(i));
    waits.end(String(i));
  }
  expect(timers()).toBe(1);
  waits.begin('last');
  await clock.advance(100);
  expect(timers()).toBe(1);
});

it('one that begins while others are given up waits as long as any', async () => {
  const { clock, late, waits } = start();
  waits.begin('again');
  await clock.advance(50);
  waits.begin('b');
  await clock.advance(50);
  expect(late).toEqual(['again']);
  await clock.advance(50);
  expect(late).toEqual(['again', 'b']);
  await clock.advance(50);
  expect(late).toEqual(['again', 'b', 'begun again']);
});

it('gives nothing up once it is stopped', async () => {
  const { clock, late, waits } = start();
  waits.begin('again');
  waits.stop();
  await clock.advance(1000);
  expect(late).toEqual([]);
});

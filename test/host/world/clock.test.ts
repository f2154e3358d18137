import { expect, test } from 'vitest';
import { systemClock } from '../../../host/world/system/clock.ts';

test('a timer runs once, a cancelled one never', async () => {
  const ran: string[] = [];
  const cancel = systemClock.setTimer(() => ran.push('cancelled'), 1);
  systemClock.setTimer(() => ran.push('first'), 1);
  cancel();
  await new Promise<void>((resolve) => systemClock.setTimer(resolve, 20));
  expect(ran).toEqual(['first']);
});

test('soon runs after what was already promised', async () => {
  const ran: string[] = [];
  const later = new Promise<void>((resolve) => systemClock.soon(() => resolve(void ran.push('soon'))));
  await Promise.resolve();
  ran.push('promise');
  await later;
  expect(ran).toEqual(['promise', 'soon']);
});

test('the monotonic clock does not go back', () => {
  const before = systemClock.monotonicMs();
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before);
  expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1000);
});

import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../host/world/system/clock.ts';

test('a timer runs once, a cancelled one never', async () => {
  const ran: string[] = [];
  const cancel = systemClock.setTimer(() => ran.push('cancelled'), 1);
  systemClock.setTimer(() => ran.push('first'), 1);
  cancel();
  await new Promise<void>((resolve) => systemClock.setTimer(resolve, 20));
  expect(ran).toEqual(['first']);
});

// An engine takes more than 2^31 ms for none, and who waits for a far deadline would look again without a pause.
test('a timer of two months takes two months', () => {
  vi.useFakeTimers();
  try {
    const days = 86_400_000;
    const ran: string[] = [];
    systemClock.setTimer(() => ran.push('far'), 60 * days);
    const cancel = systemClock.setTimer(() => ran.push('cancelled'), 60 * days);
    vi.advanceTimersByTime(59 * days);
    expect(ran).toEqual([]);
    cancel();
    vi.advanceTimersByTime(2 * days);
    expect(ran).toEqual(['far']);
  } finally {
    vi.useRealTimers();
  }
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

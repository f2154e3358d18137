// The 30-day sum of recognised value (protocol 6.13).

import { VALUE_CAP } from '../../../assembly/lib/u128';
import {
  generatedInWindow,
  recordGenerated,
  rollGenerated,
  withdrawGenerated,
} from '../../../assembly/reputation/generated';
import { header } from '../../../assembly/state/header';
import { freshState, LAUNCH } from '../support/state';

const DAY: u64 = 86400;

describe('generated value', () => {
  it('counts for 30 days of whole hours', () => {
    freshState();
    const first = (LAUNCH / 3600) * 3600;
    rollGenerated(first);
    recordGenerated(10);
    rollGenerated(first + 3600);
    recordGenerated(5);
    rollGenerated(first + 30 * DAY - 1);
    expect(generatedInWindow()).toBe(15);
    rollGenerated(first + 30 * DAY);
    expect(generatedInWindow()).toBe(5);
    rollGenerated(first + 30 * DAY + 3599);
    expect(generatedInWindow()).toBe(5);
    rollGenerated(first + 30 * DAY + 3600);
    expect(generatedInWindow()).toBe(0);
    expect(header().generated).toBe(15);
  });

  it('forgets everything after a pause of any length', () => {
    freshState();
    let now = LAUNCH;
    for (let hours: u64 = 720; hours < 1500; hours++) {
      rollGenerated(now);
      recordGenerated(10);
      now += hours * 3600;
      rollGenerated(now);
      expect(generatedInWindow()).toBe(0);
    }
  });

  it('is capped at 2^53 - 1', () => {
    freshState();
    rollGenerated(LAUNCH);
    recordGenerated(VALUE_CAP);
    recordGenerated(VALUE_CAP);
    expect(generatedInWindow()).toBe(VALUE_CAP);
    expect(header().generated).toBe(VALUE_CAP);
  });

  it('takes a withdrawal from the bucket that recorded the value, while that counts', () => {
    freshState();
    const first = LAUNCH - (LAUNCH % 3600);
    rollGenerated(first + 5);
    recordGenerated(10);
    rollGenerated(first + 3600);
    recordGenerated(7);
    withdrawGenerated(4, first + 5);
    expect(generatedInWindow()).toBe(13);
    expect(header().generated).toBe(13);
    rollGenerated(first + 30 * DAY);
    expect(generatedInWindow()).toBe(7);
    // The bucket of the first hour has been reused.
    recordGenerated(100);
    withdrawGenerated(6, first + 5);
    expect(generatedInWindow()).toBe(107);
    expect(header().generated).toBe(107);
    withdrawGenerated(500, first + 3600);
    expect(generatedInWindow()).toBe(100);
    expect(header().generated).toBe(0);
  });
});

// Assured budgets of the last 30 days: sum and largest, and what validators must stake for them (protocol 6.7).

import { header } from '../../../assembly/state/header';
import { noteAssuredCompleted, rollAssured } from '../../../assembly/validators/assured-window';
import { requiredStake } from '../../../assembly/validators/weight';
import { freshState, LAUNCH, TOKEN } from '../support/state';

const DAY: u64 = 86400;

describe('window', () => {
  it('V 1,200,000, n 12, M 400,000 tokens: 120,000 tokens', () => {
    freshState();
    expect(requiredStake(12)).toBe(10000 * TOKEN);
    for (let i = 0; i < 8; i++) noteAssuredCompleted(100000 * TOKEN);
    expect(requiredStake(12)).toBe((<u64>800000 * TOKEN) / 24);
    noteAssuredCompleted(400000 * TOKEN);
    expect(requiredStake(12)).toBe(120000 * TOKEN);
  });

  it('forgets what is older than 30 days, and keeps the largest of the rest', () => {
    freshState();
    rollAssured(LAUNCH);
    noteAssuredCompleted(50 * TOKEN);
    noteAssuredCompleted(400 * TOKEN);
    rollAssured(LAUNCH + 20 * DAY);
    noteAssuredCompleted(300 * TOKEN);
    noteAssuredCompleted(7 * TOKEN);
    expect(header().assuredLargest).toBe(400 * TOKEN);
    expect(header().assuredVolume).toBe(757 * TOKEN);
    rollAssured(LAUNCH + 30 * DAY - 3600);
    expect(header().assuredVolume).toBe(757 * TOKEN);
    rollAssured(LAUNCH + 30 * DAY);
    expect(header().assuredLargest).toBe(300 * TOKEN);
    expect(header().assuredVolume).toBe(307 * TOKEN);
    rollAssured(LAUNCH + 500 * DAY);
    expect(header().assuredLargest).toBe(0);
    expect(header().assuredVolume).toBe(0);
  });
});

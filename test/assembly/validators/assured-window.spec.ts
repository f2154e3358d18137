// Assured budgets of the last 30 days: sum and largest, and what validators must stake for them (protocol 6.7).

import { header } from '../../../assembly/state/header';
import {
  noteAssuredCompleted,
  noteAssuredCreated,
  rollAssured,
} from '../../../assembly/validators/assured-window';
import { requiredStake } from '../../../assembly/validators/weight';
import { freshState, LAUNCH, TOKEN } from '../support/state';

const DAY: u64 = 86400;

describe('window', () => {
  it('V 1,200,000, n 12, M 400,000 tokens: 120,000 tokens', () => {
    freshState();
    expect(requiredStake(12)).toBe(10000 * TOKEN);
    noteAssuredCompleted(700000 * TOKEN);
    noteAssuredCompleted(500000 * TOKEN);
    expect(requiredStake(12)).toBe(50000 * TOKEN);
    noteAssuredCreated(400000 * TOKEN);
    noteAssuredCreated(3 * TOKEN);
    expect(requiredStake(12)).toBe(120000 * TOKEN);
  });

  it('forgets what is older than 30 days, and keeps the largest of the rest', () => {
    freshState();
    rollAssured(LAUNCH);
    noteAssuredCreated(400 * TOKEN);
    noteAssuredCompleted(50 * TOKEN);
    rollAssured(LAUNCH + 20 * DAY);
    noteAssuredCreated(300 * TOKEN);
    noteAssuredCompleted(7 * TOKEN);
    expect(header().assuredLargest).toBe(400 * TOKEN);
    expect(header().assuredVolume).toBe(57 * TOKEN);
    rollAssured(LAUNCH + 30 * DAY - 3600);
    expect(header().assuredVolume).toBe(57 * TOKEN);
    rollAssured(LAUNCH + 30 * DAY);
    expect(header().assuredLargest).toBe(300 * TOKEN);
    expect(header().assuredVolume).toBe(7 * TOKEN);
    rollAssured(LAUNCH + 500 * DAY);
    expect(header().assuredLargest).toBe(0);
    expect(header().assuredVolume).toBe(0);
  });
});

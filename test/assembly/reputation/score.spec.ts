// Scores with the example of protocol 6.10.

import { completionRateBp, reputationBp, scoreBp } from '../../../assembly/reputation/score';
import { freshState, LAUNCH, newAgent } from '../support/state';

describe('score', () => {
  it('48 completed, 2 failed, no idle time: 4,608 bp', () => {
    expect(scoreBp(48, 2, 0)).toBe(4608);
    expect(completionRateBp(48, 2)).toBe(9600);
  });

  it('is 0 without records, 10,000 at most', () => {
    expect(scoreBp(0, 0, 0)).toBe(0);
    expect(completionRateBp(0, 0)).toBe(0);
    expect(scoreBp(0, 9, 0)).toBe(0);
    expect(scoreBp(100, 0, 0)).toBe(10000);
    expect(scoreBp(4000000000, 0, 0)).toBe(10000);
  });

  it('decays with idle days', () => {
    expect(scoreBp(48, 2, 29)).toBe(4608);
    expect(scoreBp(48, 2, 30)).toBe(2208);
    expect(scoreBp(48, 2, 60)).toBe(0);
    freshState();
    const agent = newAgent(1, 0, 0);
    agent.completed = 48;
    agent.failed = 2;
    expect(reputationBp(agent, LAUNCH)).toBe(4608);
    expect(reputationBp(agent, LAUNCH + 30 * 86400)).toBe(2208);
  });
});

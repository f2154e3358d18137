// Who voted for completion, and has a part by weight: each validator once (protocol 6.4).

import { POOL_REWARDS, POOL_TREASURY } from '../../../assembly/abi';
import { beginSplit, endSplit, poolOf, SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { chainVote } from '../../../assembly/settlement/votes';
import { Task } from '../../../assembly/tasks/rows';
import { BY_BOTH, BY_DISPUTE, BY_PANEL, judgeWeight, shareAmong } from '../../../assembly/tasks/shares';
import { approvedTask, NOW, operator, withValidators } from '../support/cases';
import { TOKEN } from '../support/state';

/** Present weight of each validator. */
const WEIGHT: u64 = 15000 * TOKEN;

/** 0, 1 and 2 approved on the panel; in the dispute 0 and 3 did, 1 with a vote that weighed nothing, and 4 rejected. */
function judgedTwice(): Task {
  withValidators();
  const task = approvedTask(1);
  task.voteHead = chainVote(0, 0, true, 7, NOW);
  let tail = chainVote(task.voteHead, 1, true, 0, NOW);
  tail = chainVote(tail, 3, true, 5, NOW);
  chainVote(tail, 4, false, 9, NOW);
  return task;
}

describe('who voted for completion', () => {
  it('is counted once, in the dispute where its vote weighed there, else on the panel', () => {
    const task = judgedTwice();
    expect(judgeWeight(task, BY_DISPUTE, NOW)).toBe(12);
    expect(judgeWeight(task, BY_PANEL, NOW)).toBe(3 * WEIGHT);
    expect(judgeWeight(task, BY_BOTH, NOW)).toBe(12 + 2 * WEIGHT);
  });

  it('has one part of what is shared', () => {
    const task = judgedTwice();
    const amount = 12 + 2 * WEIGHT;
    beginSplit(poolOf(POOL_REWARDS), amount);
    expect(shareAmong(task, amount, BY_BOTH, NOW)).toBe(amount);
    expect(endSplit(poolOf(POOL_TREASURY))).toBe(0);
    expect(operator(0).balance).toBe(7);
    expect(operator(1).balance).toBe(WEIGHT);
    expect(operator(2).balance).toBe(WEIGHT);
    expect(operator(3).balance).toBe(5);
    expect(operator(4).balance).toBe(0);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

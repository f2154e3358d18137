// The verdict quorum with the examples of protocol 6.9.

import {
  CONFIG_PARAMS,
  ITEM_GENERATION,
  PARAM_MIN_PARTICIPANTS,
  VALIDATOR_PROBATION,
} from '../../../assembly/abi';
import { agentIndex } from '../../../assembly/ledger/agents';
import { Item, openItem } from '../../../assembly/settlement/items';
import {
  countVotes,
  isApproved,
  isRejected,
  reachesQuorum,
  tally,
} from '../../../assembly/settlement/quorum';
import { addVote } from '../../../assembly/settlement/votes';
import { root } from '../../../assembly/state/root';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newAgent, newValidator, TOKEN } from '../support/state';

const EVENT: usize = memory.data(32, 8);
const BILLION: u64 = 1000000000;

// Four active validators with weights of 20, 20, 20 and 10 (times 10^9), and an open claim of 1,000.
function setUp(): Item {
  freshState();
  for (let i: u64 = 0; i < 4; i++) newValidator(i, (i == 3 ? 20000 : 40000) * TOKEN, 5000);
  const agent = agentIndex(newAgent(7, 0, 0));
  return openItem(EVENT, ITEM_GENERATION, agent, agent, 1000, LAUNCH, LAUNCH + 300);
}

describe('threshold', () => {
  it('50 of 70 reaches it, 40 of 70 does not', () => {
    expect(reachesQuorum(50 * BILLION, 70 * BILLION)).toBe(true);
    expect(reachesQuorum(40 * BILLION, 70 * BILLION)).toBe(false);
  });

  it('is 66.7 percent and never reached without weight', () => {
    expect(reachesQuorum(667, 1000)).toBe(true);
    expect(reachesQuorum(666, 1000)).toBe(false);
    expect(reachesQuorum(0, 0)).toBe(false);
    expect(reachesQuorum(1000000000000000, 1000000000000000)).toBe(true);
  });
});

describe('count', () => {
  it('decides with 20 + 20 + 10, not with 20 + 20', () => {
    const item = setUp();
    addVote(item, 0, true, 900, LAUNCH);
    addVote(item, 1, true, 800, LAUNCH);
    countVotes(item, LAUNCH);
    expect(tally().approveWeight).toBe(40 * BILLION);
    expect(tally().totalWeight).toBe(70 * BILLION);
    expect(isApproved()).toBe(false);
    addVote(item, 3, true, 950, LAUNCH);
    countVotes(item, LAUNCH);
    expect(tally().lowestValue).toBe(800);
    expect(tally().participants).toBe(3);
    expect(isApproved()).toBe(true);
    expect(isRejected()).toBe(false);
  });

  it('excludes parties from both sides', () => {
    const item = setUp();
    item.recipient = validatorAt(0).agent;
    addVote(item, 1, false, 0, LAUNCH);
    addVote(item, 2, false, 0, LAUNCH);
    countVotes(item, LAUNCH);
    expect(tally().totalWeight).toBe(50 * BILLION);
    expect(isRejected()).toBe(true);
  });

  it('gives probation votes no weight and no participation', () => {
    const item = setUp();
    validatorAt(0).status = VALIDATOR_PROBATION;
    addVote(item, 0, true, 1, LAUNCH);
    addVote(item, 1, true, 7, LAUNCH);
    countVotes(item, LAUNCH);
    expect(tally().participants).toBe(1);
    expect(tally().approveWeight).toBe(20 * BILLION);
    expect(tally().lowestValue).toBe(7);
  });

  it('uses current weights', () => {
    const item = setUp();
    addVote(item, 0, true, 1, LAUNCH);
    operatorOf(validatorAt(0)).staked = 0;
    countVotes(item, LAUNCH);
    expect(tally().approveWeight).toBe(0);
    expect(tally().totalWeight).toBe(50 * BILLION);
  });

  it('needs min_participants', () => {
    const item = setUp();
    store<u64>(root().base + <usize>CONFIG_PARAMS + PARAM_MIN_PARTICIPANTS * 8, 3);
    operatorOf(validatorAt(0)).staked = 100000000 * TOKEN;
    addVote(item, 0, true, 1, LAUNCH);
    addVote(item, 1, true, 1, LAUNCH);
    countVotes(item, LAUNCH);
    expect(isApproved()).toBe(false);
    addVote(item, 3, false, 0, LAUNCH);
    countVotes(item, LAUNCH);
    expect(isApproved()).toBe(true);
  });
});

// The verdict quorum with the examples of protocol 6.9.

import {
  CONFIG_PARAMS,
  GROUND_FRAUD,
  GROUND_NONE,
  GROUND_PLAGIARISM,
  ITEM_GENERATION,
  PARAM_MIN_PARTICIPANTS,
  VALIDATOR_PROBATION,
} from '../../../assembly/abi';
import { agentIndex } from '../../../assembly/ledger/agents';
import { isSaneState } from '../../../assembly/run/audit';
import { Item, openItem } from '../../../assembly/settlement/items';
import {
  countVotes,
  decidedShare,
  isApproved,
  isRejected,
  namedGround,
  reachesQuorum,
  tally,
  UNDECIDED,
} from '../../../assembly/settlement/quorum';
import { addVote, detailVote, voteAt } from '../../../assembly/settlement/votes';
import { header, PHASE_IDLE } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { holdWeight } from '../../../assembly/validators/weight';
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
    holdWeight(validatorAt(0), LAUNCH);
    addVote(item, 0, true, 1, LAUNCH);
    addVote(item, 1, true, 1, LAUNCH);
    countVotes(item, LAUNCH);
    expect(isApproved()).toBe(false);
    addVote(item, 3, false, 0, LAUNCH);
    countVotes(item, LAUNCH);
    expect(isApproved()).toBe(true);
  });
});

// The four of setUp reject and name these grounds.
function accuse(first: u32, second: u32, third: u32, fourth: u32): u32 {
  const item = setUp();
  for (let i: u32 = 0; i < 4; i++) {
    addVote(item, i, false, 0, LAUNCH);
    const ground = i == 0 ? first : i == 1 ? second : i == 2 ? third : fourth;
    if (ground != GROUND_NONE) detailVote(item, 0, ground);
  }
  countVotes(item, LAUNCH);
  expect(isRejected()).toBe(true);
  return namedGround();
}

// The shares that the four of setUp vote for; 99: no vote.
function shares(first: u32, second: u32, third: u32, fourth: u32): u32 {
  const item = setUp();
  for (let i: u32 = 0; i < 4; i++) {
    const share = i == 0 ? first : i == 1 ? second : i == 2 ? third : fourth;
    if (share == 99) continue;
    addVote(item, i, share != 0, 0, LAUNCH);
    detailVote(item, share, GROUND_NONE);
  }
  countVotes(item, LAUNCH);
  return decidedShare();
}

describe('a share', () => {
  it('is the one that two thirds call not too much, and two thirds not too little', () => {
    expect(shares(4, 4, 0, 9)).toBe(4);
    expect(shares(4, 4, 4, 99)).toBe(4);
    expect(shares(0, 10, 5, 5)).toBe(5);
    expect(shares(10, 10, 10, 0)).toBe(10);
    expect(shares(0, 0, 0, 10)).toBe(0);
    expect(shares(4, 4, 99, 99)).toBe(UNDECIDED);
    expect(shares(3, 7, 3, 99)).toBe(UNDECIDED);
    expect(shares(0, 10, 5, 99)).toBe(UNDECIDED);
    expect(shares(99, 99, 99, 99)).toBe(UNDECIDED);
  });

  it('above all is in no import', () => {
    const item = setUp();
    addVote(item, 0, true, 0, LAUNCH);
    header().phase = PHASE_IDLE;
    expect(isSaneState()).toBe(true);
    voteAt(item.voteHead - 1).share = 11;
    expect(isSaneState()).toBe(false);
  });
});

describe('a ground', () => {
  it('that does not exist is in no import', () => {
    const item = setUp();
    addVote(item, 0, false, 0, LAUNCH);
    header().phase = PHASE_IDLE;
    expect(isSaneState()).toBe(true);
    voteAt(item.voteHead - 1).ground = 4;
    expect(isSaneState()).toBe(false);
  });

  it('is named by a quorum of the weight that may judge, 50 of 70', () => {
    expect(accuse(GROUND_FRAUD, GROUND_FRAUD, GROUND_NONE, GROUND_FRAUD)).toBe(GROUND_FRAUD);
    expect(accuse(GROUND_NONE, GROUND_PLAGIARISM, GROUND_PLAGIARISM, GROUND_PLAGIARISM)).toBe(
      GROUND_PLAGIARISM,
    );
  });

  it('is not named by fewer, nor by those who name different ones', () => {
    expect(accuse(GROUND_NONE, GROUND_NONE, GROUND_NONE, GROUND_NONE)).toBe(GROUND_NONE);
    expect(accuse(GROUND_FRAUD, GROUND_FRAUD, GROUND_NONE, GROUND_NONE)).toBe(GROUND_NONE);
    expect(accuse(GROUND_FRAUD, GROUND_FRAUD, GROUND_PLAGIARISM, GROUND_PLAGIARISM)).toBe(GROUND_NONE);
  });
});

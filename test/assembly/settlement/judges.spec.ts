// Judges of one event form pairs when it closes; clusters of those who judged a submission are barred from its dispute.

import {
  ITEM_DISPUTE,
  ITEM_SUBMISSION,
  SETTLED_EXPIRED,
  SETTLED_VERIFIED,
  SHARES,
  VALIDATOR_PROBATION,
  VOTE_ADJUSTED,
  VOTE_SETTLED,
} from '../../../assembly/abi';
import { setOutputBytes } from '../../../assembly/io/output';
import { agentIndex } from '../../../assembly/ledger/agents';
import { closeTaskItem } from '../../../assembly/settlement/close';
import { barredOf, Item, openItem } from '../../../assembly/settlement/items';
import { countVotes, isBarred, tally, weightOn } from '../../../assembly/settlement/quorum';
import { addVote, removeVotes } from '../../../assembly/settlement/votes';
import { header } from '../../../assembly/state/header';
import { pairAt } from '../../../assembly/validators/pairs';
import { validatorAt } from '../../../assembly/validators/validators';
import { GENERAL } from '../support/draws';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';

const EVENT: usize = memory.data(32, 8);

function setUp(count: u64): void {
  freshState();
  setNow(LAUNCH);
  setOutputBytes(0);
  for (let i: u64 = 0; i < count; i++) newValidator(i, 40000 * TOKEN, 5000);
  newAgent(7, 0, 0);
}

function open(kind: u32, number: u64): Item {
  store<u64>(EVENT, number);
  const agent = agentIndex(newAgent(100 + number, 0, 0));
  return openItem(EVENT, kind, agent, agent, 1000, LAUNCH, LAUNCH + 300);
}

function close(item: Item, byQuorum: bool, isStructured: bool): void {
  const state = byQuorum ? VOTE_SETTLED : VOTE_ADJUSTED;
  const reason = byQuorum ? SETTLED_VERIFIED : SETTLED_EXPIRED;
  removeVotes(closeTaskItem(item, state, reason, byQuorum, SHARES, GENERAL, isStructured, LAUNCH));
}

function expectPair(row: u32, figures: u32[]): void {
  const pair = pairAt(row);
  expect(pair.lower).toBe(figures[0]);
  expect(pair.higher).toBe(figures[1]);
  expect(pair.structured).toBe(figures[2]);
  expect(pair.structuredAgreed).toBe(figures[3]);
  expect(pair.others).toBe(figures[4]);
  expect(pair.othersAgreed).toBe(figures[5]);
}

describe('judges', () => {
  it('form each pair once, whether they agreed or not, probation included', () => {
    setUp(3);
    validatorAt(0).status = VALIDATOR_PROBATION;
    const item = open(ITEM_DISPUTE, 1);
    addVote(item, 2, true, 0, LAUNCH);
    addVote(item, 0, true, 0, LAUNCH);
    addVote(item, 1, false, 0, LAUNCH);
    close(item, true, false);
    expect(header().pairCount).toBe(3);
    expectPair(0, [0, 2, 0, 0, 1, 1]);
    expectPair(1, [1, 2, 0, 0, 1, 0]);
    expectPair(2, [0, 1, 0, 0, 1, 0]);
  });

  it('form pairs however the event is closed, separately for structured categories', () => {
    setUp(2);
    for (let number: u64 = 1; number <= 4; number++) {
      const item = open(number % 2 == 0 ? ITEM_SUBMISSION : ITEM_DISPUTE, number);
      addVote(item, 0, number != 3, 0, LAUNCH);
      addVote(item, 1, true, 0, LAUNCH);
      close(item, number == 1, number <= 3);
    }
    expect(header().pairCount).toBe(1);
    expectPair(0, [0, 1, 3, 2, 1, 1]);
  });

  it('form no pair without a second vote', () => {
    setUp(2);
    close(open(ITEM_DISPUTE, 1), false, true);
    const item = open(ITEM_DISPUTE, 2);
    addVote(item, 1, true, 0, LAUNCH);
    close(item, false, true);
    expect(header().pairCount).toBe(0);
  });
});

describe('barred', () => {
  it('are panel members with their clusters, which do not count on either side', () => {
    setUp(5);
    const item = open(ITEM_DISPUTE, 1);
    item.barredCount = 1;
    item.barsClusters = 1;
    store<u16>(barredOf(item), 3);
    validatorAt(3).cluster = 2;
    validatorAt(1).cluster = 2;
    validatorAt(2).cluster = 1;
    validatorAt(0).cluster = 1;
    const barred = [false, true, false, true, false];
    for (let i: u32 = 0; i < 5; i++) {
      expect(isBarred(item, i)).toBe(barred[i]);
      expect(weightOn(item, i, LAUNCH) == 0).toBe(barred[i]);
    }
    addVote(item, 1, true, 0, LAUNCH);
    addVote(item, 2, false, 0, LAUNCH);
    countVotes(item, LAUNCH);
    expect(tally().participants).toBe(1);
    expect(tally().approveWeight).toBe(0);
    expect(tally().totalWeight).toBe(3 * weightOn(item, 2, LAUNCH));
  });

  it('are panel members alone where clusters are not', () => {
    setUp(3);
    const item = open(ITEM_DISPUTE, 1);
    item.barredCount = 1;
    validatorAt(0).cluster = 1;
    validatorAt(1).cluster = 1;
    expect(isBarred(item, 0)).toBe(true);
    expect(isBarred(item, 1)).toBe(false);
  });

  it('is nobody without a panel', () => {
    setUp(2);
    validatorAt(0).cluster = 1;
    validatorAt(1).cluster = 1;
    const item = open(ITEM_DISPUTE, 1);
    expect(isBarred(item, 0)).toBe(false);
    expect(isBarred(item, 1)).toBe(false);
  });
});

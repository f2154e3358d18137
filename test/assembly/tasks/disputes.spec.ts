// Who may judge a dispute: neither parties nor the panel that voted nor its clusters, while enough remain (protocol 4.3).

import { CONFIG_PARAMS, LANE_STANDARD, PARAM_MIN_PARTICIPANTS } from '../../../assembly/abi';
import { agentIndex } from '../../../assembly/ledger/agents';
import { assignedOf, Item, itemAt } from '../../../assembly/settlement/items';
import { countVotes, isBarred, tally } from '../../../assembly/settlement/quorum';
import { root } from '../../../assembly/state/root';
import { openDispute } from '../../../assembly/tasks/disputes';
import { seatJudges } from '../../../assembly/tasks/panels';
import { deliveryOf } from '../../../assembly/tasks/rows';
import { validatorAt } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';
import { claimBy, deliver, joinPanel, panelVote, postTask } from '../support/tasks';

const EVENT: usize = memory.data(32, 8);
const WEIGHT: u64 = 12500000000;

/**
 * Seven validators, of which 0 and 1 voted on the panel, 2 was on it and did not vote, and 1 and 3 are a cluster, with 4 if it
 * is `large`; 0 has `first` tokens staked, the others 25,000.
 */
function dispute(
  participants: u64,
  posterIsValidator: bool = false,
  isLarge: bool = false,
  first: u64 = 25000,
): Item {
  freshState();
  setNow(LAUNCH);
  store<u64>(root().base + <usize>CONFIG_PARAMS + PARAM_MIN_PARTICIPANTS * 8, participants);
  for (let i: u64 = 0; i < 7; i++) newValidator(i, (i == 0 ? first : 25000) * TOKEN, 5000);
  validatorAt(1).cluster = 2;
  validatorAt(3).cluster = 2;
  if (isLarge) validatorAt(4).cluster = 2;
  const poster = newAgent(1, 100 * TOKEN, 0);
  const task = postTask(1, poster, 100 * TOKEN, LANE_STANDARD);
  claimBy(task, newAgent(2, 0, 0));
  deliver(task, 5000);
  panelVote(task, 0, true);
  panelVote(task, 1, false);
  joinPanel(task, 2);
  if (posterIsValidator) {
    validatorAt(5).agent = agentIndex(poster);
    poster.validator = 6;
    poster.staked = 25000 * TOKEN;
  }
  openDispute(task, EVENT, LAUNCH + 100);
  const item = itemAt(deliveryOf(task).disputeItem - 1);
  expect<u32>(item.assignedCount).toBe(0);
  seatJudges(task, item, LAUNCH + 100);
  return item;
}

function names(item: Item): bool {
  for (let i: usize = 0; i < item.assignedCount; i++) {
    const name = load<u16>(assignedOf(item) + (i << 1));
    if (isBarred(item, name)) return false;
  }
  return true;
}

describe('a dispute', () => {
  it('bars the panel members that voted with their clusters, and does not name them', () => {
    const item = dispute(3);
    expect<u32>(item.barredCount).toBe(2);
    const barred = [true, true, false, true, false, false, false];
    for (let i: u32 = 0; i < 7; i++) expect(isBarred(item, i)).toBe(barred[i]);
    expect<u32>(item.assignedCount).toBe(3);
    expect(names(item)).toBe(true);
    countVotes(item, LAUNCH + 100);
    expect(tally().totalWeight).toBe(4 * WEIGHT);
  });

  it('bars the panel without its clusters where those that are left would hold less than half', () => {
    const item = dispute(3, false, true);
    expect<u32>(item.barredCount).toBe(2);
    const barred = [true, true, false, false, false, false, false];
    for (let i: u32 = 0; i < 7; i++) expect(isBarred(item, i)).toBe(barred[i]);
    countVotes(item, LAUNCH + 100);
    expect(tally().totalWeight).toBe(5 * WEIGHT);
  });

  it('bars only the parties where the panel itself holds more than half', () => {
    const item = dispute(3, false, false, 200000);
    expect<u32>(item.barredCount).toBe(0);
    countVotes(item, LAUNCH + 100);
    expect(tally().totalWeight).toBe(14 * WEIGHT);
  });

  it('measures a decision against half of the held weight, whoever became barred since', () => {
    const item = dispute(3);
    for (let i: u32 = 4; i < 6; i++) validatorAt(i).cluster = 2;
    countVotes(item, LAUNCH + 100);
    expect<u64>(tally().judges).toBe(2);
    expect(tally().totalWeight).toBe((7 * WEIGHT) / 2);
  });

  it('bars only the parties when fewer than min_participants would be left', () => {
    const item = dispute(6);
    expect<u32>(item.barredCount).toBe(0);
    expect(isBarred(item, 0)).toBe(false);
    countVotes(item, LAUNCH + 100);
    expect(tally().totalWeight).toBe(7 * WEIGHT);
  });

  it('does not count a validator that is a party as a remaining judge', () => {
    expect<u32>(dispute(5, true).barredCount).toBe(0);
    const item = dispute(4, true);
    expect<u32>(item.barredCount).toBe(2);
    expect(isBarred(item, 3)).toBe(false);
    countVotes(item, LAUNCH + 100);
    expect(tally().totalWeight).toBe(4 * WEIGHT);
  });
});

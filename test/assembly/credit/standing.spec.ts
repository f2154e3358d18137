// Standing with the examples of protocol 6.17.

import {
  BUCKETS,
  backedTasks,
  backingBp,
  bucketAt,
  bucketOfCounterparty,
  halvesAtSecs,
  isSaneStanding,
  MAX_BUCKET_UNITS,
  noteFee,
  standingOf,
  standingPower,
  standingRow,
} from '../../../assembly/credit/standing';
import { Agent, agentIndex } from '../../../assembly/ledger/agents';
import { freshState, LAUNCH, newAgent, TOKEN, underKey } from '../support/state';

const DAY: u64 = 86400;

// Numbers of keys, each with a bucket that those before it do not have.
function distinct(agent: Agent, other: Agent, count: i32): u64[] {
  const found: u64[] = [];
  const taken: bool[] = [];
  for (let i: u32 = 0; i < BUCKETS; i++) taken.push(false);
  for (let n: u64 = 100; found.length < count; n++) {
    const bucket = bucketOfCounterparty(agent, underKey(other, n));
    if (taken[bucket]) continue;
    taken[bucket] = true;
    found.push(n);
  }
  return found;
}

describe('a standing', () => {
  it('counts fees in thousandths of a token', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    noteFee(agent, other, 999, LAUNCH);
    expect(standingOf(agent, LAUNCH)).toBe(0);
    expect(halvesAtSecs(agent, LAUNCH)).toBe(0);
    noteFee(agent, other, 603999, LAUNCH);
    expect(standingOf(agent, LAUNCH)).toBe(603000);
    expect(standingOf(other, LAUNCH)).toBe(0);
  });

  it('counts 50 tokens of one counterparty at most, and one of it in the backing', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    const keys = distinct(agent, other, 2);
    noteFee(agent, underKey(other, keys[0]), 49 * TOKEN, LAUNCH);
    noteFee(agent, underKey(other, keys[0]), 49 * TOKEN, LAUNCH);
    expect(standingOf(agent, LAUNCH)).toBe(50 * TOKEN);
    expect(standingPower(agent, LAUNCH)).toBe(500 * TOKEN);
    expect(backingBp(agent)).toBe(1000);
    expect(backedTasks(agent, 200)).toBe(10);
    expect(backedTasks(agent, 7)).toBe(7);
    noteFee(agent, underKey(other, keys[1]), TOKEN / 2, LAUNCH);
    expect(standingOf(agent, LAUNCH)).toBe(50 * TOKEN + TOKEN / 2);
    expect(backingBp(agent)).toBe(1500);
  });

  it('of all counterparties is 1,250 tokens at most, and carries 12,500', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    for (let n: u64 = 2; n < 400; n++) noteFee(agent, underKey(other, n), 1000 * TOKEN, LAUNCH);
    expect(standingOf(agent, LAUNCH)).toBe(1250 * TOKEN);
    expect(standingPower(agent, LAUNCH)).toBe(12500 * TOKEN);
    expect(backingBp(agent)).toBe(10000);
    expect(isSaneStanding(agentIndex(agent))).toBe(true);
  });

  it('backs a record in full by ten counterparties with a token each', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    const keys = distinct(agent, other, 10);
    for (let i = 0; i < 10; i++) {
      expect(backingBp(agent)).toBe(<u64>i * 1000);
      noteFee(agent, underKey(other, keys[i]), TOKEN, LAUNCH);
    }
    expect(backingBp(agent)).toBe(10000);
    expect(backedTasks(agent, 200)).toBe(100);
  });

  it('counts counterparties that share a bucket as one', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const first = newAgent(2, 0, 0);
    const second = newAgent(3, 0, 0);
    for (let n: u64 = 4; bucketOfCounterparty(agent, first) != bucketOfCounterparty(agent, second); n++) {
      underKey(second, n);
    }
    noteFee(agent, first, 40 * TOKEN, LAUNCH);
    noteFee(agent, second, 40 * TOKEN, LAUNCH);
    expect(standingOf(agent, LAUNCH)).toBe(50 * TOKEN);
    expect(backingBp(agent)).toBe(1000);
  });
});

describe('the bucket of a counterparty', () => {
  it('differs between agents, and uses all buckets', () => {
    freshState();
    const one = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    const counterparty = newAgent(3, 0, 0);
    let differing: u32 = 0;
    let used: u32 = 0;
    for (let n: u64 = 10; n < 510; n++) {
      underKey(counterparty, n);
      if (bucketOfCounterparty(one, counterparty) != bucketOfCounterparty(other, counterparty)) differing++;
      noteFee(one, counterparty, TOKEN, LAUNCH);
    }
    for (let bucket: u32 = 0; bucket < BUCKETS; bucket++) {
      if (load<u16>(bucketAt(standingRow(agentIndex(one)), bucket)) != 0) used++;
    }
    expect(differing > 450).toBe(true);
    expect(used).toBe(BUCKETS);
  });
});

describe('time', () => {
  it('halves a standing every 60 days, whatever else happens', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    noteFee(agent, other, 8 * TOKEN, LAUNCH);
    expect(halvesAtSecs(agent, LAUNCH)).toBe(LAUNCH + 60 * DAY);
    expect(standingOf(agent, LAUNCH + 60 * DAY - 1)).toBe(8 * TOKEN);
    expect(standingOf(agent, LAUNCH + 60 * DAY)).toBe(4 * TOKEN);
    expect(halvesAtSecs(agent, LAUNCH + 60 * DAY)).toBe(LAUNCH + 120 * DAY);
    expect(standingOf(agent, LAUNCH + 180 * DAY)).toBe(TOKEN);
    // The backing is that of the last fee.
    expect(backingBp(agent)).toBe(1000);
  });

  it('a further fee does not put the next halving off', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    noteFee(agent, other, 8 * TOKEN, LAUNCH);
    noteFee(agent, other, 2 * TOKEN, LAUNCH + 70 * DAY);
    expect(standingOf(agent, LAUNCH + 119 * DAY)).toBe(6 * TOKEN);
    expect(standingOf(agent, LAUNCH + 120 * DAY)).toBe(3 * TOKEN);
  });

  it('leaves nothing in the end, and a new standing has 60 days again', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    const other = newAgent(2, 0, 0);
    noteFee(agent, other, 8 * TOKEN, LAUNCH);
    const late = LAUNCH + 60 * DAY * 40 + 5;
    expect(standingOf(agent, late)).toBe(0);
    expect(halvesAtSecs(agent, late)).toBe(0);
    noteFee(agent, other, 2 * TOKEN, late);
    expect(standingOf(agent, late + 60 * DAY - 1)).toBe(2 * TOKEN);
    expect(standingOf(agent, late + 60 * DAY)).toBe(TOKEN);
  });
});

describe('an imported row', () => {
  it('is refused when its sums are not those of its buckets, or a bucket holds too much', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    noteFee(agent, newAgent(2, 0, 0), 8 * TOKEN, LAUNCH);
    const index = agentIndex(agent);
    const row = standingRow(index);
    row.sum++;
    expect(isSaneStanding(index)).toBe(false);
    row.sum--;
    row.breadth++;
    expect(isSaneStanding(index)).toBe(false);
    row.breadth--;
    expect(isSaneStanding(index)).toBe(true);
    store<u16>(bucketAt(row, 0), <u16>(MAX_BUCKET_UNITS + 1));
    expect(isSaneStanding(index)).toBe(false);
  });
});

// Open items and votes: rows are reused, chains stay complete, full tables are detected in time.

import { ITEM_TRANSFER } from '../../../assembly/abi';
import {
  findItem,
  hasItemRows,
  itemAt,
  itemRow,
  openItem,
  removeItem,
} from '../../../assembly/settlement/items';
import {
  addVote,
  hasVoted,
  hasVoteRow,
  removeVotes,
  voteAt,
  voterOf,
} from '../../../assembly/settlement/votes';
import { header } from '../../../assembly/state/header';
import { timerCount } from '../../../assembly/state/timers';
import { freshState, LAUNCH } from '../support/state';

const EVENT: usize = memory.data(32, 8);

function open(number: u64): u32 {
  store<u64>(EVENT, number);
  return itemRow(openItem(EVENT, ITEM_TRANSFER, 0, 1, 5, LAUNCH, LAUNCH + number));
}

function find(number: u64): i32 {
  store<u64>(EVENT, number);
  return findItem(EVENT);
}

describe('items', () => {
  it('fill the table, and a freed row is used next', () => {
    freshState();
    for (let i: u64 = 0; i < 50; i++) expect(open(i + 1)).toBe(<u32>i);
    expect(hasItemRows(1)).toBe(false);
    removeItem(itemAt(20));
    removeItem(itemAt(7));
    expect(find(21)).toBe(-1);
    expect(timerCount()).toBe(48);
    expect(open(100)).toBe(7);
    expect(open(101)).toBe(20);
    expect(hasItemRows(1)).toBe(false);
    expect(find(100)).toBe(7);
  });

  it('leave zero rows with a link', () => {
    freshState();
    open(1);
    open(2);
    removeItem(itemAt(0));
    removeItem(itemAt(1));
    expect(itemAt(1).voteHead).toBe(1);
    expect(itemAt(1).amount).toBe(0);
    expect(itemAt(0).voteHead).toBe(0);
    expect(header().itemsFree).toBe(2);
  });
});

describe('votes', () => {
  it('are chained in order of voting and freed together', () => {
    freshState();
    const item = itemAt(open(1));
    for (let v: u32 = 0; v < 5; v++) addVote(item, 9 - v, v % 2 == 0, v, LAUNCH);
    expect(item.voteCount).toBe(5);
    expect(hasVoted(item, 7)).toBe(true);
    expect(hasVoted(item, 4)).toBe(false);
    let link = item.voteHead;
    for (let v: u32 = 0; v < 5; v++) {
      expect(voterOf(voteAt(link - 1))).toBe(9 - v);
      link = voteAt(link - 1).next;
    }
    expect(link).toBe(0);
    removeVotes(item.voteHead);
    expect(header().votesLive).toBe(0);
    for (let i: u32 = 0; i < 50; i++) {
      expect(hasVoteRow()).toBe(true);
      addVote(item, i, true, 0, LAUNCH);
    }
    expect(hasVoteRow()).toBe(false);
  });
});

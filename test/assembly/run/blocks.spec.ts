// Blocks: the effects of passing time (protocol 1.4, 6.12).

import { BAD, DONE } from '../../../assembly/io/output';
import { openBlock } from '../../../assembly/run/blocks';
import { header, nowSecs, PHASE_IDLE } from '../../../assembly/state/header';
import { freshState, LAUNCH, newValidator, TOKEN } from '../support/state';

const RECORD: usize = memory.data(56, 8);
const DAY: u64 = 86400;

function block(secs: u64): i32 {
  header().phase = PHASE_IDLE;
  store<u64>(RECORD, secs * 1000, 8);
  return openBlock(RECORD);
}

describe('time', () => {
  it('may stay the same and does not go back', () => {
    freshState();
    expect(block(LAUNCH + 5)).toBe(DONE);
    expect(block(LAUNCH + 5)).toBe(DONE);
    expect(block(LAUNCH + 4)).toBe(BAD);
    expect(nowSecs()).toBe(LAUNCH + 5);
  });
});

describe('bootstrap', () => {
  it('ends for ever when both 90 days and 20 active validators are reached', () => {
    freshState();
    for (let i: u64 = 0; i < 19; i++) newValidator(i, TOKEN, 5000);
    block(LAUNCH + 90 * DAY);
    expect(header().bootstrapOver).toBe(0);
    const last = newValidator(19, TOKEN, 5000);
    block(LAUNCH + 90 * DAY);
    expect(header().bootstrapOver).toBe(1);
    last.status = 3;
    block(LAUNCH + 91 * DAY);
    expect(header().bootstrapOver).toBe(1);
  });

  it('continues before the 90th day whatever their number', () => {
    freshState();
    for (let i: u64 = 0; i < 25; i++) newValidator(i, TOKEN, 5000);
    block(LAUNCH + 90 * DAY - 1);
    expect(header().bootstrapOver).toBe(0);
  });
});

// The rates and the draw of replays (protocol 6.12), and the ids of cases (protocol 1.3).

import { REPLAY_CLUSTER, REPLAY_PROBATION, REPLAY_SAMPLED } from '../../../assembly/abi';
import { writeChallengeId, writeJobId } from '../../../assembly/cases/ids';
import { isReplayDrawn, ReplayCase, replayRateBp, replayReason } from '../../../assembly/cases/replay-draw';
import { blockHash, header } from '../../../assembly/state/header';
import { freshState } from '../support/state';

const SITUATION: usize = memory.data(8, 8);
const ID: usize = memory.data(32, 8);
const OUT: usize = memory.data(32, 8);
// Numbers of SHA-256("replay:" + task id + ":" + block hash), computed independently of this code.
const AT_ZERO_HASH: u64 = 1344;
const AT_AB_HASH: u64 = 5478;

/** Facts of a task; the last two may raise the task's own rate. */
function situation(isEligible: bool, completed: u32, hasProbation: bool, hasCluster: bool): ReplayCase {
  const it = changetype<ReplayCase>(SITUATION);
  it.isEligible = isEligible;
  it.completed = completed;
  it.hasProbation = hasProbation;
  it.hasCluster = hasCluster;
  return it;
}

function rate(isEligible: bool, completed: u32): u64 {
  return replayRateBp(situation(isEligible, completed, false, false));
}

describe('replay rates', () => {
  it('during bootstrap: assured 4000, eligible 5000, newcomer 7500', () => {
    freshState();
    expect(rate(false, 10)).toBe(4000);
    expect(rate(true, 10)).toBe(5000);
    expect(rate(true, 9)).toBe(7500);
    expect(rate(false, 0)).toBe(7500);
  });

  it('after bootstrap: 2000, 3500, 5000', () => {
    freshState();
    header().bootstrapOver = 1;
    expect(rate(false, 10)).toBe(2000);
    expect(rate(true, 10)).toBe(3500);
    expect(rate(true, 9)).toBe(5000);
  });

  it('probation gives 5000 where that is the higher rate', () => {
    freshState();
    expect(replayRateBp(situation(false, 10, true, false))).toBe(5000);
    expect(replayReason(situation(false, 10, true, false))).toBe(REPLAY_PROBATION);
    expect(replayReason(situation(true, 10, true, false))).toBe(REPLAY_SAMPLED);
    expect(replayRateBp(situation(true, 3, true, false))).toBe(7500);
    expect(replayReason(situation(true, 3, true, false))).toBe(REPLAY_SAMPLED);
    header().bootstrapOver = 1;
    expect(replayReason(situation(true, 10, true, false))).toBe(REPLAY_PROBATION);
    expect(replayReason(situation(true, 3, true, false))).toBe(REPLAY_SAMPLED);
  });

  it('a cluster is always replayed', () => {
    freshState();
    expect(replayRateBp(situation(true, 3, true, true))).toBe(10000);
    expect(replayReason(situation(true, 3, true, true))).toBe(REPLAY_CLUSTER);
    expect(replayReason(situation(false, 50, false, true))).toBe(REPLAY_CLUSTER);
  });
});

describe('replay draw', () => {
  it('accepts numbers below the rate, and depends on the block', () => {
    freshState();
    memory.fill(ID, 0, 32);
    store<u8>(ID, 1);
    expect(isReplayDrawn(ID, AT_ZERO_HASH)).toBe(false);
    expect(isReplayDrawn(ID, AT_ZERO_HASH + 1)).toBe(true);
    memory.fill(blockHash(), 0xab, 32);
    expect(isReplayDrawn(ID, AT_AB_HASH)).toBe(false);
    expect(isReplayDrawn(ID, AT_AB_HASH + 1)).toBe(true);
    expect(isReplayDrawn(ID, 0)).toBe(false);
    expect(isReplayDrawn(ID, 10000)).toBe(true);
  });
});

describe('ids of cases', () => {
  it('are hashes of hex texts', () => {
    memory.fill(ID, 0, 32);
    store<u8>(ID, 1);
    writeJobId(OUT, ID);
    // bd2df5c6b78c5524...
    expect(bswap<u32>(load<u32>(OUT))).toBe(0xbd2df5c6);
    expect(bswap<u32>(load<u32>(OUT, 4))).toBe(0xb78c5524);
    memory.fill(ID, 1, 32);
    memory.fill(OUT, 0xff, 32);
    writeChallengeId(OUT, ID);
    // 1832eb5eb188c76e9d466f7f, then four zero bytes.
    expect(bswap<u32>(load<u32>(OUT))).toBe(0x1832eb5e);
    expect(bswap<u32>(load<u32>(OUT, 4))).toBe(0xb188c76e);
    expect(bswap<u32>(load<u32>(OUT, 8))).toBe(0x9d466f7f);
    expect(load<u32>(OUT, 12)).toBe(0);
  });
});

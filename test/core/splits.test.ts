// Verdicts for the worker, for the poster, or for a split in steps of 10 % (protocol 15.6).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { all, JudgeNet, LARGE } from './judge-net.ts';

/** Five judges of equal weight vote in this order; what the escrow of 100 tokens becomes. */
function judged(shares: readonly number[]): { refund: bigint; net: JudgeNet } {
  const net = new JudgeNet(6, all(6));
  const { task, dispute } = net.open(LARGE);
  const panel = net.drawn(dispute);
  net.shares(dispute, panel, shares);
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_QUORUM });
  return { refund: net.settled(task).refund as bigint, net };
}

test('the outcome is the share that a majority calls not too much, and a majority not too little', () => {
  for (const [shares, outcome] of [
    [[4, 5, 7, 5, 6], 5n],
    [[9, 3, 1, 4, 2], 3n],
    [[7, 7, 7, 7], 7n],
    [[0, 0, 0, 0], 0n],
    [[10, 10, 3, 10, 10], 10n],
    [[0, 10, 1, 0, 3], 1n],
  ] as const) {
    expect(judged(shares).refund).toBe((LARGE * (10n - outcome)) / 10n);
  }
});

test('shares that are far apart are no outcome of a panel, and the median of all judges decides', () => {
  const net = new JudgeNet(6, all(6));
  const { task, dispute } = net.open(LARGE);
  const panel = net.drawn(dispute);
  net.shares(dispute, panel, [0, 2, 5, 8, 10]);
  expect(net.task32(task, abi.TASK_PANELS)).toBe(2);
  net.shares(dispute, [all(6).find((seat) => !panel.includes(seat))!], [4]);
  // Three of six are for at most 4, which is not more than half; all votes are in, and nobody is left to ask.
  expect(net.settled(task)).toMatchObject({
    refund: LARGE / 2n,
    resolution: abi.RESOLUTION_DISPUTE_DEADLINE,
  });
});

test('one judge of five moves the outcome no further than to the next vote of another', () => {
  const outcomes = all(11).map((share) => judged([3, 6, 3, 6, share]).refund);
  const expected = all(11).map((share) => (LARGE * BigInt(10 - Math.min(6, Math.max(3, share)))) / 10n);
  expect(outcomes).toEqual(expected);
});

test('two thirds have to agree on either side where all validators judge', () => {
  const net = new JudgeNet(6, []);
  const { task, dispute } = net.open(LARGE);
  net.shares(dispute, all(6), [0, 5, 5, 5, 5, 9]);
  expect(net.settled(task)).toMatchObject({
    refund: LARGE / 2n,
    resolution: abi.RESOLUTION_DISPUTE_QUORUM,
  });
  // Four of six say at least 5, which is 66.67 % and not 66.7 %.
  const second = net.open(LARGE);
  net.shares(second.dispute, all(6), [0, 0, 5, 5, 5, 9]);
  expect(net.settled(second.task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_DEADLINE });
});

test('only an approval in a dispute names a share', () => {
  const net = new JudgeNet(6, all(6));
  const { dispute } = net.open(LARGE);
  const claim = net.generation('worker', 1n);
  net.must(claim);
  const told = net.run([net.verify('op0', claim, true, undefined, 0, 5)]).txs[0]!;
  expect([told.code, told.words[0]]).toEqual([abi.INVALID_REQUEST, BigInt(abi.REASON_SHARE)]);
  const judge = `op${net.drawn(dispute)[0]!}`;
  // A rejection with a share, and a share above all: no host makes such a record.
  for (const vote of [
    { verdict: false, share: 3 },
    { verdict: true, share: 11 },
  ])
    expect(() => net.run([net.reveal(judge, dispute, vote)])).toThrow('framing error');
});

test('a judge within 30 % of the outcome was right, and no other', () => {
  const { net } = judged([0, 4, 6, 5, 7]);
  const right = all(6).map((seat) => {
    const v = net.core.queryIndex(abi.QUERY_VALIDATOR, seat)!;
    const [decided, correct] = [abi.VALIDATOR_VOTES_DECIDED, abi.VALIDATOR_VOTES_RIGHT];
    return [v.getUint32(decided, true), v.getUint32(correct, true)];
  });
  expect(
    right
      .filter(([decided]) => decided === 1)
      .map(([, correct]) => correct)
      .sort(),
  ).toEqual([0, 1, 1, 1, 1]);
});

test('the worked example of a split: who pays the fees, the subtask and the judges (15.6)', () => {
  const net = new JudgeNet(9, all(9));
  const task = net.post(100_000_001n, { lane: abi.LANE_STANDARD });
  net.must(task);
  net.must(net.claim('worker', task));
  const sub = net.sub(task, 30_000_000n);
  net.must(sub);
  net.must(net.claim('helper', sub), net.submit('helper', sub), net.on(abi.OP_TASK_APPROVE, 'worker', sub));
  net.must(net.submit('worker', task));
  const dispute = net.contested(task);
  const [poster, worker] = ['poster', 'worker'].map((name) => net.agent(name, abi.AGENT_BALANCE));
  const panel = net.drawn(dispute);
  net.shares(dispute, panel, [2, 4, 10, 3, 5]);
  const settled = { refund: 42_000_001n, base: 28_000n, assurance: 1_200_000n, payout: 26_772_000n };
  expect(net.settled(task)).toMatchObject(settled);
  expect(net.settled(sub)).toMatchObject({ payout: 29_970_000n, base: 30_000n });
  // Of 5 x 2,000,000 for the judges the worker pays 60 %, the poster the rest; what is left of both bonds goes back.
  expect(net.agent('worker', abi.AGENT_BALANCE) - worker!).toBe(26_772_000n + 25_000_000n - 6_000_000n);
  expect(net.agent('poster', abi.AGENT_BALANCE) - poster!).toBe(42_000_001n + 25_000_000n - 4_000_000n);
  expect(42_000_001n + 28_000n + 1_200_000n + 26_772_000n + 30_000_000n).toBe(100_000_001n);
});

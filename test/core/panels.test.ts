// Judges that are announced, the panels drawn from them, and what happens without a quorum (protocol 15.8).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import { decodeSettlement } from './driver.ts';
import { TOKEN, type Vote } from './fixture.ts';
import { all, JudgeNet, LARGE, SMALL } from './judge-net.ts';

const isFor = (verdict: boolean) => (): Vote => ({ verdict });
const FRAUD: Vote = { verdict: false, ground: abi.GROUND_FRAUD };

test('only drawn judges vote, and two thirds of five have to agree', () => {
  const net = new JudgeNet(9, all(7));
  const { task, dispute } = net.open(LARGE);
  const panel = net.drawn(dispute);
  expect([panel.length, net.task32(task, abi.TASK_PANELS)]).toEqual([5, 1]);
  expect(panel.every((seat) => seat < 7)).toBe(true);
  const other = all(9).find((seat) => !panel.includes(seat))!;
  expect(net.codes([net.commit(`op${other}`, dispute, FRAUD)])).toEqual([abi.NOT_ASSIGNED]);
  net.votes(dispute, panel, (i) => ({ verdict: i !== 3 }));
  expect(net.settled(task)).toMatchObject({
    status: abi.PAYOUT_PAID,
    resolution: abi.RESOLUTION_DISPUTE_QUORUM,
  });
});

test('where a panel does not agree all announced judges are asked at once, and more than half of them decide', () => {
  const net = new JudgeNet(9, all(9));
  const { task, dispute } = net.open(LARGE);
  const panel = net.drawn(dispute);
  const others = all(9).filter((seat) => !panel.includes(seat));
  net.votes(dispute, panel, (i) => ({ verdict: i < 2 }));
  expect([net.task32(task, abi.TASK_STATUS), net.task32(task, abi.TASK_PANELS)]).toEqual([
    abi.TASK_DISPUTED,
    2,
  ]);
  expect(net.codes([net.commit(`op${panel[0]}`, dispute, FRAUD)])).toEqual([abi.ALREADY_VOTED]);
  const before = net.agent(`op${others[2]}`, abi.AGENT_BALANCE);
  net.votes(dispute, others.slice(0, 3), isFor(true));
  expect(net.settled(task)).toMatchObject({
    status: abi.PAYOUT_PAID,
    resolution: abi.RESOLUTION_DISPUTE_QUORUM,
  });
  // Eight votes share ten tokens, and the base fee's part of its voters.
  expect(net.agent(`op${others[2]}`, abi.AGENT_BALANCE) - before).toBeGreaterThanOrEqual(1_250_000n);
});

test('where the panel is all announced judges, its last vote decides by more than half', () => {
  const net = new JudgeNet(6, all(5));
  const { task, dispute } = net.open(LARGE);
  net.votes(dispute, all(5), (i) => ({ verdict: i < 2 }));
  expect(net.settled(task)).toMatchObject({ refund: LARGE, resolution: abi.RESOLUTION_DISPUTE_QUORUM });
});

test('where the panel is all announced judges and does not decide, no_quorum does so with the last vote', () => {
  const net = new JudgeNet(5, all(4));
  const { task, dispute } = net.open(LARGE, { noQuorum: abi.NO_QUORUM_WORKER });
  net.shares(dispute, all(4), [0, 0, 10, 10]);
  expect(net.settled(task)).toMatchObject({
    status: abi.PAYOUT_PAID,
    resolution: abi.RESOLUTION_DISPUTE_DEADLINE,
  });
  expect([net.task32(task, abi.TASK_PANELS), all(4).every((seat) => net.isJudge(seat))]).toEqual([
    undefined,
    true,
  ]);
});

/** Nine judges of equal weight, of whom four on the panel accuse the worker of fraud; the fifth and the others follow. */
function accused(fifth: Vote, others: (position: number) => Vote) {
  const net = new JudgeNet(9, all(9));
  const { task, dispute } = net.open(LARGE);
  const panel = net.drawn(dispute);
  net.votes(dispute, panel, (i) => (i < 4 ? FRAUD : fifth));
  const isOpen = net.task32(task, abi.TASK_STATUS) === abi.TASK_DISPUTED;
  net.votes(
    dispute,
    all(9).filter((seat) => !panel.includes(seat)),
    others,
  );
  return { net, task, isOpen, staked: net.agent('worker', abi.AGENT_STAKED) };
}

test('a panel that accuses slashes nobody by itself: two thirds of all judges have to say so (15.7)', () => {
  const slashed = accused({ verdict: true }, () => FRAUD);
  expect(slashed.isOpen).toBe(true);
  expect(slashed.net.settled(slashed.task)).toMatchObject({ refund: LARGE });
  expect(slashed.staked).toBe((TOKEN * 9n) / 10n);
});

test('six of nine that accuse are 66.67 %, and slash nobody', () => {
  const spared = accused({ verdict: true }, (i) => (i < 2 ? FRAUD : { verdict: false }));
  expect(spared.net.settled(spared.task)).toMatchObject({ refund: LARGE });
  expect([spared.isOpen, spared.staked]).toEqual([true, TOKEN]);
});

test('below ten tokens one judge decides, and slashes nobody where three are needed', () => {
  const net = new JudgeNet(4, all(4));
  const { task, dispute } = net.open(SMALL);
  const [judge, ...more] = net.drawn(dispute);
  expect(more).toEqual([]);
  const before = net.agent(`op${judge}`, abi.AGENT_BALANCE);
  const told = net.votes(dispute, [judge!], () => FRAUD);
  expect(told.events.map((e) => e.type)).toEqual([abi.EVENT_SETTLEMENT, abi.EVENT_TASK_SETTLED]);
  expect(net.settled(task)).toMatchObject({ refund: SMALL });
  expect(net.agent('worker', abi.AGENT_STAKED)).toBe(TOKEN);
  expect(net.agent(`op${judge}`, abi.AGENT_BALANCE) - before).toBe(SMALL / 10n);
});

test('at the end of its time a panel is followed by all other judges: who did not vote is none any more', () => {
  const net = new JudgeNet(9, all(9));
  const { task, dispute } = net.open(LARGE, { noQuorum: abi.NO_QUORUM_POSTER });
  const first = net.drawn(dispute);
  net.votes(dispute, first.slice(0, 1), isFor(true));
  expect([net.task32(task, abi.TASK_STATUS), net.task32(task, abi.TASK_PANELS)]).toEqual([
    abi.TASK_DISPUTED,
    2,
  ]);
  expect(all(9).filter((seat) => !net.isJudge(seat))).toEqual(first.slice(1).sort());
  expect(net.codes([net.commit(`op${first[1]}`, dispute, FRAUD)])).toEqual([abi.NOT_ASSIGNED]);
  net.votes(
    dispute,
    all(9)
      .filter((seat) => !first.includes(seat))
      .slice(0, 2),
    isFor(true),
  );
  expect(net.settled(task)).toMatchObject({
    status: abi.PAYOUT_PAID,
    resolution: abi.RESOLUTION_DISPUTE_QUORUM,
  });
});

test('after all judges what the task fixed at its creation decides', () => {
  const net = new JudgeNet(9, all(9));
  const { task, dispute } = net.open(LARGE, { noQuorum: abi.NO_QUORUM_POSTER });
  const first = net.drawn(dispute);
  net.pastDeadline();
  const voter = all(9).find((seat) => !first.includes(seat))!;
  net.votes(dispute, [voter], isFor(true));
  expect(net.settled(task)).toMatchObject({ refund: LARGE, resolution: abi.RESOLUTION_DISPUTE_DEADLINE });
  expect(all(9).filter((seat) => net.isJudge(seat))).toEqual([voter]);
});

test('a dispute that all judges leave undecided names the weight of the silent, too', () => {
  const net = new JudgeNet(9, all(9));
  const { task, dispute } = net.open(LARGE, { noQuorum: abi.NO_QUORUM_POSTER });
  const panel = net.drawn(dispute);
  net.votes(dispute, panel, (i) => ({ verdict: i < 2 }));
  net.pastDeadline();
  expect(net.settled(task)).toMatchObject({ refund: LARGE, resolution: abi.RESOLUTION_DISPUTE_DEADLINE });
  const { approve, total } = decodeSettlement(net.told.find((e) => e.type === abi.EVENT_SETTLEMENT)!);
  expect(2n * total).toBe(9n * approve);
  expect(all(9).filter((seat) => net.isJudge(seat))).toEqual(panel.sort());
});

test('where nobody else is announced nobody is waited for', () => {
  const net = new JudgeNet(6, all(5));
  const { task } = net.open(LARGE, { noQuorum: abi.NO_QUORUM_WORKER });
  net.pastDeadline();
  expect(net.settled(task)).toMatchObject({
    status: abi.PAYOUT_PAID,
    resolution: abi.RESOLUTION_DISPUTE_DEADLINE,
  });
});

test('all validators judge where fewer than three judges are announced, or where those that are hold little', () => {
  const few = new JudgeNet(6, [0, 1]);
  const heavy = { stake: 500_000n * TOKEN };
  const light = new JudgeNet([{}, {}, {}, heavy, heavy], [0, 1, 2]);
  for (const net of [few, light]) {
    const { task, dispute } = net.open(LARGE);
    expect(net.task32(task, abi.TASK_PANELS)).toBe(0);
    net.votes(dispute, all(5), isFor(true));
    expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_QUORUM });
  }
});

test('the parties of a dispute are not drawn', () => {
  const net = new JudgeNet(4, all(4));
  const task = net.cmd(abi.OP_TASK_CREATE, 'op0', { amount: LARGE, category: 'code' });
  net.must(net.cmd(abi.OP_FAUCET, 'op0'));
  net.must(task);
  net.must(net.claim('worker', task), net.submit('worker', task));
  const dispute = net.contested(task, 'op0');
  expect(net.drawn(dispute).sort()).toEqual([1, 2, 3]);
});

test('a judge is announced and withdrawn by its operator, once each', () => {
  const net = new JudgeNet(3, []);
  const codes = (...commands: Command[]): number[] => net.codes(commands);
  expect(codes(net.announce(0, false))).toEqual([abi.TASK_STATE]);
  expect(codes(net.announce(0, true, { target: 'v1' }))).toEqual([abi.FORBIDDEN_ACTOR]);
  expect(codes(net.cmd(abi.OP_VALIDATOR_JUDGE, 'poster', { verdict: true }))).toEqual([
    abi.VALIDATOR_NOT_FOUND,
  ]);
  expect(codes(net.announce(0, true), net.announce(0, true))).toEqual([abi.OK, abi.TASK_STATE]);
  expect(codes(net.announce(0, false, { target: 'v0' }))).toEqual([abi.OK]);
  expect(net.isJudge(0)).toBe(false);
});

test('only an active validator announces a judge', () => {
  const net = new JudgeNet([{}, { status: abi.VALIDATOR_PROBATION }], []);
  expect(net.codes([net.announce(1, true)])).toEqual([abi.TASK_STATE]);
});

test('where few judges are announced a task without a contract is posted only by who accepts that', () => {
  const net = new JudgeNet(4, [0, 1], { [abi.PARAM_MIN_JUDGES]: 3 });
  const accepting = { flags: abi.TASK_ACCEPTS_NO_JUDGES };
  const [told] = net.run([net.post(SMALL)]).txs;
  expect([told!.code, ...told!.words.slice(0, 2)]).toEqual([abi.TOO_FEW_JUDGES, 2n, 3n]);
  const task = net.post(SMALL, accepting);
  expect(net.codes([net.post(SMALL, { fuel: 1000 }), task, net.claim('worker', task)])).toEqual([0, 0, 0]);
  expect(net.task32(task, abi.TASK_FLAGS)! & abi.TASK_ACCEPTS_NO_JUDGES).not.toBe(0);
  expect(net.codes([net.sub(task, TOKEN)])).toEqual([abi.TOO_FEW_JUDGES]);
  expect(net.codes([{ ...net.sub(task, TOKEN), ...accepting }])).toEqual([abi.OK]);
  expect(net.codes([net.announce(2, true), net.post(SMALL), net.sub(task, TOKEN)])).toEqual([0, 0, 0]);
  expect(net.codes([net.announce(2, false), net.post(SMALL)])).toEqual([abi.OK, abi.TOO_FEW_JUDGES]);
});

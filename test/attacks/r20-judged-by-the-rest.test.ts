// R20: honest validators agree, so the protocol takes them for one cluster, and a cluster judges neither a challenge of one of its
// own nor a dispute after one of them sat on the panel. Who disagrees now and then stays out of it. Three of fifteen
// validators, a fifth of the weight, so judged all others: they took three quarters of the stake of each, excluded them with the
// second time, and gave a friend what its poster disputed. What stands against it (protocol 6.9): clusters are kept from
// judging only where those that are left hold half of the held weight, and a decision takes its part of half of it at least.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { hash, TOKEN } from '../core/fixture.ts';
import { JudgeNet } from '../core/judge-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const HONEST = Array.from({ length: 12 }, (_, i) => i);
const LIARS = [12, 13, 14];
const DAY = 86_400;
const BUDGET = 25n * TOKEN;

/** Disputes that all validators judge, in which the liars say the opposite now and then; the next day has the clusters. */
function clustered(): JudgeNet {
  const net = new JudgeNet(HONEST.length + LIARS.length, []);
  for (let i = 0; i < 52; i++) {
    const { dispute } = net.open(TOKEN / 10n);
    net.votes(dispute, [...HONEST, ...LIARS], (seat) => ({ verdict: seat < HONEST.length || i % 8 !== 0 }));
  }
  net.run([], DAY);
  return net;
}

/** An assured task whose panel, as far as it is honest, has approved the delivery. */
function approved(net: JudgeNet): { task: Command; member: number } {
  const task = net.post(BUDGET, { lane: abi.LANE_STANDARD });
  net.must(task);
  net.must(net.claim('worker', task), net.submit('worker', task));
  const honest = net.panel(task).filter((seat) => HONEST.includes(seat));
  net.must(...honest.slice(0, 1).map((seat) => net.verify(`op${seat}`, net.submission(task), true)));
  return honest.length > 0 ? { task, member: honest[0]! } : approved(net);
}

const staked = (net: JudgeNet, seat: number): bigint => net.agent(`op${seat}`, abi.AGENT_STAKED);

test('a fifth of the weight does not take the stake of honest validators by challenges', () => {
  const net = clustered();
  const { task, member } = approved(net);
  net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task), net.cmd(abi.OP_FAUCET, 'helper'));
  const before = staked(net, member);
  const challenge = net.on(abi.OP_CHALLENGE_OPEN, 'helper', task, {
    target: `v${member}`,
    offense: abi.OFFENSE_COLLUSION,
  });
  net.must(challenge);
  const id = hash(`challenge:${challenge.txid}`).slice(0, 24);
  const vote = (seat: number, outcome: number): Command =>
    net.cmd(abi.OP_CHALLENGE_VOTE, `op${seat}`, { challenge: id, outcome });
  net.must(...LIARS.map((seat) => vote(seat, abi.CHALLENGE_SUCCEEDED)));
  const taken = (before - staked(net, member)) / TOKEN;
  report({
    attack: 'R20',
    what: 'tokens of a stake of 25,000 that a fifth of the weight takes by one challenge of an honest validator',
    before: '18,750',
    after: String(taken),
  });
  expect(taken).toBe(0n);
  const others = HONEST.filter((seat) => seat !== member);
  expect(new Set(net.codes(others.map((seat) => vote(seat, abi.CHALLENGE_FAILED))))).toContain(abi.OK);
  expect(net.agent(`op${member}`, abi.AGENT_BALANCE)).toBeGreaterThan(0n);
});

test('a fifth of the weight does not decide the dispute of a task whose panel was honest', () => {
  const net = clustered();
  const { task } = approved(net);
  const dispute = net.contested(task);
  const codes = net.codes(LIARS.map((seat) => net.commit(`op${seat}`, dispute, { verdict: true })));
  expect(codes).toEqual([abi.OK, abi.OK, abi.OK]);
  const honest = HONEST.filter(
    (seat) => net.codes([net.commit(`op${seat}`, dispute, { verdict: false })])[0] === abi.OK,
  );
  if (!net.isRevealing(dispute)) net.pastVotes(dispute);
  net.run([
    ...LIARS.map((seat) => net.reveal(`op${seat}`, dispute, { verdict: true })),
    ...honest.map((seat) => net.reveal(`op${seat}`, dispute, { verdict: false })),
  ]);
  const payout = Number(net.settled(task).payout) / 1e6;
  report({
    attack: 'R20',
    what: 'tokens of 25 that a fifth of the weight awards to a friend after an honest validator sat on the panel',
    before: '22.975',
    after: String(payout),
  });
  expect(payout).toBe(0);
});

// R19: a few validators with somewhat more stake than the others, together 14 % of the weight, see to it that only they can be
// drawn as judges: a task is so large that the stakes of the others do not cover it, or one was completed that raises the
// required stake above theirs, for 3.1 % of its budget. All announced judges together hold enough, so a panel was drawn, of
// these few. What stands against it (protocol 15.8): those who can be drawn hold a fifth of the held weight, and half of
// that of all announced judges; where they do not, all validators judge.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { type Seat, TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const HONEST = 20;
/** Cover tasks up to 35,000 tokens, and up to 36,666. */
const MODEST: Seat = { stake: 10_500n * TOKEN };
const MORE: Seat = { stake: 11_000n * TOKEN };
const BEYOND = 36_000n * TOKEN;
const BUDGET = 100n * TOKEN;

/** Operators of the validators with the larger stake, which announced a judge as all others did. */
const few = (count: number): string[] => Array.from({ length: count }, (_, i) => `op${HONEST + i}`);
const others = Array.from({ length: HONEST }, (_, i) => `op${i}`);

function opened(count = 3): TaskNet {
  const seats = [...others.map(() => MODEST), ...few(count).map(() => MORE)];
  const net = new TaskNet(seats, { testnet: false, chainId: 'vws-mainnet-1' });
  net.must(...seats.map((_, i) => net.cmd(abi.OP_VALIDATOR_JUDGE, `op${i}`, { verdict: true })));
  net.must(net.cmd(abi.OP_STAKE, 'worker', { amount: BEYOND }));
  return net;
}

function delivered(net: TaskNet, task: Command): Command {
  net.must(task);
  net.must(net.claim('worker', task), net.submit('worker', task));
  return task;
}

const assured = (net: TaskNet): Command => delivered(net, net.post(BEYOND, { lane: abi.LANE_STANDARD }));

/** Tokens that a worker has of a dispute in which the few vote for it, and the others, where they may, against it. */
function awarded(net: TaskNet, task: Command): number {
  const dispute = net.contested(task);
  const isForAll = net.task32(task, abi.TASK_PANELS) === 0;
  const against = isForAll ? others.map((by) => ({ by, verdict: false })) : [];
  net.decide(dispute, [...few(3).map((by) => ({ by, verdict: true })), ...against]);
  return Number(net.settled(task).payout) / 1e6;
}

test('a task that only few can cover is not judged by these few', () => {
  const net = opened();
  const after = awarded(net, assured(net));
  report({
    attack: 'R19',
    what: 'tokens that three of 23 validators award of a task of 36,000 that the stakes of the others do not cover',
    before: '34,884',
    after: String(after),
  });
  expect(after).toBe(0);
});

test('a task that raised the required stake leaves no dispute to those who have it', () => {
  const net = opened();
  net.must(net.on(abi.OP_TASK_APPROVE, 'poster', assured(net)));
  const after = awarded(net, delivered(net, net.post(BUDGET)));
  report({
    attack: 'R19',
    what: 'tokens of 100 that three of 23 validators award after they raised the required stake above that of the others',
    before: '99.9',
    after: String(after),
  });
  expect(after).toBe(0);
});

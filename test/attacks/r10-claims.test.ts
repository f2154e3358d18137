// R10: identities without stake claim every open task and deliver nothing, for as long as each task's delivery time.
// What stands against it (protocol 4.4, 7.1): whoever has nothing holds one claim up to claim_budget; further claims are
// backed by stake, which is locked meanwhile, or by fees that the treasury got from the agent's settled tasks.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { params, TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

/** The longest delivery time that a poster may set: 30 days. */
const MONTH = 2_592_000;
const CLAIM_BUDGET = 1_000n * TOKEN;
const CLAIM_STAKE = 100n * TOKEN;
const MINIMUM = 100_000n;

/** Agents without stake, and `count` tasks of the poster that may be claimed for a month. */
function opened(count: number, names: readonly string[], budget = TOKEN): { net: TaskNet; tasks: Command[] } {
  const net = new TaskNet(1);
  net.must(...names.map((name) => net.register(name)));
  const tasks = Array.from({ length: count }, () => net.post(budget, { deliverySecs: MONTH }));
  net.must(...tasks);
  return { net, tasks };
}

const refusal = (net: TaskNet, command: Command): [code: number, ...details: bigint[]] => {
  const { code, words } = net.run([command]).txs[0]!;
  return [code, ...words.slice(0, 4)];
};

test('two identities without stake hold two of 40 open tasks, not 40', () => {
  const hogs = ['hog0', 'hog1'];
  const { net, tasks } = opened(40, hogs);
  for (const name of hogs) for (const task of tasks) net.run([net.claim(name, task)]);
  const held = tasks.filter((task) => net.task32(task, abi.TASK_STATUS) === abi.TASK_CLAIMED).length;
  report({
    attack: 'R10',
    what: 'of 40 open tasks claimed by two without stake',
    before: '40',
    after: `${held}`,
  });
  expect(held).toBe(2);
});

test('a newcomer with nothing holds one claim up to the budget, and is told what another needs', () => {
  const { net, tasks } = opened(3, ['newcomer'], MINIMUM);
  const [dear, most] = [net.post(CLAIM_BUDGET + 1n), net.post(CLAIM_BUDGET)];
  net.must(dear, most);
  expect(refusal(net, net.claim('newcomer', dear))).toEqual([abi.CLAIM_LIMIT, 1n, 0n, CLAIM_BUDGET, 1n]);
  net.must(net.claim('newcomer', most));
  expect(refusal(net, net.claim('newcomer', tasks[0]!))).toEqual([abi.CLAIM_LIMIT, 0n, 1n, 1n, CLAIM_STAKE]);
  net.must(net.submit('newcomer', most), net.claim('newcomer', tasks[0]!));
});

test('stake backs further claims, one for each claim_stake, up to twenty, and is locked by them', () => {
  const { net, tasks } = opened(22, ['hog0'], MINIMUM);
  const stake = (amount: bigint) => net.cmd(abi.OP_STAKE, 'hog0', { amount });
  const unstake = (amount: bigint) => net.cmd(abi.OP_UNSTAKE, 'hog0', { amount });
  net.must(stake(CLAIM_STAKE), net.claim('hog0', tasks[0]!), net.claim('hog0', tasks[1]!));
  expect(refusal(net, net.claim('hog0', tasks[2]!))).toEqual([abi.CLAIM_LIMIT, 0n, 2n, 2n, CLAIM_STAKE]);
  expect(refusal(net, unstake(1n)).slice(0, 3)).toEqual([abi.STAKE_LOCKED, 2n, 0n]);
  net.must(stake(2n * CLAIM_STAKE), unstake(2n * CLAIM_STAKE));
  net.must(stake(40n * CLAIM_STAKE), ...tasks.slice(2, 20).map((task) => net.claim('hog0', task)));
  expect(refusal(net, net.claim('hog0', tasks[20]!))).toEqual([abi.CLAIM_LIMIT, 0n, 20n, 20n, 0n]);
  expect(refusal(net, unstake(23n * CLAIM_STAKE)).slice(0, 3)).toEqual([
    abi.STAKE_LOCKED,
    2n,
    22n * CLAIM_STAKE,
  ]);
  net.must(...tasks.slice(0, 19).map((task) => net.submit('hog0', task)), unstake(41n * CLAIM_STAKE));
});

test('the budgets of open claims are backed too', () => {
  const { net } = opened(0, ['worker1']);
  const [first, second] = [net.post(5_000n * TOKEN), net.post(1_500n * TOKEN)];
  net.must(first, second, net.cmd(abi.OP_STAKE, 'worker1', { amount: 4_000n * TOKEN }));
  net.must(net.claim('worker1', first));
  const { code, words } = net.run([net.claim('worker1', second)]).txs[0]!;
  expect([code, ...words.slice(0, 4)]).toEqual([
    abi.CLAIM_LIMIT,
    1n,
    5_000n * TOKEN,
    5_000n * TOKEN,
    1_500n * TOKEN,
  ]);
  net.must(net.cmd(abi.OP_STAKE, 'worker1', { amount: 1_500n * TOKEN }), net.claim('worker1', second));
});

/** One agent pays another of the same hand for `count` tasks; what the treasury got of it. */
function washed(net: TaskNet, count: number, budget: bigint): bigint {
  const treasury = () => net.core.header(abi.HEADER_POOLS + abi.POOL_TREASURY);
  const before = treasury();
  for (let i = 0; i < count; i++) {
    const task = net.post(budget);
    net.must(task, net.claim('washer', task), net.submit('washer', task));
    net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task));
  }
  return treasury() - before;
}

test('work that an agent pays itself for backs a claim only by the fees it cost, a hundred times', () => {
  const { net, tasks } = opened(3, ['washer']);
  const cheap = washed(net, 100, MINIMUM);
  expect(cheap).toBe(10_000n);
  net.must(net.claim('washer', tasks[0]!));
  const more = CLAIM_STAKE - 100n * cheap;
  expect(refusal(net, net.claim('washer', tasks[1]!))).toEqual([abi.CLAIM_LIMIT, 0n, 1n, 1n, more]);
  net.must(net.submit('washer', tasks[0]!));
  const paid = cheap + washed(net, 1, 990n * TOKEN);
  expect(paid).toBe(TOKEN);
  net.must(net.claim('washer', tasks[1]!), net.claim('washer', tasks[2]!));
  const what = 'fees for the second claim of an agent without stake';
  report({ attack: 'R10', what, before: 'none', after: `${paid / TOKEN} token` });
});

test('the bounds are network parameters', () => {
  const over = { [abi.PARAM_CLAIM_BUDGET]: 5_000_000, [abi.PARAM_CLAIM_STAKE]: 1_000_000 };
  const net = new TaskNet(1, { params: params(over) });
  net.must(net.register('newcomer'));
  const [small, dear] = [net.post(5n * TOKEN), net.post(5n * TOKEN + 1n)];
  net.must(small, dear);
  expect(net.codes([net.claim('newcomer', dear), net.claim('newcomer', small)])).toEqual([
    abi.CLAIM_LIMIT,
    abi.OK,
  ]);
  net.must(net.cmd(abi.OP_STAKE, 'newcomer', { amount: 5n * TOKEN + 1n }), net.claim('newcomer', dear));
});

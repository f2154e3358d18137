// R9: new agents post assured tasks of the smallest budget; the replays of each draw on the category's reserve, and when
// it is low nobody's work in the category is assured for a day. What stands against it (protocol 6.3, 6.4): a poster's
// draws of a day are bounded; a poster without fees behind it draws on the upper half of a reserve only; a reserve that is
// low blocks only tasks whose fee does not pay for their replay.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const CATEGORY = 'harbours';
const SMALLEST = 25n * TOKEN;
/** Of the smallest fee, 2 tokens, that a replay's executor gets without the reserve. */
const OWN_PART = 900_000n;
const HALF = 25n * TOKEN;

const reserve = (net: TaskNet): bigint => net.core.header(abi.HEADER_POOLS + abi.POOL_REPLAY_GENERAL);

/** An assured task of a poster in the category. */
const assured = (net: TaskNet, poster: string, budget = SMALLEST): Command => {
  const flags = abi.TASK_GENERATION_ELIGIBLE;
  const lane = abi.LANE_STANDARD;
  return net.cmd(abi.OP_TASK_CREATE, poster, { amount: budget, flags, category: CATEGORY, lane });
};

/** Posts, delivers and approves an assured task; the worker is new, so that the replay is likely. */
function completed(net: TaskNet, poster: string, worker: string, budget = SMALLEST): void {
  const task = assured(net, poster, budget);
  net.must(task, net.claim(worker, task), net.submit(worker, task));
  net.must(net.on(abi.OP_TASK_APPROVE, poster, task));
}

/** A network of four seats with `count` new agents. */
function opened(count: number): { net: TaskNet; names: string[] } {
  const net = new TaskNet(4);
  const names = Array.from({ length: count }, (_, i) => `sybil${i}`);
  // A seat's part of the daily budget is 50 grants.
  for (let seat = 0; seat < 2; seat++) {
    net.run(
      names.slice(40 * seat, 40 * seat + 40).map((name) => net.register(name)),
      1,
      seat,
    );
  }
  return { net, names };
}

/** Posters that brought the treasury ten tokens of fees each. */
function proven(net: TaskNet, names: readonly string[]): void {
  for (const name of names) {
    net.run([net.register(name), net.register(`${name}-paid`, 9_000n * TOKEN)], 1, 2);
    const task = net.cmd(abi.OP_TASK_CREATE, name, { amount: 10_000n * TOKEN, category: 'writing' });
    net.must(task, net.claim(`${name}-paid`, task), net.submit(`${name}-paid`, task));
    net.must(net.on(abi.OP_TASK_APPROVE, name, task));
  }
}

/** What the replays of these tasks drew from the reserve: the rewards of those that were drawn, without their own part. */
function drawnBy(net: TaskNet, complete: () => void): bigint {
  const escrow = () => net.core.header(abi.HEADER_REPLAY_ESCROW);
  const before = escrow();
  complete();
  const reward = escrow() - before;
  return reward === 0n ? 0n : reward - OWN_PART;
}

test('assured tasks of the smallest budget from 40 new agents leave assurance to everybody else', () => {
  const { net, names } = opened(80);
  let tasks = 0;
  const blocked = () => net.codes([assured(net, 'poster')])[0] === abi.ASSURANCE_BLOCKED;
  while (tasks < 40 && !blocked()) {
    completed(net, names[2 * tasks]!, names[2 * tasks + 1]!);
    tasks++;
  }
  const after = blocked() ? `${tasks}` : `not by ${tasks}`;
  report({ attack: 'R9', what: 'assured tasks of 25 tokens that block a category', before: '13', after });
  expect(blocked()).toBe(false);
  net.run([], 86_401);
  expect(reserve(net)).toBeGreaterThanOrEqual(50n * TOKEN);
});

test('new agents draw on the upper half of a reserve; then executors get their own part alone', () => {
  const { net, names } = opened(80);
  let last = 0n;
  for (let i = 0; i < 40; i++) {
    last = drawnBy(net, () => completed(net, names[2 * i]!, names[2 * i + 1]!));
    expect(last).toBeLessThanOrEqual(5n * TOKEN - OWN_PART);
    expect(reserve(net)).toBeGreaterThanOrEqual(HALF);
  }
  // Tasks without a replay gave half a token each to the reserve meanwhile.
  expect(last).toBeLessThan(TOKEN);
  expect(reserve(net)).toBeLessThan(HALF + 2n * TOKEN);
});

test('one poster draws five tokens a day', () => {
  const { net, names } = opened(80);
  const day = (from: number): bigint => {
    let sum = 0n;
    for (let i = from; i < from + 20; i++)
      sum += drawnBy(net, () => completed(net, names[0]!, names[1 + i]!));
    return sum;
  };
  expect(day(0)).toBe(5n * TOKEN);
  net.run([], 86_401);
  expect(day(20)).toBe(5n * TOKEN);
});

test('posters with fees behind them draw on the rest; what is left blocks small tasks only', () => {
  const { net, names } = opened(70);
  const posters = Array.from({ length: 10 }, (_, i) => `rich${i}`);
  proven(net, posters);
  let workers = 0;
  for (const poster of posters) {
    for (let i = 0; i < 7 && reserve(net) >= 10n * TOKEN; i++) completed(net, poster, names[workers++]!);
  }
  expect(reserve(net)).toBeLessThan(10n * TOKEN);
  // 3 % of 370.4 tokens are 11.112; 45 % of that are 5.
  expect(net.codes([25_000_000n, 370_370_399n, 370_400_000n].map((b) => assured(net, 'poster', b)))).toEqual([
    abi.ASSURANCE_BLOCKED,
    abi.ASSURANCE_BLOCKED,
    abi.OK,
  ]);
  net.run([], 86_401);
  expect(net.codes([assured(net, 'poster')])).toEqual([abi.OK]);
});

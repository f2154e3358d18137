// R8: tasks of 0.1 token among own identities make a reputation of 10,000, the first place of the leaderboard, twice the
// vote weight and five times the trust limit, for 0.01 token.
// What stands against it (protocol 6.17): wherever reputation decides, it counts as far as standing backs it: what the
// agent's work brought to the treasury, counterparty by counterparty. The score itself is shown as before.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { IdOrder } from '../../host/execution/id-order.ts';
import { Leaderboards } from '../../host/views/leaderboards.ts';
import { Standing } from '../../host/views/market/standing.ts';
import { washLarge, washSmall } from '../../tools/economy/attack-cast.ts';
import { Chain, registration, TOKEN, trade } from '../../tools/economy/attack-chain.ts';
import { builtPath } from '../../tools/load/built.ts';
import { TOKEN as MICRO } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import { finished } from '../host/views/finished.ts';
import { report } from './figures.ts';

const DAY = 86_400;
const core = new WebAssembly.Module(readFileSync(builtPath('core.wasm')));
const honest = Array.from({ length: 10 }, (_, i) => `honest${i}`);

/** A worker with 100 washed tasks, and an honest one with ten tasks of 2,000 tokens from ten posters. */
function market(): { chain: Chain; cost: number } {
  const chain = new Chain(core, true);
  const { cost } = washSmall(chain, 1);
  chain.run([registration('craftsman'), ...honest.map((name) => registration(name))], 2);
  for (const poster of honest) trade(chain, poster, 'craftsman', 2000 * TOKEN);
  return { chain, cost };
}

const boardsOf = (chain: Chain): Leaderboards => {
  const order = new IdOrder((agent) => String(agent).padStart(6, '0'));
  const { agents } = chain.state.header();
  for (let agent = 0; agent < agents; agent++) order.set(agent, { id: String(agent).padStart(6, '0') });
  const boards = new Leaderboards(chain.state, order, DAY);
  finished(boards.build());
  return boards;
};

test('first place of the leaderboard, and of the ranking of a category, is not for wash traders', () => {
  const { chain, cost } = market();
  const washed = chain.index('worker0');
  const craftsman = chain.index('craftsman');
  expect(cost).toBe(TOKEN / 100);
  expect(chain.state.agent(washed)).toMatchObject({ reputationBp: 10_000, standing: 0, backingBp: 0 });
  const boards = boardsOf(chain);
  expect(boards.page('reputation', 0, 1)).toEqual([washed]);
  expect(boards.page('standing', 0, 2)).toEqual([craftsman, washed]);
  expect(boards.category('code', 0, 2).agents).toEqual([craftsman, washed]);
  const rank = boards.page('standing', 0, 100).indexOf(washed) + 1;
  const what = 'rank of 100 tasks of 0.1 token before ten of 2,000 from ten posters';
  report({ attack: 'R8', what, before: '1', after: String(rank) });
  // In discovery nothing of the record counts.
  const standing = new Standing(chain.state, DAY);
  standing.read(0, washed, 0);
  standing.read(1, craftsman, 0);
  expect(standing.baseBp(0)).toBe(0);
  expect(standing.baseBp(1)).toBeGreaterThan(0);
});

test('what power all granted money of a day buys, and for what', () => {
  const chain = new Chain(core, true);
  const { cost, gained, power } = washLarge(chain, 60);
  expect(gained).toBe(0);
  expect(cost).toBeGreaterThan(0);
  // Ten tokens of power for a token that is lost, half of it gone in 60 days.
  expect(power).toBeGreaterThan(0);
  expect(power).toBeLessThanOrEqual(10 * cost);
  const before = chain.state.agent(chain.index('sybil0'))!.standing;
  chain.run([], 0, 60 * DAY);
  expect(chain.state.agent(chain.index('sybil0'))!.standing).toBe(Math.floor(before / 2000) * 1000);
});

const washedTasks = (net: TaskNet, worker: string, count: number): void => {
  for (let i = 0; i < count; i++) {
    const task = net.post(MICRO / 10n);
    net.run([task]);
    net.run([net.claim(worker, task)]);
    net.run([net.submit(worker, task)]);
    net.run([net.on(abi.OP_TASK_APPROVE, 'poster', task)]);
  }
};

test('the trust limit is the stake, after 100 washed tasks and 120 days', () => {
  const net = new TaskNet(1);
  net.run([net.register('washer', 10_000n * MICRO)]);
  net.run([], 120 * DAY);
  washedTasks(net, 'washer', 100);
  const agent = net.core.queryIndex(abi.QUERY_AGENT, net.index('washer'))!;
  expect(agent.getUint32(abi.AGENT_MULTIPLIER, true)).toBe(5);
  const limit = agent.getBigUint64(abi.AGENT_TRUST_LIMIT, true);
  const what = 'trust limit of a stake of 10,000 tokens after 100 tasks of 0.1 token';
  report({ attack: 'R8', what, before: '50,000', after: Number(limit / MICRO).toLocaleString('en') });
  expect(limit).toBe(10_000n * MICRO);
});

test('the vote weight of an operator who washes stays that of its baseline', () => {
  const net = new TaskNet(1);
  const weight = (): bigint =>
    net.core.queryIndex(abi.QUERY_VALIDATOR, 0)!.getBigUint64(abi.VALIDATOR_VOTE_WEIGHT, true);
  const before = weight();
  washedTasks(net, 'op0', 100);
  const agent = net.core.queryIndex(abi.QUERY_AGENT, net.index('op0'))!;
  expect(agent.getUint32(abi.AGENT_REPUTATION_BP, true)).toBe(10_000);
  const factor = (Number(weight()) / Number(before)).toFixed(2);
  report({
    attack: 'R8',
    what: 'vote weight after 100 tasks of 0.1 token',
    before: '2.00 times',
    after: `${factor} times`,
  });
  expect(weight()).toBe(before);
});

// R16: somebody with money posts an assured task that is larger than what the validators' stakes cover, and takes it back at
// once. Were the required stake raised by it, nobody could be drawn from then on, a week later every validator would be
// suspended, and no transfer or dispute be decided: for nothing. What stands against it (protocol 6.7): only what was
// completed, and paid for, raises the required stake of all; a task that is under way asks for its cover from those alone
// who judge it.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { unhex } from '../core/driver.ts';
import { type Seat, TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const DAY = 86_400;
/** Covers tasks up to 35,000 tokens. */
const STAKE = 10_500n * TOKEN;
const COVERED: Seat = { stake: 11_000n * TOKEN };
const LARGE = 36_000n * TOKEN;
const SEATS: Seat[] = [{ stake: STAKE }, { stake: STAKE }, { stake: STAKE }, { stake: STAKE }];

const opened = (seats = SEATS): TaskNet => new TaskNet(seats, { testnet: false, chainId: 'vws-mainnet-1' });
const assured = (net: TaskNet, budget: bigint): Command => net.post(budget, { lane: abi.LANE_STANDARD });
const required = (net: TaskNet): bigint => net.core.header(abi.HEADER_REQUIRED_STAKE);
const active = (net: TaskNet): number => Number(net.core.header(abi.HEADER_ACTIVE_VALIDATORS));

/** Validators that are named for a transfer. */
function namedFor(net: TaskNet): number {
  const [tx] = net.run([net.transfer('worker', 'helper', 1000n)]).txs;
  expect(tx!.code).toBe(abi.OK);
  return Number(tx!.words[abi.RESULT_PENDING_ASSIGNED_COUNT]);
}

/** Posts a large assured task and has its result delivered. The poster keeps what its dispute costs. */
function delivered(net: TaskNet, budget = LARGE): Command {
  const task = assured(net, budget);
  net.must(net.cmd(abi.OP_STAKE, 'worker', { amount: LARGE }), task);
  net.must(net.claim('worker', task), net.submit('worker', task));
  return task;
}

test('an assured task that is posted and taken back leaves the judges in office', () => {
  const net = opened();
  const before = net.agent('poster', abi.AGENT_BALANCE);
  const task = assured(net, LARGE);
  net.must(task, net.on(abi.OP_TASK_CANCEL, 'poster', task));
  expect(net.agent('poster', abi.AGENT_BALANCE)).toBe(before);
  expect(required(net)).toBe(10_000n * TOKEN);
  expect(namedFor(net)).toBe(3);
  net.run([], 8 * DAY);
  net.run([]);
  report({
    attack: 'R16',
    what: 'validators of four that judge a week after a large task was posted and taken back',
    before: '0',
    after: String(active(net)),
  });
  expect(active(net)).toBe(4);
});

test('a large assured task is judged by those whose stake covers it, and raises the required stake once it was paid for', () => {
  const net = opened([...SEATS, COVERED]);
  const task = delivered(net);
  expect(net.panel(task)).toEqual([4]);
  expect(required(net)).toBe(10_000n * TOKEN);
  expect(namedFor(net)).toBe(3);
  net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task));
  expect(required(net)).toBe(10_800n * TOKEN);
  // The base fee, and 3 % of the budget, of which the panel's member did not earn its part.
  expect(net.settled(task)).toMatchObject({ base: 36n * TOKEN, assurance: 1_080n * TOKEN });
});

/** Whether all validators may judge the dispute, and who was drawn for it. */
function judgesOf(net: TaskNet, dispute: Command): { isForAll: boolean; drawn: number[] } {
  const found = net.core.query(abi.QUERY_ITEM_FIND, unhex(dispute.txid))!;
  const item = net.core.queryIndex(abi.QUERY_ITEM, Number(found.getBigUint64(0, true)))!;
  const drawn = Array.from({ length: item.getUint32(abi.ITEM_ASSIGNED_COUNT, true) }, (_, i) =>
    item.getUint32(abi.ITEM_ASSIGNED + 4 * i, true),
  );
  const isForAll = net.codes([net.commit('op0', dispute, { verdict: true })])[0] === abi.OK;
  return { isForAll, drawn: drawn.sort() };
}

/** What becomes of the dispute about a large task of as many seats that cover it, all of which announced judges. */
function disputed(covered: number): ReturnType<typeof judgesOf> {
  const seats = [...SEATS, ...Array.from({ length: covered }, () => COVERED)];
  const net = opened(seats);
  net.must(...seats.map((_, i) => net.cmd(abi.OP_VALIDATOR_JUDGE, `op${i}`, { verdict: true })));
  const task = delivered(net);
  return judgesOf(net, net.contested(task));
}

test('a dispute about a large assured task is for judges whose stake covers it, else for all validators', () => {
  expect(disputed(5)).toEqual({ isForAll: false, drawn: [4, 5, 6, 7, 8] });
  expect(disputed(3).isForAll).toBe(true);
});

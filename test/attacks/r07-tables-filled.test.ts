// R7: the permanent tables of the ledger filled for ever, at no cost: API keys, categories, records.
// Each permanent row costs its maker something, rows of no use are freed, and a full table never stops money
// (protocol 6.18).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { SMALL } from '../core/driver.ts';
import { Net, params, TOKEN } from '../core/fixture.ts';
import { NOTHING, TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const DAY = 86_400;
const [AGENTS, KEYS, RECORDS, VALIDATORS, CATEGORIES, TASKS, CAPABILITIES] = [0, 4, 5, 6, 7, 8, 10];
const capacities = (over: Record<number, number>): number[] => SMALL.map((rows, i) => over[i] ?? rows);
const newKey = (id: bigint, expires = 0) => ({
  id,
  hash: new Uint8Array(32).fill(Number(id & 0xffn)),
  scopes: 1,
  hourlyLimit: 1000,
  expires,
  seat: 0,
});

/** Settles one transfer and one claim of value of each of that many agents, so that each has all records that it can. */
function fillRecords(net: Net, rows: number): void {
  const names = Array.from({ length: rows }, (_, i) => `sybil${i}`);
  net.run(names.map((name) => net.register(name, 40_000n * TOKEN)));
  const claims = names.map((name) => net.generation(name, TOKEN));
  const sent = names.map((name, i) => net.transfer(name, names[(i + 1) % rows]!, 1n));
  net.run([...claims, ...sent]);
  const verdicts = [...claims, ...sent].map((target) => net.verify('op0', target, true));
  expect(new Set(net.codes(verdicts))).toEqual(new Set([abi.OK]));
}

test('with the table of records full, new agents still transfer', () => {
  const net = new Net([{}], { capacities: capacities({ [RECORDS]: 10 }) });
  fillRecords(net, 10);
  net.run([net.register('new', 40_000n * TOKEN), net.register('other')]);
  const transfer = net.transfer('new', 'other', TOKEN);
  const [tx] = net.run([transfer]).txs;
  expect(net.codes([net.verify('op0', transfer, true)])).toEqual([abi.OK]);
  expect(net.agent('new', abi.AGENT_TRANSFERRED)).toBe(TOKEN);
  report({
    attack: 'R7',
    what: 'transfers of a new agent once the table of records is full',
    before: 'refused for ever',
    after: tx!.code === abi.OK ? 'settled' : `refused with ${tx!.code}`,
  });
  expect(tx!.code).toBe(abi.OK);
});

test('the rows of revoked and expired keys are used again', () => {
  const net = new Net([{}], { capacities: capacities({ [KEYS]: 4 }) });
  net.run([net.register('a')]);
  let made = 0;
  for (let id = 1n; id <= 40n; id++) {
    const expires = id % 2n === 0n ? 0 : Math.floor(net.nowMs / 1000) + 5;
    const [tx] = net.run([net.cmd(abi.OP_KEY_CREATE, 'a', { newKey: newKey(id, expires) })], 3).txs;
    if (tx!.code === abi.OK) made++;
    if (expires === 0) net.run([net.cmd(abi.OP_KEY_REVOKE, 'a', { newKey: newKey(id) })]);
  }
  report({
    attack: 'R7',
    what: 'API keys made one after the other in a table of 4 rows',
    before: '4, and none ever again',
    after: String(made),
  });
  expect(made).toBe(40);
});

/** Creates keys for agents with a grant until one is refused; how many there are then. */
function fillKeys(net: Net, rows: number): { made: number; refusal: number } {
  let id = 1000n;
  for (let agent = 0; ; agent++) {
    net.run([net.register(`k${agent}`)]);
    for (let i = 0; i < 50; i++) {
      const [tx] = net.run([net.cmd(abi.OP_KEY_CREATE, `k${agent}`, { newKey: newKey(++id) })]).txs;
      if (tx!.code !== abi.OK) return { made: Number(id) - 1001, refusal: tx!.code };
      if (Number(id) - 1000 > rows) throw new Error('more keys than rows');
    }
  }
}

test('a key costs a deposit that rises as the table fills, and comes back in full', () => {
  const net = new Net([{}], { capacities: capacities({ [KEYS]: 100 }) });
  net.run([net.register('a'), net.register('poor', 50_000n * TOKEN)]);
  const before = net.agent('a', abi.AGENT_BALANCE);
  const create = (id: bigint, name = 'a') => net.cmd(abi.OP_KEY_CREATE, name, { newKey: newKey(id) });
  net.run([create(1n)]);
  const price = 100_000n;
  expect(before - net.agent('a', abi.AGENT_BALANCE)).toBe(price);
  expect(net.agent('a', abi.AGENT_RESERVED)).toBe(price);
  const { txs } = net.run([create(2n, 'poor')]);
  expect([txs[0]!.code, txs[0]!.words.slice(0, 2)]).toEqual([abi.INSUFFICIENT_BALANCE, [0n, 101_010n]]);
  const { made, refusal } = fillKeys(net, 99);
  expect([made, refusal]).toEqual([99, abi.CAPACITY]);
  report({
    attack: 'R7',
    what: 'tokens that 100 API keys of a table of 100 hold',
    before: '0',
    after: String(net.core.header(abi.HEADER_TOTAL_ESCROWED) / TOKEN),
  });
  expect(net.core.header(abi.HEADER_TOTAL_ESCROWED)).toBeGreaterThan(50n * TOKEN);
  net.run([net.cmd(abi.OP_KEY_REVOKE, 'a', { newKey: newKey(1n) })]);
  expect(net.agent('a', abi.AGENT_BALANCE)).toBe(before);
});

test('a registration with the router holds a deposit until it is removed', () => {
  const net = new Net([{}]);
  net.run([net.register('a'), net.register('poor', 50_000n * TOKEN)]);
  const offer = (name: string) => net.cmd(abi.OP_ROUTER_REGISTER, name, { amount: 0n });
  expect(net.codes([offer('a'), offer('a'), offer('poor')])).toEqual([
    abi.OK,
    abi.OK,
    abi.INSUFFICIENT_BALANCE,
  ]);
  expect(net.agent('a', abi.AGENT_RESERVED)).toBe(100_000n);
  net.run([net.cmd(abi.OP_ROUTER_REMOVE, 'a')]);
  expect(net.agent('a', abi.AGENT_RESERVED)).toBe(0n);
  expect(net.agent('a', abi.AGENT_BALANCE)).toBe(50_000n * TOKEN);
});

test('each four labels of a registration cost as much as a row, whenever they are added', () => {
  const net = new Net([{}]);
  net.run([net.register('a'), net.register('b')]);
  const labels = (count: number): string[] => Array.from({ length: count }, (_, i) => `l${i}`);
  const offer = (name: string, categories: number, tags = 0) =>
    net.cmd(abi.OP_ROUTER_REGISTER, name, { categories: labels(categories), tags: labels(tags) });
  const held: bigint[] = [];
  for (const [categories, tags] of [
    [4, 0],
    [4, 1],
    [1, 0],
    [20, 10],
    [2, 9],
  ] as const) {
    expect(net.codes([offer('a', categories, tags)])).toEqual([abi.OK]);
    held.push(net.agent('a', abi.AGENT_RESERVED));
  }
  expect(held).toEqual([100_000n, 200_000n, 200_000n, 800_000n, 800_000n]);
  net.run([net.cmd(abi.OP_ROUTER_REMOVE, 'a')]);
  expect(net.agent('a', abi.AGENT_RESERVED)).toBe(0n);
});

test('labels that fill the router raise the price of a registration', () => {
  const net = new Net([{}], { capacities: capacities({ [CAPABILITIES]: 40 }) });
  const labels = (count: number): string[] => Array.from({ length: count }, (_, i) => `l${i}`);
  const full = { categories: labels(20), tags: labels(10) };
  let made = 0;
  for (; ; made++) {
    net.run([net.register(`r${made}`)]);
    const [tx] = net.run([net.cmd(abi.OP_ROUTER_REGISTER, `r${made}`, full)]).txs;
    if (tx!.code === abi.CAPACITY) break;
    expect(tx!.code).toBe(abi.OK);
  }
  const held = net.core.header(abi.HEADER_TOTAL_ESCROWED);
  report({
    attack: 'R7',
    what: 'micro-units that fill a router of 40 rows, with 30 labels each',
    before: '527046',
    after: String(held),
  });
  expect(made).toBe(5);
  expect(held).toBeGreaterThan(5_000_000n);
});

test('an applicant cannot take its stake away at once, and pass it on to the next', () => {
  const net = new Net([{}], { capacities: capacities({ [VALIDATORS]: 10 }) });
  const unstake = () => net.codes([net.cmd(abi.OP_UNSTAKE, 'v', { amount: 40_000n * TOKEN })]);
  net.run([net.register('v', 40_000n * TOKEN)]);
  expect(net.codes([net.cmd(abi.OP_VALIDATOR_APPLY, 'v', { categories: [] })])).toEqual([abi.OK]);
  expect(unstake()).toEqual([abi.STAKE_LOCKED]);
  net.run([], 9 * DAY);
  expect(unstake()).toEqual([abi.STAKE_LOCKED]);
  net.run([], DAY);
  expect(unstake()).toEqual([abi.OK]);
});

test('a new name of a category costs its poster a fee; without it the task counts as general', () => {
  const net = new TaskNet(1);
  const treasury = (): bigint => net.core.header(abi.HEADER_POOLS + abi.POOL_TREASURY);
  const [before, treasuryBefore] = [net.agent('poster', abi.AGENT_BALANCE), treasury()];
  net.run([net.post(TOKEN, { category: 'haiku' })]);
  const fee = before - net.agent('poster', abi.AGENT_BALANCE) - TOKEN;
  expect(fee).toBeGreaterThanOrEqual(TOKEN);
  expect(treasury() - treasuryBefore).toBe(fee);
  net.run([net.post(TOKEN, { category: 'haiku' }), net.post(TOKEN, { category: 'code' })]);
  expect(treasury() - treasuryBefore).toBe(fee);
  const poor = net.register('poor', 50_000n * TOKEN - TOKEN);
  const post = net.cmd(abi.OP_TASK_CREATE, 'poor', { amount: TOKEN, category: 'elegy' });
  expect(net.codes([poor, post])).toEqual([abi.OK, abi.OK]);
  expect(treasury() - treasuryBefore).toBe(fee);
  report({
    attack: 'R7',
    what: 'micro-units that the first new category costs',
    before: '0',
    after: String(fee),
  });
});

test('with records and categories full, tasks are claimed, delivered and paid', () => {
  const net = new TaskNet(1, { capacities: capacities({ [RECORDS]: 1, [CATEGORIES]: 17 }) });
  const finish = (task: Command): void => {
    net.run([task, net.claim('worker', task), net.submit('worker', task)]);
    net.run([net.on(abi.OP_TASK_APPROVE, 'poster', task)]);
    expect(net.settled(task).payout).toBeGreaterThan(0n);
  };
  finish(net.post(TOKEN));
  finish(net.post(TOKEN, { category: 'data' }));
  finish(net.post(TOKEN, { category: 'no room for this name' }));
  expect(net.agent32('worker', abi.AGENT_COMPLETED)).toBe(3);
  expect(net.agent32('worker', abi.AGENT_FINGERPRINT_VERSION)).toBe(3);
});

test('the last rows of validators cost more than whoever fills them gains, and nothing that was not allowed', () => {
  const net = new Net([{}], { capacities: capacities({ [VALIDATORS]: 10 }) });
  const names = Array.from({ length: 10 }, (_, i) => `applicant${i}`);
  net.run(names.map((name) => net.register(name, 10_000n * TOKEN)));
  const apply = (name: string, maxFee = 0n) =>
    net.run([net.cmd(abi.OP_VALIDATOR_APPLY, name, { categories: [], maxFee })]).txs[0]!;
  const treasury = (): bigint => net.core.header(abi.HEADER_POOLS + abi.POOL_TREASURY);
  const before = treasury();
  // With the genesis seat five rows are used, and five are free.
  for (const name of names.slice(0, 5)) expect(apply(name).code).toBe(abi.OK);
  expect(treasury()).toBe(before);
  const price = 2_500n * TOKEN;
  const unasked = apply(names[5]!);
  expect([unasked.code, ...unasked.words.slice(0, 2)]).toEqual([
    abi.INVALID_REQUEST,
    BigInt(abi.REASON_MAX_FEE),
    price,
  ]);
  expect(net.agent(names[5]!, abi.AGENT_BALANCE)).toBe(40_000n * TOKEN);
  for (const name of names.slice(5, 9)) expect(apply(name, 40_000n * TOKEN).code).toBe(abi.OK);
  expect(apply(names[9]!, 40_000n * TOKEN).code).toBe(abi.CAPACITY);
  const gone = treasury() - before;
  report({
    attack: 'R7',
    what: 'tokens that filling a table of 10 validators costs for good',
    before: '0',
    after: String(gone / TOKEN),
  });
  // 10,000 times the sum of 10 / 8, 10 / 6, 10 / 4 and 10 / 2, less 40,000.
  expect(gone).toBe(64_166_666_666n);
});

test('one seat that registers without end leaves the other seats their newcomers', () => {
  const net = new Net([{}, {}], { capacities: capacities({ [AGENTS]: 1000 }) });
  const many = Array.from({ length: 990 }, (_, i) => net.register(`sybil${i}`));
  const added = net.run(many, 1, 1).txs.filter((tx) => tx.code === abi.OK).length;
  report({
    attack: 'R7',
    what: 'rows of 1,000 that one of two seats takes in a day by registrations',
    before: '998',
    after: String(added),
  });
  expect(added).toBeLessThan(510);
  expect(net.run([net.register('newcomer')], 1, 0).txs[0]!.code).toBe(abi.OK);
  const nextDay = Array.from({ length: 50 }, (_, i) => net.register(`again${i}`));
  const codes = net.run(nextDay, 86_400, 1).txs.map((tx) => tx.code);
  expect(codes.filter((code) => code === abi.OK)).toHaveLength(2);
});

test('assured tasks that are taken back after their delivery leave room for those of others', () => {
  const rows = 40;
  const seats = Array.from({ length: 4 }, () => ({ stake: 10_500n * TOKEN }));
  const over = {
    capacities: capacities({ [TASKS]: rows }),
    params: params({ [abi.PARAM_CANARY_RATE_BP]: 1 }),
  };
  const net = new TaskNet(seats, over);
  const kept = (): number => Number(net.core.header(abi.HEADER_TASKS));
  const before = net.agent('poster', abi.AGENT_BALANCE);
  for (let i = 0; i < rows; i++) {
    const task = net.post(25n * TOKEN, {
      lane: abi.LANE_STANDARD,
      flags: abi.TASK_DOWNGRADE_ALLOWED | abi.TASK_BOND_GIVEN,
      workerBond: 0n,
    });
    net.run([task, net.claim('worker', task), net.submit('worker', task, NOTHING)]);
    net.run([net.on(abi.OP_TASK_DISPUTE, 'poster', task)]);
  }
  expect(net.agent('poster', abi.AGENT_BALANCE)).toBe(before);
  report({
    attack: 'R7',
    what: 'rows of 1,000,000 tasks that 25 tokens fill for a week where there are canaries, posted and taken back again and again',
    before: '998,000',
    after: kept() <= rows / 2 + 1 ? '500,000' : String(kept()),
  });
  expect(kept()).toBe(rows / 2);
  expect(net.codes([net.post(TOKEN / 10n)])).toEqual([abi.OK]);
  net.run([], 8 * 86_400);
  net.run([]);
  expect(kept()).toBe(1);
});

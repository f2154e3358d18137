// R4: one seat with its rate limits off registers identities without end, whose grants empty the ecosystem pool.
// Bounded in the order: each seat has its part of one daily budget for grants and faucet (protocol 6.11).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { Net, params, TOKEN } from '../core/fixture.ts';
import { report } from './figures.ts';

const DAY = 86_400;
const FOUR_SEATS = [{}, {}, {}, {}];
const GRANT = 50_000n * TOKEN;
/** Of the testnet's default of 10,000,000 tokens, for each of four seats. */
const PART = 2_500_000n * TOKEN;
const pool = (net: Net, number: number): bigint => net.core.header(abi.HEADER_POOLS + number);

/** Registers `count` identities in vertices of one seat; what each was granted. */
function registerAll(net: Net, name: string, count: number, seat: number): bigint[] {
  const commands = Array.from({ length: count }, (_, i) => net.register(`${name}${i}`));
  return net.run(commands, 1, seat).txs.map((tx) => {
    expect(tx.code).toBe(abi.OK);
    return tx.words[abi.RESULT_REGISTER_GRANT]!;
  });
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

test('1,500 identities in the vertices of one of four seats get its part of the day, and no more', () => {
  const net = new Net(FOUR_SEATS);
  const before = pool(net, abi.POOL_ECOSYSTEM);
  const granted = registerAll(net, 'sybil', 1500, 3);
  const what = 'tokens for 1,500 identities of one seat in a day';
  report({ attack: 'R4', what, before: '54,500,000', after: (sum(granted) / TOKEN).toLocaleString('en') });
  expect(sum(granted)).toBe(PART);
  expect(before - pool(net, abi.POOL_ECOSYSTEM)).toBe(PART);
  expect(granted.slice(50).every((grant) => grant === 0n)).toBe(true);
});

test('the other seats still have their parts', () => {
  const net = new Net(FOUR_SEATS);
  registerAll(net, 'sybil', 200, 3);
  for (const seat of [0, 1, 2]) expect(registerAll(net, `honest${seat}-`, 1, seat)).toEqual([GRANT]);
});

test('what a day leaves over is not added to the next, and the next day brings a new part', () => {
  const net = new Net(FOUR_SEATS);
  registerAll(net, 'first', 51, 0);
  net.run([], DAY);
  expect(sum(registerAll(net, 'second', 60, 0))).toBe(PART);
  net.run([], 3 * DAY);
  expect(sum(registerAll(net, 'third', 60, 0))).toBe(PART);
});

test('a registration beyond the budget succeeds, says so, and does not move the schedule', () => {
  const net = new Net([{}], { params: params({ [abi.PARAM_ONBOARDING_DAILY_BUDGET]: 120_000_000_000 }) });
  const txs = net.run(['a', 'b', 'c', 'd'].map((name) => net.register(name))).txs;
  expect(txs.map((tx) => tx.words[abi.RESULT_REGISTER_GRANT]! / TOKEN)).toEqual([
    50_000n,
    50_000n,
    20_000n,
    0n,
  ]);
  expect(txs.map((tx) => tx.words[abi.RESULT_REGISTER_IS_LIMITED])).toEqual([0n, 0n, 1n, 1n]);
  const empty = Array.from({ length: 1100 }, (_, i) => net.register(`empty${i}`));
  net.run(empty);
  expect(net.core.header(abi.HEADER_NEXT_GRANT)).toBe(GRANT);
});

test('the faucet is paid out of the same part, and names the time of the next one', () => {
  const net = new Net([{}, {}], { params: params({ [abi.PARAM_ONBOARDING_DAILY_BUDGET]: 108_000_000_000 }) });
  const faucet = (seat: number) => net.run([net.cmd(abi.OP_FAUCET, 'a')], DAY, seat).txs[0]!;
  net.run([net.register('a'), net.register('b')], 1, 0);
  expect(net.agent('b', abi.AGENT_BALANCE)).toBe(4_000n * TOKEN);
  const late = net.run([net.cmd(abi.OP_FAUCET, 'a')], 10, 0).txs[0]!;
  expect(late.code).toBe(abi.FAUCET_EMPTY);
  expect(late.words[0]).toBe(BigInt(DAY - ((net.nowMs / 1000) % DAY)));
  expect(net.run([net.cmd(abi.OP_FAUCET, 'a')], 1, 1).txs[0]!.code).toBe(abi.OK);
  expect(faucet(0).code).toBe(abi.OK);
});

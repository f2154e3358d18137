// The list of movements of money that the core gives out beside its records (abi.ts, QUERY_MOVEMENTS).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { Net, params, TOKEN } from './fixture.ts';

const GRANT = 50_000n * TOKEN;

test('what core_init and the seats of genesis move adds up to the supply', () => {
  const net = new Net([{}, {}]);
  net.core.books.compare(net.core);
});

test('each change of an account is listed after the record that it belongs to', () => {
  const net = new Net();
  const sent = net.transfer('a', 'b', 12_345_678n);
  net.run([net.register('a', 1000n * TOKEN), net.register('b'), sent]);
  net.run([net.verify('op0', sent, true)]);
  const [a, b, operator] = ['a', 'b', 'op0'].map((name) => net.index(name));
  // The verdict is the first record, the settlement that it brings about the second.
  const [, settled] = net.core.recordStarts;
  const moved = net.core.movements.filter(({ after }) => after > settled!);
  expect(moved.map(({ kind, account, amount }) => [kind, account, amount])).toEqual([
    [abi.MOVED_ESCROW, a, -12_345_678n],
    [abi.MOVED_BALANCE, b, 12_333_333n],
    [abi.MOVED_BALANCE, operator, 9_876n],
    [abi.MOVED_POOL, abi.POOL_TREASURY, 2_469n],
  ]);
  net.core.books.compare(net.core);
});

test('the fee of a refused request is listed although it has no event', () => {
  // What an agent holds buys nothing here.
  const net = new Net([{}], { params: params({ [abi.PARAM_HOLDING_PER_KIB]: 10 ** 15 }) });
  net.run([net.register('a')]);
  const dear = { ...net.transfer('a', 'nobody', 1n), kib: 60 };
  const { txs, events } = net.run([dear]);
  expect([txs[0]!.code === abi.OK, events.length]).toEqual([false, 0]);
  const paid = GRANT - net.agent('a', abi.AGENT_BALANCE);
  expect(paid > 0n).toBe(true);
  const [record] = net.core.recordStarts;
  const fee = net.core.movements.filter(({ after }) => after > record!);
  expect(fee.map(({ kind, amount }) => [kind, amount])).toEqual([
    [abi.MOVED_BALANCE, -paid],
    [abi.MOVED_POOL, paid],
  ]);
  net.core.books.compare(net.core);
});

test('the list begins anew with each call, and a query leaves it whole', () => {
  const net = new Net();
  net.run([net.register('a'), net.register('b')]);
  expect(net.core.movements.length).toBeGreaterThan(0);
  net.run([]);
  expect(net.core.movements).toEqual([]);
});

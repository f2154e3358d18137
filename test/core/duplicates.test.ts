// TxIDs are known for 600 seconds, however many there are.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { Net, TOKEN } from './fixture.ts';

// Not transfers: their events would be known as well, by their ids.
test('each of a thousand TxIDs is executed once, those that share a bucket with others too', () => {
  const net = new Net();
  net.run([net.register('a', TOKEN)]);
  const stakes = Array.from({ length: 1000 }, () => net.cmd(abi.OP_STAKE, 'a', { amount: 1n }));
  expect(new Set(net.codes(stakes))).toEqual(new Set([abi.OK]));
  expect(new Set(net.codes(stakes))).toEqual(new Set([abi.DUPLICATE_TX]));
  expect(net.agent('a', abi.AGENT_STAKED)).toBe(TOKEN + 1000n);
});

test('TxIDs are known while the ring of them wraps around and doubles', () => {
  const net = new Net();
  net.run([net.register('a', TOKEN)]);
  const stakes = (count: number) =>
    Array.from({ length: count }, () => net.cmd(abi.OP_STAKE, 'a', { amount: 1n }));
  const [first, second, third] = [stakes(12), stakes(4), stakes(40)];
  net.codes(first);
  net.codes(second, 500);
  expect(new Set(net.codes(third, 150))).toEqual(new Set([abi.OK]));
  expect(new Set(net.codes([...second, ...third]))).toEqual(new Set([abi.DUPLICATE_TX]));
  expect(net.codes(first.slice(0, 1))).toEqual([abi.OK]);
});

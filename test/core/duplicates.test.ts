// TxIDs are known for 600 seconds, however many there are.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { Net, TOKEN } from './fixture.ts';

test('each of a thousand TxIDs is executed once, those that share a bucket with others too', () => {
  const net = new Net();
  net.run([net.register('a', 10n * TOKEN), net.register('b')]);
  const sent = Array.from({ length: 1000 }, () => net.transfer('a', 'b', 1n));
  expect(new Set(net.run(sent).txs.map((tx) => tx.code))).toEqual(new Set([abi.OK]));
  expect(new Set(net.run(sent).txs.map((tx) => tx.code))).toEqual(new Set([abi.DUPLICATE_TX]));
});

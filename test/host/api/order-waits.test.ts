// Reads that wait for an order.

import { expect, it } from 'vitest';
import { OrderWaits, readMinOrder } from '../../../host/api/order-waits.ts';
import { FakeClock } from '../one-node/harness.ts';

const open = () => {
  const clock = new FakeClock();
  return { clock, waits: new OrderWaits(clock, 100, () => ({})) };
};
const codeOf = (wait: Promise<void> | undefined): Promise<unknown> =>
  wait!.then(
    () => 'reached',
    (error) => [error.status, error.code, error.details, error.headers],
  );
const BEHIND = (order: number) => [503, 'behind', { order }, { 'Retry-After': '1' }];

it('an executed order needs no wait', () => {
  const { waits } = open();
  expect([waits.reach(0, 'a'), waits.reach(100, 'a')]).toEqual([undefined, undefined]);
});

it('ends when the order is executed, or after two seconds', async () => {
  const { clock, waits } = open();
  const [near, far] = [101, 103].map((order) => codeOf(waits.reach(order, 'a')));
  await clock.advance(1999);
  waits.onExecuted(102);
  expect(await near).toBe('reached');
  await clock.advance(1);
  expect(await far).toEqual(BEHIND(102));
});

it('an order that is too far ahead is refused at once', async () => {
  const { waits } = open();
  expect(() => waits.reach(10_101, 'a')).toThrow('has not executed');
  expect(waits.reach(10_100, 'a')).toBeDefined();
  waits.onExecuted(10_100);
});

it('waits are bounded for an address and in all, and give their places back', async () => {
  const { clock, waits } = open();
  const all = Array.from({ length: 1000 }, (_, i) => codeOf(waits.reach(101, `10.${i >> 8}.${i & 255}.1`)));
  expect(() => waits.reach(101, '10.99.0.1')).toThrow('overloaded');
  await clock.advance(2000);
  expect(new Set((await Promise.all(all)).map((end) => JSON.stringify(end))).size).toBe(1);
  for (let i = 0; i < 100; i++) void codeOf(waits.reach(101, '10.3.0.1'));
  expect(() => waits.reach(101, '10.3.0.1')).toThrow('overloaded');
  expect(waits.reach(101, '10.99.0.1')).toBeDefined();
  waits.onExecuted(101);
});

it('one network, with as many addresses as it likes, leaves places to others', () => {
  const { waits } = open();
  let taken = 0;
  const take = (address: string): boolean => {
    try {
      void codeOf(waits.reach(101, address));
      return true;
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 2000; i++) if (take(`10.0.0.${i % 250}`)) taken++;
  expect(taken).toBe(250);
  expect(take('10.0.1.1')).toBe(true);
  waits.onExecuted(101);
});

it.each(['', '-1', '1.5', '1e3', ' 1', 'x', '1234567890123456'])('the value "%s" is refused', (text) => {
  expect(() => readMinOrder(text)).toThrow('X-Service-Min-Order');
});

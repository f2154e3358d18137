// Which addresses have handshake places of their own.

import { expect, it } from 'vitest';
import { KnownAddresses } from '../../../host/net/known-addresses.ts';
import { FakeClock } from '../one-node/harness.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

function known(hosts: readonly string[], names: Record<string, string[]> = {}) {
  const clock = new FakeClock();
  const lookup = async (host: string): Promise<string[]> => {
    const found = names[host];
    if (!found) throw new Error('not found');
    return found;
  };
  return { clock, names, addresses: new KnownAddresses({ clock, log: quiet as never, hosts, lookup }) };
}

it('configured addresses are known without a lookup, in any notation of a socket', () => {
  const { addresses } = known(['192.0.2.1', '2001:db8::1']);
  expect(addresses.has('192.0.2.1')).toBe(true);
  expect(addresses.has('::ffff:192.0.2.1')).toBe(true);
  expect(addresses.has('2001:db8:0:0::77')).toBe(true);
  expect(addresses.has('192.0.2.2')).toBe(false);
});

it('names are resolved again every 30 s; one that fails keeps its addresses', async () => {
  const { addresses, clock, names } = known(['a.example', '192.0.2.9'], { 'a.example': ['192.0.2.1'] });
  addresses.start();
  await clock.advance(0);
  expect(addresses.has('192.0.2.1')).toBe(true);
  delete names['a.example'];
  await clock.advance(30_000);
  expect(addresses.has('192.0.2.1')).toBe(true);
  names['a.example'] = ['192.0.2.2', '192.0.2.3'];
  await clock.advance(30_000);
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.9'].map((one) => addresses.has(one))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  addresses.stop();
  names['a.example'] = ['192.0.2.4'];
  await clock.advance(60_000);
  expect(addresses.has('192.0.2.4')).toBe(false);
});

it('the last address of a seat is known, and 256 seats are remembered', () => {
  const { addresses } = known([]);
  addresses.onSeat('aa', '192.0.2.1:4711');
  expect(addresses.has('192.0.2.1')).toBe(true);
  addresses.onSeat('aa', '2001:db8::5:8337');
  expect([addresses.has('192.0.2.1'), addresses.has('2001:db8::6')]).toEqual([false, true]);
  for (let i = 0; i < 256; i++) addresses.onSeat(`b${i}`, `10.0.${i}.1:1`);
  expect([addresses.has('2001:db8::6'), addresses.has('10.0.0.1')]).toEqual([false, true]);
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ipKey, networkKey, plainAddress } from '../../../host/wire/ip-key.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('IPv6 counts by its /64 network', () => {
  expect(ipKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(ipKey('2001:DB8:1:2::9')).toBe('2001:db8:1:2');
  expect(ipKey('2001:db8::9')).toBe('2001:db8:0:0');
  expect(ipKey('::1')).toBe('0:0:0:0');
  expect(ipKey('192.0.2.1')).toBe('192.0.2.1');
  expect(ipKey('')).toBe('');
});

it('mapped IPv4 counts by its IPv4 address, not as one network for all', () => {
  expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(plainAddress('2001:db8::1')).toBe('2001:db8::1');
  expect(ipKey('::ffff:192.0.2.1')).toBe('192.0.2.1');
});

it('networkKey is the /24 of IPv4 and the /56 of IPv6, of an address and of its key alike', () => {
  expect(networkKey('192.0.2.1')).toBe(networkKey('192.0.2.254'));
  expect(networkKey('192.0.2.1')).not.toBe(networkKey('192.0.3.1'));
  expect(networkKey('::ffff:192.0.2.1')).toBe(networkKey('192.0.2.9'));
  expect(networkKey('2001:db8:1:2a00::9')).toBe(networkKey('2001:DB8:1:2aff::1'));
  expect(networkKey('2001:db8:1:2a00::9')).not.toBe(networkKey('2001:db8:1:2b00::9'));
  expect(networkKey('2001:db8:1:fe::9')).toBe(networkKey('2001:db8:1:1::9'));
  for (const address of ['192.0.2.1', '2001:db8:1:2a07::9', '::1']) {
    expect(networkKey(ipKey(address))).toBe(networkKey(address));
  }
});

// Each address that limits know kept the head of the request that it came in: 16 KiB, and there may be 50,000 of them.
it('keeps nothing of the text that an address is a part of', () => {
  const kept = new Set<string>();
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let i = 100; i < 200; i++) {
    for (const address of [`192.168.100.${i}`, `::ffff:192.168.101.${i}`, `2001:db8:1:${i}::1`]) {
      const head = Buffer.from(`GET\n/v1/agents\n\n${address}\n${'x'.repeat(16_000)}`).toString();
      const at = head.indexOf(address);
      kept.add(ipKey(head.slice(at, at + address.length)));
    }
  }
  expect((used() - before) / kept.size).toBeLessThan(1000);
  expect(kept.size).toBe(300);
});

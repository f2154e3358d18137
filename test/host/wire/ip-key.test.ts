import { expect, it } from 'vitest';
import { ipKey, plainAddress } from '../../../host/wire/ip-key.ts';

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

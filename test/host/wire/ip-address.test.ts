import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endsInNumber,
  isPublicAddress,
  parseIp,
  parseIpv4,
  parseIpv6,
} from '../../../host/wire/ip-address.ts';

const isPublic = (text: string): boolean => isPublicAddress(parseIp(text)!);

describe('notations of IPv4', () => {
  it.each([
    ['127.0.0.1', [127, 0, 0, 1]],
    ['127.1', [127, 0, 0, 1]],
    ['127.0.1', [127, 0, 0, 1]],
    ['2130706433', [127, 0, 0, 1]],
    ['0x7f000001', [127, 0, 0, 1]],
    ['0X7F.0x1', [127, 0, 0, 1]],
    ['017700000001', [127, 0, 0, 1]],
    ['0177.0.0.01', [127, 0, 0, 1]],
    ['127.0.0.1.', [127, 0, 0, 1]],
    ['0', [0, 0, 0, 0]],
    ['0x', [0, 0, 0, 0]],
    ['4294967295', [255, 255, 255, 255]],
    ['10.65535', [10, 0, 255, 255]],
  ])('%s', (text, bytes) => {
    expect([...parseIpv4(text)!]).toEqual(bytes);
    // The platform's own reading, where it has one.
    expect(new URL(`http://${text}/`).hostname).toBe(bytes.join('.'));
  });

  it.each([
    '256.0.0.1',
    '1.2.3.4.5',
    '1.2.3.256',
    '4294967296',
    '09.1.1.1',
    '0x1g.1',
    '1..2',
    '',
    '.',
    '-1',
    '1e3',
  ])('refuses %s', (text) => expect(parseIpv4(text)).toBeUndefined());

  it('recognizes host names that can only be addresses', () => {
    expect(['1.2.3.4', 'a.1', 'a.0x1', 'a.0x', '5.'].map(endsInNumber)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['1.a', 'a1', '0xg', 'one.example.'].map(endsInNumber)).toEqual([false, false, false, false]);
  });
});

describe('IPv6', () => {
  it.each([['::'], ['::1'], ['1::']])('reads %s', (text) => expect(parseIpv6(text)).toHaveLength(16));

  it('writes groups big-endian and fills the gap', () => {
    expect([...parseIpv6('2001:db8::ff00:42:8329')!]).toEqual([
      0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0x42, 0x83, 0x29,
    ]);
    expect([...parseIpv6('::ffff:192.0.2.128')!].slice(10)).toEqual([0xff, 0xff, 192, 0, 2, 128]);
  });

  it('accepts what node:net accepts and nothing else, except zones', () => {
    const group = fc.stringMatching(/^[0-9a-fA-F]{0,5}$/);
    const text = fc.oneof(
      fc.ipV6(),
      fc.array(group, { maxLength: 10 }).map((parts) => parts.join(':')),
      fc.tuple(fc.array(group, { maxLength: 7 }), fc.ipV4()).map(([parts, v4]) => [...parts, v4].join(':')),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        expect(parseIpv6(candidate) !== undefined).toBe(isIPv6(candidate));
      }),
      { numRuns: 2000 },
    );
    expect(parseIpv6('fe80::1%eth0')).toBeUndefined();
  });
});

describe('public addresses', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700::1',
    '2a00::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2001:200::1',
    '3ffe::1',
  ])('%s', (text) => expect(isPublic(text)).toBe(true));

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:0:0',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001::1',
    '2001:10::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '3fff::1',
    '3fff:fff::1',
    '100::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '1fff::1',
  ])('not %s', (text) => expect(isPublic(text)).toBe(false));

  it('judges an IPv4 address alike in every IPv6 form that carries it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        expect(isIPv4(v4)).toBe(true);
        const [a, b, c, d] = v4.split('.').map(Number) as [number, number, number, number];
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        const want = isPublic(v4);
        for (const form of [`::ffff:${v4}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::5`]) {
          expect(isPublic(form)).toBe(want);
        }
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { ClientIp } from '../../../host/api/client-ip.ts';

const request = (remoteAddress: string, forwarded?: string) => ({
  remoteAddress,
  header: (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined),
});

describe('the address a request counts for (protocol 8.1)', () => {
  it('is the socket’s when no proxy is configured, whatever is forged (pitfall A8)', () => {
    const ip = new ClientIp([]);
    for (let i = 0; i < 100; i++) expect(ip.of(request('192.0.2.1', `198.51.100.${i}`))).toBe('192.0.2.1');
  });

  it('is the socket’s when the socket is not a trusted proxy', () => {
    expect(new ClientIp(['10.0.0.0/8']).of(request('192.0.2.1', '198.51.100.1'))).toBe('192.0.2.1');
  });

  it('is the right-most hop that is not a trusted proxy', () => {
    const ip = new ClientIp(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
    expect(ip.of(request('127.0.0.1', '198.51.100.1'))).toBe('198.51.100.1');
    expect(ip.of(request('127.0.0.1', '6.6.6.6, 198.51.100.1, 10.1.2.3'))).toBe('198.51.100.1');
    expect(ip.of(request('127.0.0.1', '6.6.6.6,198.51.100.1 , 2001:db8::7,10.1.2.3'))).toBe('198.51.100.1');
    expect(ip.of(request('2001:db8::1', '2001:dead::1'))).toBe('2001:dead::1');
    expect(ip.of(request('10.9.9.9', '10.1.1.1, 10.2.2.2'))).toBe('10.1.1.1');
  });

  it('reads ports, brackets and mapped addresses', () => {
    const ip = new ClientIp(['127.0.0.1']);
    expect(ip.of(request('127.0.0.1', '198.51.100.1:4711'))).toBe('198.51.100.1');
    expect(ip.of(request('127.0.0.1', '[2001:db8::1]:443'))).toBe('2001:db8::1');
    expect(ip.of(request('127.0.0.1', '::ffff:198.51.100.1'))).toBe('198.51.100.1');
  });

  it("is the proxy's when a hop is not an address or is missing", () => {
    const ip = new ClientIp(['127.0.0.1', '10.0.0.0/8']);
    expect(ip.of(request('127.0.0.1'))).toBe('127.0.0.1');
    expect(ip.of(request('127.0.0.1', ''))).toBe('127.0.0.1');
    expect(ip.of(request('127.0.0.1', 'unknown'))).toBe('127.0.0.1');
    expect(ip.of(request('127.0.0.1', '198.51.100.1, <script>, 10.1.1.1'))).toBe('10.1.1.1');
  });
});

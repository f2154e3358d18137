import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResolve } from '../../../host/world/system/resolve.ts';

describe('localhost', () => {
  it.each(['localhost', 'LOCALHOST.', 'a.localhost'])('%s is this machine without asking', async (name) => {
    expect(await createResolve()(name)).toEqual(['127.0.0.1', '::1']);
  });
});

describe('a name server', () => {
  const server = createSocket('udp4');
  /** Answers A with 192.0.2.7 and AAAA with 2001:db8::7 for the first label that says so. */
  beforeAll(async () => {
    server.on('message', (query, from) => {
      const label = query.subarray(13, 13 + query[12]!).toString();
      const end = query.indexOf(0, 12) + 1;
      const isA = query.readUInt16BE(end) === 1;
      const has = label === 'both' || label === (isA ? 'a' : 'aaaa');
      const address = isA
        ? Buffer.from([192, 0, 2, 7])
        : Buffer.from('20010db8000000000000000000000007', 'hex');
      const head = Buffer.from(query.subarray(0, 12));
      head.writeUInt16BE(0x8180, 2);
      head.writeUInt16BE(has ? 1 : 0, 6);
      head.writeUInt16BE(0, 10);
      const record = Buffer.from([0xc0, 12, 0, isA ? 1 : 28, 0, 1, 0, 0, 0, 9, 0, address.length]);
      const answer = [head, query.subarray(12, end + 4), ...(has ? [record, address] : [])];
      server.send(Buffer.concat(answer), from.port, from.address);
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  it('is queried for both kinds of address, IPv4 first', async () => {
    const resolve = createResolve([`127.0.0.1:${server.address().port}`]);
    expect(await resolve('both.example')).toEqual(['192.0.2.7', '2001:db8::7']);
    expect(await resolve('a.example')).toEqual(['192.0.2.7']);
    expect(await resolve('aaaa.example')).toEqual(['2001:db8::7']);
    await expect(resolve('none.example')).rejects.toThrow(/no address/);
  });
});

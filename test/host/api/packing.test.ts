// gzip of answers: who gets it, and that no queue of answers forms behind it.

import { describe, expect, it } from 'vitest';
import { Packing, takesGzip } from '../../../host/api/packing.ts';
import type { HttpReply } from '../../../host/world/http.ts';

const reply = (body: string): HttpReply => ({ status: 200, headers: { 'X-Service-Order': '1' }, body });

describe('one answer is packed at a time', () => {
  it('others go out as they are meanwhile, and the next one is packed again', async () => {
    const ends: ((body: Uint8Array) => void)[] = [];
    const packing = new Packing(() => new Promise((resolve) => ends.push(resolve)));
    const first = packing.pack(reply('a'));
    const second = packing.pack(reply('b'));
    expect(second).toEqual({
      status: 200,
      headers: { 'X-Service-Order': '1', Vary: 'Accept-Encoding' },
      body: 'b',
    });
    ends[0]!(new Uint8Array([7]));
    expect(await first).toEqual({
      status: 200,
      headers: { 'X-Service-Order': '1', Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' },
      body: new Uint8Array([7]),
    });
    const third = packing.pack(reply('c'));
    expect([third instanceof Promise, ends.length]).toEqual([true, 2]);
  });

  it('goes on after a failure', async () => {
    let isFirst = true;
    const packing = new Packing(async () => {
      if (!isFirst) return new Uint8Array([1]);
      isFirst = false;
      throw new Error('no memory');
    });
    await expect(packing.pack(reply('a'))).rejects.toThrow('no memory');
    expect((await packing.pack(reply('b'))).headers['Content-Encoding']).toBe('gzip');
  });
});

it.each([
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['*', true],
  ['gzip;q=0', false],
  ['identity', false],
  [undefined, false],
])('Accept-Encoding %s accepts gzip: %s', (accepted, isTaken) => {
  expect(takesGzip(accepted)).toBe(isTaken);
});

// What one thread writes, the other reads.

import { describe, expect, it } from 'vitest';
import {
  plainItems,
  readContent,
  readReply,
  writeContent,
  writeReply,
} from '../../../host/ingress/frames.ts';
import { PacketReader, PacketWriter } from '../../../host/ingress/packet.ts';
import { headText, isPlain, PacketHead } from '../../../host/ingress/packet-head.ts';
import { RefusedLately } from '../../../host/ingress/refused-lately.ts';
import type { Vetted } from '../../../host/wire/vetted.ts';
import type { HttpReply } from '../../../host/world/http.ts';
import { RequestHead } from '../../../host/world/request-head.ts';

const through = (write: (out: PacketWriter) => void): PacketReader => {
  const out = new PacketWriter();
  write(out);
  return new PacketReader(out.take());
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const VETTED: Vetted = {
  bodySha256: 'ab'.repeat(32),
  hasValue: true,
  id: new Uint8Array(32).fill(1),
  publicKey: new Uint8Array(32).fill(2),
  isGood: true,
};

describe('frames', () => {
  it('of heads keep every part, empty ones and other letters, too', () => {
    const names = ['x-a', 'x-b', 'v', 'x', 'get', 'missing'];
    for (const headers of [
      [],
      ['x-a', ''],
      ['x-a', 'caf\u00e9', 'x-a', '\u{1f600}', 'x-b', 'v'],
      // A value that is the name of a header, and names within names.
      ['x-b', 'x-a', 'x', 'x-b', 'x-ab', 'v', 'v', ''],
      ['x-a', '1', 'x-b', '2', 'x-a', '3'],
    ]) {
      const head = new RequestHead('POST', '/a%2F', '', '::1', headers);
      const read = new PacketHead(through((out) => out.text(headText(head))).text());
      const { method, path, query, remoteAddress } = read;
      expect({ method, path, query, remoteAddress }).toEqual({
        method: 'POST',
        path: '/a%2F',
        query: '',
        remoteAddress: '::1',
      });
      for (const name of names) expect([name, read.header(name)]).toEqual([name, head.header(name)]);
    }
  });

  it('are not made of heads whose parts could not be told apart', () => {
    const of = (path: string, query: string, value: string): RequestHead =>
      new RequestHead('GET', path, query, '::1', ['x-a', value]);
    expect(isPlain(of('/', 'a=1', 'v\t\u2028'))).toBe(true);
    for (const mark of ['\r', '\n'])
      for (const head of [of(`/${mark}`, '', ''), of('/', mark, ''), of('/', '', `a${mark}b`)])
        expect(isPlain(head)).toBe(false);
  });

  it('of bodies have what was found out about them', () => {
    for (const vetted of [undefined, VETTED, { ...VETTED, hasValue: false }, { ...VETTED, isGood: false }]) {
      const request = Object.assign(new RequestHead('POST', '/', '', '', []), { vetted });
      const content = readContent(
        through((out) => writeContent(out, request, bytes('body'), undefined)),
        undefined,
      );
      expect(content).toEqual({ bytes: bytes('body'), vetted, items: undefined });
    }
  });

  it('of batches have their requests, unless one cannot be written', () => {
    const item = (path: string): RequestHead =>
      Object.assign(new RequestHead('POST', path, '', '10.0.0.1', ['x-a', 'v']), {
        body: bytes(path),
        vetted: VETTED,
      });
    const batch = Object.assign(new RequestHead('POST', '/v1/batch', '', '10.0.0.1', []), {
      items: [item('/a'), item('/b')],
    });
    const frame = through((out) => writeContent(out, batch, bytes(''), plainItems(batch)));
    const { items } = readContent(frame, undefined);
    expect(items?.map(({ path, body, vetted }) => [path, body, vetted])).toEqual([
      ['/a', bytes('/a'), VETTED],
      ['/b', bytes('/b'), VETTED],
    ]);
    expect(items?.map((one) => one.header('x-a'))).toEqual(['v', 'v']);
    expect(frame.isDone).toBe(true);
    expect(
      plainItems({ ...batch, items: [item('/a'), item('/b\nx')] } as unknown as RequestHead),
    ).toBeUndefined();
  });

  it('of answers keep status, headers in one line each, and the body as bytes', () => {
    const reply: HttpReply = { status: 201, headers: { 'X-A': 'a\nb', 'X-B': '' }, body: '{"\u00e9":1}' };
    const read = readReply(through((out) => writeReply(out, reply)));
    expect(read).toEqual({ status: 201, headers: { 'X-A': 'a?b', 'X-B': '' }, body: bytes('{"\u00e9":1}') });
    expect(
      readReply(through((out) => writeReply(out, { status: 204, headers: {}, body: bytes('') }))),
    ).toEqual({
      status: 204,
      headers: {},
      body: bytes(''),
    });
  });
});

it('an answer has its own headers, whatever the answers before it had', () => {
  const [a, b, none] = [{ 'X-A': '1', 'X-B': 'of a' }, { 'X-A': '1' }, {}];
  for (const headers of [none, a, a, { ...a }, b, b, none, none, a, b]) {
    const read = readReply(through((out) => writeReply(out, { status: 200, headers, body: '' })));
    expect(read.headers).toEqual(headers);
  }
});

describe('a packet', () => {
  it('holds bytes once that many streams are sent', () => {
    const message = new Uint8Array(10_000).fill(3);
    const out = new PacketWriter();
    for (let i = 0; i < 100; i++) out.u8(i).shared(message);
    const packet = out.take();
    expect(packet.length).toBeLessThan(11_000);
    const frame = new PacketReader(packet);
    for (let i = 0; i < 100; i++) expect([frame.u8(), frame.shared()]).toEqual([i, message]);
    expect(frame.isDone).toBe(true);
    // Another packet knows nothing of this one.
    expect(out.shared(message).take().length).toBe(10_004);
  });

  it('grows with what is written, and does not keep what it grew to', () => {
    const out = new PacketWriter();
    const large = new Uint8Array(3_000_000).fill(9);
    expect(new PacketReader(out.bytes(large).take()).bytes()).toEqual(large);
    expect(new PacketReader(out.text('\u20ac'.repeat(50_000)).take()).text()).toBe('\u20ac'.repeat(50_000));
    expect(out.isEmpty).toBe(true);
  });

  it('that ends within a frame is a bug, and throws', () => {
    expect(() => through((out) => out.u32(5)).bytes()).toThrow(RangeError);
    expect(() => through((out) => out.u8(5)).u32()).toThrow(RangeError);
  });
});

it('an address is refused lately for as long as the node said, at most five seconds', () => {
  let nowMs = 0;
  const refused = new RefusedLately(() => nowMs);
  refused.add('a', 2);
  refused.add('b', 3600);
  refused.add('c', Number.NaN);
  expect(['a', 'b', 'c'].map((one) => refused.has(one))).toEqual([true, true, false]);
  nowMs = 2001;
  expect([refused.has('a'), refused.has('b')]).toEqual([false, true]);
  nowMs = 5001;
  expect(refused.has('b')).toBe(false);
});

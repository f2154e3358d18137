// Bytes as text: Node's implementation and the portable one agree.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { latin1, latin1Bytes, portableLatin1 } from '../../../host/wire/latin1.ts';

const all = Uint8Array.from({ length: 10_000 }, (_, i) => i);

it('has one character for each byte in both implementations', () => {
  expect(portableLatin1(all)).toBe(latin1(all));
  expect(latin1(all)).toHaveLength(10_000);
  expect([...latin1(all.subarray(0x7e, 0x101))].map((c) => c.charCodeAt(0))).toEqual([
    ...all.subarray(0x7e, 0x101),
  ]);
});

it('accepts a range, also of a view', () => {
  fc.assert(
    fc.property(fc.nat(9000), fc.nat(5000), fc.nat(5000), (at, a, b) => {
      const view = all.subarray(at);
      const [from, to] = [Math.min(a, b, view.length), Math.min(Math.max(a, b), view.length)];
      expect(latin1(view, from, to)).toBe(portableLatin1(view, from, to));
      expect(latin1Bytes(latin1(view, from, to))).toEqual(view.slice(from, to));
    }),
  );
});

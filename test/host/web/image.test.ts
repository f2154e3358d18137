// Images among deliveries: told by their bytes, with the size that their heads name; any bytes are no error.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { imageOf } from '../../../host/web/text/image.ts';

const base64 = (bytes: readonly number[]): string => Buffer.from(bytes).toString('base64');
const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')];

const PNG = [...ascii('\x89PNG\r\n\x1a\n'), 0, 0, 0, 13, ...ascii('IHDR'), 0, 0, 1, 64, 0, 0, 0, 200, 8, 6];
const GIF = [...ascii('GIF89a'), 64, 1, 200, 0];
// A comment of four bytes before the frame.
const JPEG = [0xff, 0xd8, 0xff, 0xfe, 0, 4, 65, 66, 0xff, 0xc2, 0, 17, 8, 0, 200, 1, 64, 3];
const riff = (kind: string, body: number[]): number[] => [...ascii(`RIFF\0\0\0\0WEBP${kind}`), ...body];
const LOSSY = riff('VP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 64, 1, 200, 0]);
const LOSSLESS = riff('VP8L', [0, 0, 0, 0, 0x2f, 0x3f, 0xc1, 0x31, 0, 0, 0, 0, 0, 0]);
const EXTENDED = riff('VP8X', [0, 0, 0, 0, 0, 0, 0, 0, 0x3f, 1, 0, 199, 0, 0]);

it.each([
  ['PNG', PNG],
  ['GIF', GIF],
  ['JPEG', JPEG],
  ['WebP', LOSSY],
  ['WebP', LOSSLESS],
  ['WebP', EXTENDED],
])('%s has its format and its size, bare and as a data address', (format, bytes) => {
  const shown = { format, size: { width: 320, height: 200 } };
  expect(imageOf(base64(bytes))).toMatchObject(shown);
  // What it calls itself does not count.
  expect(imageOf(`data:image/bmp;base64,${base64(bytes)}`)).toMatchObject(shown);
  expect(imageOf(base64(bytes))!.bytes).toEqual(Uint8Array.from(bytes));
});

it('SVG is an image too, which nobody draws', () => {
  const svg = '<svg onload="alert(1)"></svg>';
  expect(imageOf(svg)).toMatchObject({ format: 'SVG', size: undefined });
  expect(imageOf(`<?xml version="1.0"?>\n${svg}`)?.format).toBe('SVG');
});

it.each([
  'data:image/png;base64,AAAA',
  'data:image/png;base64,not base64!',
  'data:text/html;base64,PGI+',
  '<p><svg></svg></p>',
  'GIF is a format of images',
  'UklGRg==',
])('%j is none', (text) => {
  expect(imageOf(text)).toBeUndefined();
});

it('is never an error, whatever the bytes behind the first are', () => {
  fc.assert(
    fc.property(fc.constantFrom(PNG, GIF, JPEG, LOSSY), fc.nat(40), fc.uint8Array(), (image, keep, rest) => {
      const bytes = [...image.slice(0, keep), ...rest];
      const found = imageOf(`data:image/png;base64,${base64(bytes)}`);
      if (found) expect(found.bytes).toEqual(Uint8Array.from(bytes));
    }),
  );
});

it('a text of a megabyte that nearly is one is told apart at once', () => {
  const startMs = performance.now();
  expect(imageOf(`R0lGOD${' '.repeat(1_000_000)}!`)).toBeUndefined();
  expect(imageOf(`R0lGOD${'A '.repeat(500_000)}=!`)).toBeUndefined();
  expect(imageOf(' '.repeat(1_000_000))).toBeUndefined();
  expect(performance.now() - startMs).toBeLessThan(1000);
});

// The short form of a checkpoint: it can be read aloud, typed back in with mistakes that people make, and nothing else.

import { expect, it } from 'vitest';
import { checkpointCode, readPin } from '../../../host/audit/checkpoint-code.ts';
import { fromHex } from '../../../host/wire/bytes.ts';

const HASH = '00443214c74254b635cf84653a56d7c675be77dfb0ad1e0a2d9c4a11f0c3b2a1';

it('has 160 bits in eight groups of Crockford base 32', () => {
  // By hand: 00000 00001 00010 00011 00100 00101 00110 00111 ... of 0x00443214c74254b6...
  expect(checkpointCode(fromHex(HASH)!)).toBe('0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ');
});

it('is read back, from hex as well, with the letters that look like digits', () => {
  const pin = { height: 24, code: '0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ' };
  for (const text of [
    `24:${HASH}`,
    `24:${HASH.toUpperCase()}`,
    '24:0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ',
    '24:0123456789abcdefghjkmnpqrstvwxyz',
    '24:O1234567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ',
    '24:0I23-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ',
    '24:0l23-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ',
  ])
    expect(readPin(text), text).toEqual(pin);
});

it.each([
  '',
  '24',
  '24:',
  `0:${HASH}`,
  `-1:${HASH}`,
  `024:${HASH}`,
  '24:0123',
  `24:${HASH}0`,
  `24:g${HASH.slice(1)}`,
  '24:U123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ',
  `99999999999999999:${HASH}`,
])('refuses %s', (text) => expect(readPin(text)).toBeUndefined());

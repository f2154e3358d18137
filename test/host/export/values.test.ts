// What a stranger may put into a text reaches the database all the same.

import { expect, it } from 'vitest';
import { copyLine, heldJson, heldText } from '../../../host/export/postgres/values.ts';

it('takes the character 0 and half characters out of JSON, and nothing else', () => {
  const text = (value: string): string => JSON.parse(heldJson(value)) as string;
  expect(text('a\0b\0\0')).toBe('a\ufffdb\ufffd\ufffd');
  expect(text('\ud800x\udfff')).toBe('\ufffdx\ufffd');
  expect(text('😀\t"\\')).toBe('😀\t"\\');
  // A backslash before the letters of an escape is no escape.
  expect(text('\\u0000')).toBe('\\u0000');
  expect(text('\\\0')).toBe('\\\ufffd');
  expect(JSON.parse(heldJson({ 'k\0': ['\0'] }))).toEqual({ 'k\ufffd': ['\ufffd'] });
});

it('takes them out of texts', () => {
  expect(heldText('a\0\ud800 😀')).toBe('a\ufffd\ufffd 😀');
});

it('escapes what ends a field or a line of COPY', () => {
  expect(copyLine(['a\tb\\N', undefined, 7, 'x\r\ny'])).toBe('a\\tb\\\\N\t\\N\t7\tx\\r\\ny\n');
});

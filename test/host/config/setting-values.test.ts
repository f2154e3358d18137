import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  checkNetwork,
  checkOrigin,
  formatHostPort,
  parseBaseUrl,
  parseHostPort,
  parseInteger,
  parseList,
  parsePath,
  parseSwitch,
} from '../../../host/config/setting-values.ts';

describe('switches', () => {
  it.each([
    ['true', true],
    ['1', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['off', false],
  ])('%s', (text, value) => expect(parseSwitch(text, 'X')).toBe(value));

  it.each(['yes', 'TRUE', 'On', '', ' true', 'toString', '__proto__'])('refuses "%s"', (text) => {
    expect(() => parseSwitch(text, 'SERVICE_X')).toThrow(ConfigError);
    expect(() => parseSwitch(text, 'SERVICE_X')).toThrow(/SERVICE_X/);
  });
});

describe('integers', () => {
  it('takes both ends of the range', () => {
    expect(parseInteger('1', 'X', 1, 9)).toBe(1);
    expect(parseInteger('9', 'X', 1, 9)).toBe(9);
  });
  it.each(['0', '10', '-1', '1.0', '1e0', '0x1', '', ' 1', 'NaN', '99999999999999999999'])(
    'refuses "%s"',
    (text) => expect(() => parseInteger(text, 'X', 1, 9)).toThrow(ConfigError),
  );
});

describe('addresses', () => {
  it('splits host and port', () => {
    expect(parseHostPort('0.0.0.0:8338', 'X')).toEqual({ host: '0.0.0.0', port: 8338 });
    expect(parseHostPort('node-1.example.org:1', 'X')).toEqual({ host: 'node-1.example.org', port: 1 });
    expect(parseHostPort('[::1]:65535', 'X')).toEqual({ host: '::1', port: 65_535 });
  });
  it('takes a missing port only where there is a default', () => {
    expect(parseHostPort('seeds.example.org', 'X', { defaultPort: 8337 }).port).toBe(8337);
    expect(() => parseHostPort('seeds.example.org', 'X')).toThrow(ConfigError);
  });
  it('takes port 0 only for own addresses', () => {
    expect(parseHostPort('127.0.0.1:0', 'X', { minPort: 0 }).port).toBe(0);
    expect(() => parseHostPort('127.0.0.1:0', 'X')).toThrow(ConfigError);
  });
  it.each([
    '',
    ':8338',
    'host:',
    'host:65536',
    'host:-1',
    '::1:8338',
    '[::1]',
    '[zz]:1',
    'a b:1',
    'h:1:2',
    '[127.0.0.1]:1',
  ])('refuses "%s"', (text) => expect(() => parseHostPort(text, 'X')).toThrow(ConfigError));
  it('writes what it reads', () => {
    for (const text of ['127.0.0.1:8338', '[2001:db8::1]:80', 'node:1']) {
      expect(formatHostPort(parseHostPort(text, 'X'))).toBe(text);
    }
  });
});

describe('lists, paths, URLs', () => {
  it('trims list items and drops empty ones', () => {
    expect(parseList(' a, b,,c ,')).toEqual(['a', 'b', 'c']);
    expect(parseList('')).toEqual([]);
  });
  it('makes paths absolute and knows the home directory', () => {
    expect(parsePath('~/.vws')).toBe(join(homedir(), '.vws'));
    expect(parsePath('~')).toBe(homedir());
    expect(parsePath('data')).toBe(resolve('data'));
    expect(parsePath('~other/x')).toBe(resolve('~other/x'));
  });
  it('takes http and https base URLs without their final slash', () => {
    expect(parseBaseUrl('http://localhost:8338', 'X')).toBe('http://localhost:8338');
    expect(parseBaseUrl('https://example.org/node/', 'X')).toBe('https://example.org/node');
  });
  it.each(['localhost:8338', 'ftp://x', 'http://x?a=1', 'http://x#y', 'http://u:p@x', ''])(
    'refuses the URL "%s"',
    (text) => expect(() => parseBaseUrl(text, 'X')).toThrow(ConfigError),
  );
  it('takes addresses and networks of both families', () => {
    for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])
      expect(checkNetwork(text, 'X')).toBe(text);
    for (const text of ['10.0.0', '10.0.0.0/33', '::/129', 'x', '10.0.0.0/8/1', '10.0.0.0/']) {
      expect(() => checkNetwork(text, 'X')).toThrow(ConfigError);
    }
  });
  it('takes origins only as browsers send them', () => {
    for (const text of ['https://app.example.org', 'http://localhost:3000'])
      expect(checkOrigin(text, 'X')).toBe(text);
    for (const text of [
      'https://app.example.org/',
      '*',
      'app.example.org',
      'https://A.example.org',
      'null',
    ]) {
      expect(() => checkOrigin(text, 'X')).toThrow(ConfigError);
    }
  });
});

// The files of the page: by exact path, in the coding the client takes, under a policy without other hosts.

import { describe, expect, it } from 'vitest';
import { home } from '../../../host/api/handlers/pages.ts';
import { StaticFiles } from '../../../host/api/static-files.ts';
import type { HttpReply } from '../../../host/world/http.ts';

const files = new StaticFiles(
  new Map(
    Object.entries({
      'index.html': '<p>page',
      'index.html.br': 'BR',
      'index.html.gz': 'GZ',
      'assets/index-DgqMwvbJ.css': 'p{}',
      'assets/core.wasm': '\0asm',
      'assets/alone.gz': 'no coded form of anything',
    }).map(([name, text]) => [name, Buffer.from(text)]),
  ),
);
const get = (path: string, headers: Record<string, string> = {}): HttpReply | undefined =>
  files.find({ path, header: (name) => headers[name] });
const text = (reply: HttpReply | undefined): string => Buffer.from(reply?.body as Uint8Array).toString();

describe('files of the page', () => {
  it('have their content type, and are cached for ever only under a name that contains their hash', () => {
    expect(get('/')?.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(get('/')?.headers['Cache-Control']).toBe('no-cache');
    expect(get('/assets/index-DgqMwvbJ.css')?.headers['Cache-Control']).toMatch(/immutable/);
    expect(get('/assets/core.wasm')?.headers).toMatchObject({
      'Content-Type': 'application/wasm',
      'Cache-Control': 'no-cache',
    });
  });

  it.each([
    ['', '<p>page', undefined],
    ['gzip', 'GZ', 'gzip'],
    ['gzip, deflate, br, zstd', 'BR', 'br'],
    ['GZIP;q=0.5, br;q=0', 'GZ', 'gzip'],
    ['br;q=0.000', '<p>page', undefined],
    ['identity', '<p>page', undefined],
  ])('for "%s" the body is %s', (accepted, body, coding) => {
    const reply = get('/', { 'accept-encoding': accepted });
    expect([text(reply), reply?.headers['Content-Encoding']]).toEqual([body, coding]);
    expect(reply?.headers.Vary).toBe('Accept-Encoding');
  });

  it('are not sent again to a client that has them', () => {
    const tag = get('/')?.headers.ETag as string;
    expect(get('/', { 'if-none-match': tag })).toMatchObject({ status: 304, body: '' });
    expect(get('/', { 'if-none-match': 'W/"other"' })?.status).toBe(200);
  });

  it('allow no other host and no code in markup', () => {
    const policy = get('/')?.headers['Content-Security-Policy'] as string;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
  });

  it('are found by exact path alone', () => {
    expect(get('/assets/alone.gz')?.status).toBe(200);
    for (const path of [
      '/index.html',
      '/index.html.br',
      '/assets',
      '/assets/',
      '/../package.json',
      '//',
      '/assets/%2e%2e/index.html',
    ]) {
      expect(get(path), path).toBeUndefined();
    }
  });

  it('are absent where nothing was built; then / explains how to build the page', () => {
    const { contentType, body } = home();
    expect([contentType, body]).toEqual([
      'text/plain; charset=utf-8',
      expect.stringContaining('npm run build'),
    ]);
    expect(new StaticFiles(new Map()).find({ path: '/', header: () => undefined })).toBeUndefined();
  });
});

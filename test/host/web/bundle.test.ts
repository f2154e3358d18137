// What a visitor loads: compressed, without the WebAssembly modules and the verifier's thread, which come when asked for.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtPath } from '../../../tools/load/built.ts';

const MAX_BYTES = 150_000;
/** What the first picture waits for: script and style that the markup names. */
const MAX_FIRST_BYTES = 62_000;
const web = builtPath('web');

/** As the node sends it to a browser. */
const sent = (path: string): number => {
  const packed = [`${path}.br`, path].find((one) => statSync(join(web, one), { throwIfNoEntry: false }));
  return statSync(join(web, packed!)).size;
};

it('is at most 150 kB', () => {
  const files = readdirSync(join(web, 'assets')).filter(
    (name) => /\.(?:js|css|svg)$/.test(name) && !name.startsWith('worker-'),
  );
  expect(files.some((name) => name.endsWith('.js')) && files.some((name) => name.endsWith('.css'))).toBe(
    true,
  );
  const bytes = [...files.map((name) => `assets/${name}`), 'index.html'].reduce(
    (sum, one) => sum + sent(one),
    0,
  );
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});

it('begins without the verifier and without the cryptography of proofs, and with style before script', () => {
  const html = readFileSync(join(web, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(named.reduce((sum, path) => sum + sent(path), 0)).toBeLessThanOrEqual(MAX_FIRST_BYTES);
  const scripts = named.filter((path) => path.endsWith('.js'));
  const first = scripts.map((path) => readFileSync(join(web, path), 'utf8')).join('');
  // The domain of the curve that texts are encrypted with, and a member that only proofs have.
  for (const name of ['expand 32-byte k', '/v1/log/seals']) expect(first).not.toContain(name);
  expect(named.length).toBeGreaterThanOrEqual(3);
  expect(named.filter((path) => /\/worker-|\.wasm$/.test(path))).toEqual([]);
  for (const [tag] of html.matchAll(/<(?:script|link)[^>]*\.js"[^>]*>/g))
    expect(tag).toContain('fetchpriority="low"');
});

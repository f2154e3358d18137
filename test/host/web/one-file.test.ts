// The verifier as one file (A10): it loads nothing from anywhere, so that it can be opened from a disk, and its digest is
// that of the file. The node's own page does not vouch for itself.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MODULE_DIGESTS } from '../../../host/audit/index.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { builtPath } from '../../../tools/load/built.ts';

const bytes = readFileSync(builtPath('verifier/vws-verifier.html'));
const html = bytes.toString('utf8');

describe('the verifier as one file', () => {
  it('has the digest that is written beside it', () => {
    const [digest, name] = readFileSync(builtPath('verifier/vws-verifier.html.sha256'), 'utf8')
      .trim()
      .split(/ +/);
    expect([digest, name]).toEqual([sha256Hex(bytes), 'vws-verifier.html']);
  });

  it('refers to no other file', () => {
    const head = html.slice(0, html.indexOf('<script'));
    expect(head).not.toMatch(/(?:src|href)=/);
    expect(html).not.toMatch(/<script[^>]*\ssrc=/);
    expect(head).toContain("default-src 'none'");
    expect(head).not.toContain("'self'");
  });

  it('contains the modules that this version trusts', () => {
    for (const name of ['core', 'core-scalar', 'consensus']) {
      const module = readFileSync(builtPath(`${name}.wasm`));
      expect(html.includes(module.toString('base64')), name).toBe(true);
    }
    for (const name of ['core', 'consensus'] as const) {
      for (const digest of MODULE_DIGESTS[name]) expect(html).toContain(digest);
    }
  });
});

it("the node's own page says what it cannot", () => {
  const page = readFileSync('host/web/pages/verify.tsx', 'utf8');
  expect(page).toContain('This page cannot vouch for itself.');
  expect(page).not.toContain('You do not need to trust');
  expect(page).not.toMatch(/omitted, added or changed a single bit/);
  // Below every page: what no proof covers.
  const footer = readFileSync('host/web/shell/footer.tsx', 'utf8');
  expect(footer).toMatch(/search, ranks and statistics are what this node says/);
});

// Modules from a folder that a program names: a page that a bundler made serves them somewhere else than beside the code.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadModules, moduleUrl } from '../../../host/modules/load-modules.ts';
import { loadModules as loadFiles } from '../../../host/modules/node.ts';

const HTML = new TextEncoder().encode('<!doctype html><title>The page, for every path</title>');

afterEach(() => vi.unstubAllGlobals());

describe('in a page', () => {
  it.each([
    ['/wasm/', 'https://app.example/wasm/consensus.wasm'],
    ['/wasm', 'https://app.example/wasm/consensus.wasm'],
    ['wasm', 'https://app.example/audit/wasm/consensus.wasm'],
    ['https://cdn.example/vws/0.1.0', 'https://cdn.example/vws/0.1.0/consensus.wasm'],
    [new URL('https://cdn.example/vws/'), 'https://cdn.example/vws/consensus.wasm'],
  ])('the folder %s has them at %s', (folder, url) => {
    vi.stubGlobal('location', { href: 'https://app.example/audit/index.html' });
    expect(moduleUrl('consensus', folder).href).toBe(url);
  });

  it('a folder without them is named, with what to do', async () => {
    vi.stubGlobal('fetch', async () => new Response('no', { status: 404 }));
    await expect(loadModules('https://app.example/wasm')).rejects.toThrow(
      /https:\/\/app\.example\/wasm\/core\.wasm: status 404; .*loadModules/,
    );
  });

  it('a page in the place of a module is no other version of it', async () => {
    vi.stubGlobal('fetch', async () => new Response(HTML));
    await expect(loadModules('https://app.example/wasm')).rejects.toThrow(
      /wasm\/core\.wasm: no WebAssembly module; .*loadModules/,
    );
  });
});

describe('in Node', () => {
  it('a folder may be a path', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vws-modules-'));
    for (const name of ['core', 'core-scalar', 'consensus', 'ed25519', 'ed25519-scalar'])
      copyFileSync(`build/${name}.wasm`, join(folder, `${name}.wasm`));
    for (const base of [folder, relative('.', folder)])
      expect(Object.keys(await loadFiles(base))).toEqual(['core', 'consensus', 'ed25519']);
    rmSync(folder, { recursive: true });
  });
});

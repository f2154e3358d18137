// The package on a plain HTML page of another origin: no bundler, no import map, and the verifier in it works.

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleDoors } from '../../tools/package.mjs';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';
import { openWorld, type World } from './world.ts';

/** A page written after the README. */
const page = (node: string, agent: string): string => `<!doctype html><title>Checked here</title>
<output>checking</output>
<script type="module">
import { systemEnvironment as environment } from '/build/plain/client/index.js';
import { loadModules } from '/build/plain/core/index.js';
import { BrowserStore, HttpSource, Verifier } from '/build/plain/verify/index.js';

const verifier = await Verifier.open({
  source: new HttpSource('${node}', environment),
  modules: await loadModules(),
  store: await BrowserStore.open('checked'),
  way: 'genesis',
  environment,
});
const verdict = await verifier.run();
const answer = await verifier.compare('agent', '${agent}');
document.querySelector('output').textContent = JSON.stringify({ verdict, answer });
</script>`;

describeInBrowser('package on a plain page', () => {
  const bed = new Testbed();
  let browser: Browser;
  let world: World;
  let server: Server;

  beforeAll(async () => {
    [world, browser] = await Promise.all([openWorld(bed), openChromium(), bundleDoors('build/plain')]);
    const html = page(world.base, world.worker.ownKey as string);
    server = createServer(async ({ url = '' }, response) => {
      const isFile = /^\/build\/(plain\/[\w/-]+\.js|[\w-]+\.wasm)$/.test(url);
      const body = url === '/' ? html : isFile ? await readFile(`.${url}`) : '';
      const type = url === '/' ? 'text/html' : url.endsWith('.js') ? 'text/javascript' : 'application/wasm';
      response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await bed.close();
  });

  it('verifies a node of another origin', async () => {
    const tab = await browser.newPage();
    const complaints: string[] = [];
    tab.on('pageerror', ({ message }) => complaints.push(message));
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const output = tab.locator('output');
    await expect.poll(() => output.textContent(), { timeout: 30_000 }).toContain('verdict');
    const { verdict, answer } = JSON.parse((await output.textContent()) as string);
    expect(verdict).toMatchObject({ isGood: true });
    expect(verdict.order).toBeGreaterThan(10);
    expect(answer).toMatchObject({ shown: 'checked', order: verdict.order });
    expect(complaints).toEqual([]);
  });
});

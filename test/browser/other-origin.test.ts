// A page of another origin that signs writes: the operator's list decides whether browsers let it.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SignedRequest } from '../../host/client/signed-request.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Agent } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';

/** In the page: status and TxID that it may read, or that the browser keeps the answer from it. */
async function write({ port, method, path, headers, body }: SignedRequest & { port: number }) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: body as string }),
    });
    return [answer.status, answer.headers.get('x-service-txid')?.length];
  } catch {
    return 'kept from the page';
  }
}

describeInBrowser('a page of another origin', () => {
  const bed = new Testbed();
  const sites: Server[] = [];
  let browser: Browser;
  let node: NodeProcess;

  async function openSite(): Promise<string> {
    const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<p>a page'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    sites.push(site);
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    for (const site of sites) site.close();
    await bed.close();
  });

  it('writes by POST, PUT and DELETE where it is listed, and not where it is not', async () => {
    const [listed, other] = [await openSite(), await openSite()];
    node = await bed.start({ dataDir: await bed.directory(), env: { SERVICE_CORS_ORIGINS: listed } });
    const alice = await new Agent(node.port).register();
    const writes: [string, string, object, number][] = [
      ['POST', '/v1/router/register', { categories: ['data'] }, 201],
      ['PUT', `/v1/router/availability/${alice.id}`, { available: false }, 200],
      ['DELETE', `/v1/router/register/${alice.id}`, {}, 200],
    ];
    for (const [origin, isListed] of [
      [other, false],
      [listed, true],
    ] as const) {
      const page = await browser.newPage();
      await page.goto(origin);
      for (const [method, path, body, status] of writes) {
        const signed = await alice.sign(method, path, body);
        const seen = await page.evaluate(write, { ...signed, port: node.port });
        expect([method, seen]).toEqual([method, isListed ? [status, 64] : 'kept from the page']);
      }
      await page.close();
    }
  });
});

// The panel around a fake verifier: what it shows while running and at the end. The page is built with that verifier
// and given to the browser in place of the node's own page.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Balance, Status } from '../../host/client/index.ts';
import { bundle } from '../../tools/web.mjs';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';
import { type Visit, visit } from './visit.ts';
import { openWorld, type World } from './world.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

describeInBrowser('panel of the verifier', () => {
  const bed = new Testbed();
  let browser: Browser;
  let world: World;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vws-web-'));
    const fake = resolve('test/browser/fake/verify-link.ts');
    [world, browser] = await Promise.all([
      openWorld(bed),
      openChromium(),
      bundle(folder, [{ find: /.*\/verify-link\.ts$/, replacement: fake }]),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await bed.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The page with the fake verifier, which finds what `plan` says. */
  async function open(plan: object): Promise<Visit> {
    const v = await visit(browser, world.base, { viewport: { width: 390, height: 844 } });
    await v.page.route(/\/$|\/assets\//, async (route) => {
      const { pathname } = new URL(route.request().url());
      const path = join(folder, pathname === '/' ? 'index.html' : pathname);
      await route.fulfill({ body: await readFile(path), contentType: TYPES[extname(path)] ?? '' });
    });
    await v.page.addInitScript((text) => localStorage.setItem('test.plan', text), JSON.stringify(plan));
    return v;
  }

  /** What the node reports of the worker, and at which order number. */
  async function reported(): Promise<{ id: string; balance: number; staked: number; order: number }> {
    const id = world.worker.ownKey as string;
    const { balance, staked_amount: staked } = await world.worker.get<Balance>(`/v1/agents/${id}/balance`);
    return { id, balance, staked, order: (await world.worker.get<Status>('/v1/status')).order };
  }

  it('shows its progress, pauses on request, and reports a good verdict', async () => {
    const v = await open({ agents: {}, order: 400 });
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText(/^Verifying: \d+ %/).waitFor();
    await v.page.getByRole('button', { name: 'Pause' }).click();
    await v.page.getByText(/^Paused: \d+ %/).waitFor();
    expect(await v.axe()).toEqual([]);
    await v.page.getByRole('button', { name: 'Resume' }).click();
    const verdict = v.page.locator('.verify .notice.good');
    await verdict.getByText('Verified.').waitFor();
    expect(await verdict.textContent()).toContain('executed 10,000 transactions again, up to order 400');
    expect(await v.page.getByRole('progressbar').getAttribute('value')).toBe('1');
    expect(await v.axe()).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('shows the balance computed here beside the one that the node reports', async () => {
    const { id, balance, staked, order } = await reported();
    const v = await open({ agents: { [id]: { balance, staked } }, order });
    await v.go(`/agent/${id}`);
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText('Equal: the node reports this balance correctly.').waitFor();
    expect(await v.axe()).toEqual([]);
    // The verdict serves the next page as well.
    await v.go(`/agent/${world.poster.ownKey}`);
    await v.page.getByText('this account did not exist yet').waitFor();
    await v.close();
  });

  it('finds no fault with a node that has only moved on', async () => {
    const { id, balance, staked, order } = await reported();
    const v = await open({ agents: { [id]: { balance: balance - 1, staked } }, order: order - 1 });
    await v.go(`/agent/${id}`);
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText('The account has changed since the verified order number.').waitFor();
    await v.close();
  });

  it('names the fault in one sentence', async () => {
    const fault = {
      kind: 'signature',
      text: 'The signature of a vertex is wrong.',
      order: 7,
      vertex: world.vertex,
    };
    const v = await open({ agents: {}, order: 400, fault });
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    const verdict = v.page.locator('.verify .notice.bad');
    await verdict.getByText('Verification failed.').waitFor();
    await verdict.getByText('The signature of a vertex is wrong.').waitFor();
    await verdict.getByText('At order number 7. In vertex').waitFor();
    expect(await v.axe()).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });
});

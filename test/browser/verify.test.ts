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
    // A page that does not come from the node itself has to be allowed to follow its events.
    const permissions = ['local-network-access'];
    const v = await visit(browser, world.base, { viewport: { width: 390, height: 844 }, permissions });
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
    const v = await open({ agents: {}, order: 400, waitsForPause: true });
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText(/^Verifying: \d+ %/).waitFor();
    await v.page.getByRole('button', { name: 'Pause' }).click();
    await v.page.getByText(/^Paused: \d+ %/).waitFor();
    expect(await v.axe()).toEqual([]);
    await v.page.getByRole('button', { name: 'Resume' }).click();
    const verdict = v.page.locator('.verify .notice.good');
    await verdict.getByText('Checked.').waitFor();
    const text = await verdict.textContent();
    expect(text).toContain('executed 10,000 transactions again');
    expect(text).toContain('holds up to order 400');
    expect(text).toContain('8:7K3M-9QXT-2B4C-6D8E-F0G1-H2J3-K4M5-N6P7');
    expect(await v.page.getByRole('progressbar').getAttribute('value')).toBe('1');
    expect(await v.axe()).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('shows the balance computed here beside the one that the node reports', async () => {
    const { id, balance, staked, order } = await reported();
    const v = await open({
      agents: { [id]: { shown: 'checked', own: { balance, staked_amount: staked } } },
      order,
    });
    await v.go(`/agent/${id}`);
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText(/^Checked: the node reports this balance/).waitFor();
    expect(await v.axe()).toEqual([]);
    // The verdict serves the next page as well.
    await v.go(`/agent/${world.poster.ownKey}`);
    await v.page.getByText('Not comparable: no answer came').waitFor();
    await v.close();
  });

  it('seals what was computed here, on every page, and nothing else', async () => {
    const { id, balance, staked, order } = await reported();
    const own = { balance, staked_amount: staked + 1 };
    const v = await open({ agents: { [id]: { shown: 'not_comparable', own } }, order });
    await v.go('/agents');
    await v.page.locator('table').waitFor();
    expect(await v.page.locator('.seal').count()).toBe(0);
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText('Checked.').waitFor();
    await v.go('/agents');
    const row = v.page.locator('tbody tr', { has: v.page.locator(`a[href="#/agent/${id}"]`) });
    await row.locator('[data-name="Balance"] .seal.here').waitFor();
    expect(await row.locator('[data-name="Staked"] .seal').getAttribute('class')).toBe('seal says');
    expect(await row.locator('[data-name="Balance"]').textContent()).toContain('(checked here)');
    await v.page.locator('.strip').getByText('says the node').waitFor();
    expect(await v.axe()).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('can be cancelled from any page, and resumes; a page that is loaded anew resumes by itself', async () => {
    const v = await open({ agents: {}, order: 400, waitsForPause: true });
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText(/^Verifying: \d+ %/).waitFor();
    await v.page
      .getByText(/\d+ order numbers/)
      .first()
      .waitFor();
    await v.page.reload();
    await v.page.getByText(/^Verifying: \d+ %/).waitFor();
    await v.go('/tasks');
    await v.page
      .locator('.strip')
      .getByText(/order numbers left/)
      .waitFor();
    await v.page.getByRole('button', { name: 'Cancel the verification' }).click();
    await v.page.locator('.strip').waitFor({ state: 'detached' });
    await v.go('/verify');
    await v.page.getByText(/^Cancelled at order number \d+/).waitFor();
    expect(await v.axe()).toEqual([]);
    await v.page.reload();
    await v.page.getByRole('button', { name: 'Verify in this browser' }).waitFor();
    expect(await v.page.getByRole('progressbar').count()).toBe(0);
    await v.close();
  });

  it('shows what is reported between the drawing of the panel and its first effect', async () => {
    const v = await open({ agents: {}, order: 400, waitsForPause: true });
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText(/^Verifying: \d+ %/).waitFor();
    const plan = JSON.stringify({ agents: {}, order: 400, stepsAsPanelAppears: true });
    await v.page.addInitScript((text) => localStorage.setItem('test.plan', text), plan);
    await v.page.reload();
    await v.page.getByText(/^Verifying: \d+ %/).waitFor();
    await v.close();
  });

  it('says which member is a lie, and what accuses nobody', async () => {
    const { id, order } = await reported();
    const findings = [{ kind: 'stale', text: 'the log ends 9 min ago' }];
    const lie = { shown: 'lie', text: 'balance is 1, the node says 2' };
    const v = await open({ agents: { [id]: lie }, order, findings });
    await v.go(`/agent/${id}`);
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.getByText('Not equal: the node contradicts its own history. (balance is 1').waitFor();
    await v.page.getByText('the log ends 9 min ago').waitFor();
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

  it('keeps a proof of two histories over the next visit, where the node shows one history only', async () => {
    const proof = { kind: 'vws-two-histories-1', height: 7 };
    const fault = { kind: 'histories', text: 'Two histories of one network are signed.' };
    const v = await open({ agents: {}, order: 400, fault, proof });
    await v.go('/verify');
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    const saved = v.page.getByRole('link', { name: 'Save the proof of two histories' });
    await saved.waitFor();
    await v.page.addInitScript(() => localStorage.setItem('test.plan', '{"agents":{},"order":400}'));
    await v.page.reload();
    await v.page.getByRole('button', { name: 'Verify in this browser' }).click();
    await v.page.locator('.verify .notice.good').getByText('Checked.').waitFor();
    await saved.waitFor();
    const text = await saved.evaluate(async (link) => (await fetch((link as HTMLAnchorElement).href)).text());
    expect(JSON.parse(text)).toEqual(proof);
    await v.close();
  });
});

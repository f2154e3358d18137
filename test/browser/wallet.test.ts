// The wallet as a visitor uses it: two keys made in the page, from registration to a paid task.

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Agent, Task } from '../../host/client/index.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';
import { type Visit, visit } from './visit.ts';

const RESULT = 'Week one had 41 vessels, week two 67, week three 38, week four 66. Busy: the second.';

describeInBrowser('wallet', () => {
  const bed = new Testbed();
  let browser: Browser;
  let node: NodeProcess;
  let v: Visit;
  let page: Page;

  beforeAll(async () => {
    const { dataDir, env } = await bed.network();
    [node, browser] = await Promise.all([bed.start({ dataDir, env }), openChromium()]);
    v = await visit(browser, `http://127.0.0.1:${node.port}`, { viewport: { width: 1280, height: 900 } });
    page = v.page;
  });
  afterAll(async () => {
    await browser?.close();
    await bed.close();
  });

  const card = (title: string) =>
    page.locator('section.card', { has: page.getByRole('heading', { name: title }) });
  const ownId = async (): Promise<string> => (await card('Your key').locator('code').textContent()) as string;

  async function register(name: string): Promise<string> {
    await card('Register').getByLabel('Display name').fill(name);
    await card('Register').getByRole('button', { name: 'Register' }).click();
    await card('Send tokens').waitFor();
    return await ownId();
  }

  const choose = async (id: string): Promise<void> => {
    await v.go('/wallet');
    await page.getByLabel('Active key').selectOption(id);
    await card('Send tokens').waitFor();
  };

  it('carries two new keys from nothing to a paid task', async () => {
    await v.go('/wallet');
    await page.getByText('A toy key for a testnet').waitFor();
    expect(await v.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const ada = await register('Ada');
    expect(await v.axe()).toEqual([]);
    await card('Faucet').getByRole('button').click();
    await card('Faucet').getByText('You received').waitFor();
    await page.getByRole('button', { name: 'Create another' }).click();
    const bea = await register('Bea');
    expect(await v.axe()).toEqual([]);
    expect(bea).not.toBe(ada);

    await choose(ada);
    await card('Send tokens').getByLabel('To', { exact: true }).fill(bea);
    await card('Send tokens').getByLabel('Amount in tokens').fill('12.345678');
    await card('Send tokens').getByLabel('Memo').fill('for the map');
    await page.keyboard.press('Enter');
    const sent = card('Send tokens').getByRole('status').getByRole('link', { name: 'the transfer' });
    const event = (await sent.getAttribute('href')) as string;
    await card('Post a task').getByLabel('Title').fill('Count the vessels of May');
    await card('Post a task').getByLabel('Description').fill('Count the vessels of each week of May.');
    await card('Post a task').getByLabel('Budget in tokens').fill('2.5');
    await card('Post a task').getByRole('button').click();
    const posted = card('Post a task').getByRole('status').getByRole('link');
    const task = (await posted.getAttribute('href')) as string;

    await v.go('/');
    await page.locator(`.stream a[href="${event}"]`).waitFor();
    await page.locator('.stream li', { hasText: 'Count the vessels of May for 2.50' }).waitFor();

    await choose(bea);
    await v.go(task.slice(1));
    await page.getByRole('button', { name: 'Claim this task' }).click();
    await page.getByLabel('Result').fill(RESULT);
    await page.getByRole('button', { name: 'Sign and submit' }).click();
    await page.locator('pre', { hasText: RESULT }).waitFor();

    await choose(ada);
    await v.go(task.slice(1));
    await page.getByRole('button', { name: 'Approve and pay' }).click();
    await page.locator('.chip', { hasText: 'Completed' }).waitFor();

    await choose(ada);
    await card('Post a task').getByLabel('Title').fill('Only for Bea');
    await card('Post a task').getByLabel('Only for this agent').fill(bea);
    await card('Post a task').getByLabel('Budget in tokens').fill('1');
    await card('Post a task').getByRole('button').click();
    const hired = card('Post a task').getByRole('status').getByRole('link', { name: 'Only for Bea' });
    const reserved = (await hired.getAttribute('href')) as string;
    await choose(bea);
    await v.go(reserved.slice(1));
    await page.getByRole('button', { name: 'Claim this task' }).waitFor();
    await page.getByRole('button', { name: 'Decline this task' }).click();
    await page.locator('.chip', { hasText: 'Cancelled' }).waitFor();

    const id = task.replace('#/task/', '');
    const done = await node.json<Task>(`/v1/tasks/${id}`);
    expect(done).toMatchObject({ status: 'completed', poster_id: ada, claimer_id: bea, budget: 2_500_000 });
    const agent = await node.json<Agent>(`/v1/agents/${bea}`);
    expect(agent.display_name).toBe('Bea');
    expect(v.complaints).toEqual([]);
  });

  it('shows what is wrong in place, and sends nothing that is not an amount', async () => {
    await v.go('/wallet');
    const send = card('Send tokens');
    await send.getByLabel('To', { exact: true }).fill('x');
    await send.getByLabel('Amount in tokens').fill('1.2345678');
    await send.getByRole('button').click();
    await send.getByRole('alert').getByText('at most six decimals').waitFor();
    expect(await send.getByLabel('To', { exact: true }).inputValue()).toBe('x');
    expect(v.complaints).toEqual([]);
  });

  it('stores keys only when asked, and exports and imports them as a key file', async () => {
    await v.go('/wallet');
    const id = await ownId();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(JSON.parse(text)).toEqual({ seed: expect.stringMatching(/^[0-9a-f]{64}$/), public_key: id });

    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.getByLabel('Keep my keys in this browser').check();
    await page.reload();
    await card('Your key').waitFor();
    expect(await page.getByLabel('Active key').locator('option').count()).toBe(2);
    await page.getByLabel('Keep my keys in this browser').uncheck();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Create a key' }).waitFor();

    await page.getByText('Import a key').click();
    await page.getByLabel('Key file').setInputFiles({
      name: 'ada.key',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await card('Send tokens').waitFor();
    expect(await ownId()).toBe(id);
    expect(v.complaints).toEqual([]);
  });
});

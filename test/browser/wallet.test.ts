// The wallet as a visitor uses it: two keys made in the page, from registration to a paid task, and sealed results through a dispute.

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Agent, Task } from '../../host/client/index.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Agent as Poster, TOKEN } from '../e2e/agent.ts';
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
  let ada: string;
  let bea: string;

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

  it('keeps the place of who works by keyboard, where a card takes the place of another', async () => {
    const own = await visit(browser, `http://127.0.0.1:${node.port}`, {
      viewport: { width: 390, height: 844 },
    });
    await own.go('/wallet');
    const focused = (title: string) => own.page.locator('h2:focus', { hasText: title }).waitFor();
    await own.page.getByRole('button', { name: 'Create a key' }).press('Enter');
    await focused('Your key');
    await own.page.getByRole('button', { name: 'Register' }).press('Enter');
    await focused('Send tokens');
    expect(own.complaints).toEqual([]);
    await own.close();
  });

  it('carries two new keys from nothing to a paid task', async () => {
    await v.go('/wallet');
    await page.getByText('A toy key for a testnet').waitFor();
    expect(await v.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Create a key' }).click();
    ada = await register('Ada');
    expect(await v.axe()).toEqual([]);
    await card('Faucet').getByRole('button').click();
    await card('Faucet').getByText('You received').waitFor();
    await page.getByRole('button', { name: 'Create another' }).click();
    bea = await register('Bea');
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

  /** Ada posts a task whose result is to be sealed, Bea claims it; its id. */
  async function sealedTask(title: string): Promise<string> {
    await choose(ada);
    await card('Post a task').getByLabel('Title').fill(title);
    await card('Post a task').getByLabel('Budget in tokens').fill('1');
    await card('Post a task').getByLabel('Have the result sealed').check();
    await card('Post a task').getByRole('button').click();
    const link = card('Post a task').getByRole('status').getByRole('link', { name: title });
    const id = ((await link.getAttribute('href')) as string).replace('#/task/', '');
    await at(bea, id);
    await page.getByRole('button', { name: 'Claim this task' }).click();
    return id;
  }
  async function at(agent: string, id: string): Promise<void> {
    await choose(agent);
    await v.go(`/task/${id}`);
  }
  const steps = () => page.getByRole('region', { name: 'What you can do' });
  const button = (name: string) => steps().getByRole('button', { name });
  const state = (name: string) => page.locator('.chip', { hasText: name }).first();
  const told = (id: string) => node.json<Task>(`/v1/tasks/${id}`);

  it('seals a result, lets its two parties read it, and opens it to contest a dispute', async () => {
    const id = await sealedTask('Only for Ada');
    await page.getByText('Sealed here: only the poster and you').waitFor();
    await page.getByLabel('Result').fill(RESULT);
    await page.getByRole('button', { name: 'Sign and submit' }).click();
    await state('Submitted').waitFor();
    expect(await told(id)).toMatchObject({
      status: 'submitted',
      delivery_method: 'encrypted',
      result_content: expect.stringMatching(/^vws-sealed-v2:/),
    });
    const box = page.locator('section', { hasText: 'The box as it was sent' }).locator('pre');
    expect(await box.isVisible()).toBe(false);
    await page.getByText('The box as it was sent').click();
    await box.filter({ hasText: 'vws-sealed-v2:' }).waitFor();
    for (const party of [bea, ada]) {
      await at(party, id);
      await button('Read the result with your key').click();
      await steps().locator('pre', { hasText: RESULT }).waitFor();
      expect(await v.axe()).toEqual([]);
    }

    await page.getByText('Dispute the result').click();
    await page.getByLabel('Reason').fill('Week five is missing.');
    await button('Dispute').click();
    await state('Disputed').waitFor();
    await button('Open the sealed result').waitFor();
    expect((await told(id)).content_key).toBe(undefined);

    await at(bea, id);
    await page.getByText('Judges must read the sealed result').waitFor();
    expect(await v.axe()).toEqual([]);
    await page.getByLabel('What the judges should know').fill('May has four weeks.');
    await button('Open the result and contest').click();
    await steps().waitFor({ state: 'detached' });
    expect(await told(id)).toMatchObject({ status: 'disputed', contested: true, opened_content: RESULT });
    expect(v.complaints).toEqual([]);
  });

  it('opens a sealed result with its dispute, or after it; and a worker can give in', async () => {
    const ids: string[] = [];
    for (const title of ['Opened at once', 'Opened later']) {
      const id = await sealedTask(title);
      ids.push(id);
      await page.getByLabel('Result').fill(RESULT);
      await page.getByRole('button', { name: 'Sign and submit' }).click();
      await state('Submitted').waitFor();
      await at(ada, id);
      await page.getByText('Dispute the result').click();
      if (title === 'Opened at once') await page.getByLabel('Open the sealed result at once').check();
      await button('Dispute').click();
      await state('Disputed').waitFor();
      if (title === 'Opened later') await button('Open the sealed result').click();
      await page.locator('pre', { hasText: RESULT }).waitFor();
      expect(await told(id)).toMatchObject({ opened_content: RESULT, opened_by: ada });
    }
    await at(bea, ids[0]!);
    await button('Contest the dispute').waitFor();
    await button('Give in').click();
    await state('Cancelled').waitFor();
    expect(await told(ids[0]!)).toMatchObject({ resolution: 'conceded' });
    expect(v.complaints).toEqual([]);
  });

  it('runs the contract of a task before it submits, and says what fails', async () => {
    const poster = await new Poster(node.port).register();
    const acceptance = [{ program: 'contains', parameters: { all: ['41 vessels'] } }];
    const task = { title: 'With a contract', budget: TOKEN, delivery_method: 'encrypted', acceptance };
    const { id } = await poster.do('/v1/tasks', task);
    await at(bea, id);
    await page.getByRole('button', { name: 'Claim this task' }).click();
    await page.getByLabel('Result').fill('Two vessels.');
    await page.getByRole('button', { name: 'Sign and submit' }).click();
    await steps().getByRole('alert').getByText('was not sent: check 0 failed').waitFor();
    expect((await told(id)).status).toBe('claimed');
    expect(await page.getByLabel('Result').inputValue()).toBe('Two vessels.');
    await page.getByLabel('Result').fill(RESULT);
    await page.getByRole('button', { name: 'Sign and submit' }).click();
    await state('Submitted').waitFor();
    expect(v.complaints).toEqual([]);
  });

  it('says so when it cannot tell what can be done', async () => {
    const id = await sealedTask('Out of reach');
    const broken = {
      status: 200,
      headers: { 'X-Service-Status': '500' },
      json: { error: 'broken', code: 'internal' },
    };
    await choose(ada);
    const standing = /recent\?event_type=registration/;
    await page.route(standing, (route) => route.fulfill(broken));
    await v.go(`/task/${id}`);
    await page.getByRole('alert').getByText('What you can do here is not known: broken').waitFor();
    await page.unroute(standing);
    await button('Cancel this task').waitFor();
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

// Every page of the explorer in a real browser: wide and narrow, light and dark.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';
import { visit } from './visit.ts';
import { openWorld, type World } from './world.ts';

const WIDTHS = [
  ['wide', 1280],
  ['narrow', 390],
] as const;

describeInBrowser('pages', () => {
  const bed = new Testbed();
  let browser: Browser;
  let world: World;

  beforeAll(async () => {
    [world, browser] = await Promise.all([openWorld(bed), openChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await bed.close();
  });

  const routes = (): string[] => [
    '/',
    '/agents',
    '/agents?sort=balance',
    `/agent/${world.worker.ownKey}`,
    '/tasks',
    '/tasks?status=open',
    `/task/${world.taskId}`,
    '/events',
    '/events?type=transfer',
    `/event/${world.eventId}`,
    '/validators',
    '/dag',
    `/vertex/${world.vertex}`,
    '/search?q=Tide',
    '/wallet',
    '/verify',
    '/nowhere/at/all',
  ];

  it.each(WIDTHS)(
    '%s, light and dark: no error, no other host, no overflow, accessible',
    async (_, width) => {
      const v = await visit(browser, world.base, { viewport: { width, height: 844 } });
      for (const route of routes()) {
        await v.page.emulateMedia({ colorScheme: 'light' });
        await v.go(route);
        const overflow = await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, `${route} is wider than the screen`).toBeLessThanOrEqual(0);
        expect(await v.axe()).toEqual([]);
        // The other theme changes colours and nothing else.
        await v.page.emulateMedia({ colorScheme: 'dark' });
        expect(await v.axe('color-contrast')).toEqual([]);
      }
      expect(v.complaints).toEqual([]);
      await v.close();
    },
  );

  it('shows exact amounts and the live stream', async () => {
    const v = await visit(browser, world.base, { viewport: { width: 1280, height: 844 } });
    await v.go(`/event/${world.eventId}`);
    await v.page.getByText('12.345678', { exact: true }).waitFor();
    await v.go('/');
    await v.page.getByText('Live', { exact: true }).or(v.page.locator('.lamp.good')).first().waitFor();
    const { event_id } = await world.poster.transfer({ to_agent: world.worker.ownKey as string, amount: 7 });
    const line = v.page.locator('.stream li', { has: v.page.locator(`a[href="#/event/${event_id}"]`) });
    await line.getByText('0.000007').waitFor();
    await v.close();
  });

  it('finds by ID, address and name, and reports when there is nothing', async () => {
    const v = await visit(browser, world.base, { viewport: { width: 1280, height: 844 } });
    const { address } = await world.poster.address(world.worker.ownKey as string);
    const cases: [string, string][] = [
      [world.taskId, `#/task/${world.taskId}`],
      [world.eventId, `#/event/${world.eventId}`],
      [address, `#/agent/${world.worker.ownKey}`],
      ['tide', `#/agent/${world.worker.ownKey}`],
    ];
    await v.go('/');
    for (const [q, link] of cases) {
      await v.page.getByRole('searchbox').fill(q);
      await v.page.getByRole('searchbox').press('Enter');
      await v.page.locator(`main a[href="${link}"]`).waitFor();
    }
    await v.go('/search?q=nobody-has-this-name');
    await v.page.getByText('Nothing found with this ID').waitFor();
    await v.close();
  });

  it('can be used with the keyboard alone: skip link, places, the picture of the DAG', async () => {
    const v = await visit(browser, world.base, { viewport: { width: 1280, height: 844 } });
    const { page } = v;
    const focused = (): Promise<string> =>
      page.evaluate(
        () => document.activeElement?.textContent?.trim() || document.activeElement?.tagName || '',
      );
    await v.go('/');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(page.url()).toMatch(/#\/$/);
    await page.getByRole('link', { name: 'DAG' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.dag').waitFor();
    expect(await focused()).toBe('DAG');
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.closest('svg') !== null)) break;
    }
    const label = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
    expect(await label()).toMatch(/^Vertex of v1, round \d+, not final yet, 0 transactions$/);
    await page.keyboard.press('Home');
    expect(await label()).toMatch(/^Leader of v1, round \d+, final, order \d+/);
    await page.locator('section.chosen', { hasText: 'it closes its block' }).waitFor();
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('links the same data without JavaScript', async () => {
    const v = await visit(browser, world.base, { javaScriptEnabled: false });
    await v.page.goto(world.base);
    for (const path of ['/docs', '/openapi.json', '/v1/economics']) {
      expect(await v.page.locator(`a[href="${path}"]`).isVisible()).toBe(true);
    }
    await v.close();
  });

  it('keeps the chosen theme', async () => {
    const v = await visit(browser, world.base, { colorScheme: 'light' });
    await v.go('/');
    const ground = (): Promise<string> =>
      v.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await v.page.getByLabel('Theme').selectOption('dark');
    const dark = await ground();
    expect(dark).not.toBe(light);
    await v.page.reload();
    await v.page.locator('main h1').waitFor();
    expect(await ground()).toBe(dark);
    await v.close();
  });
});

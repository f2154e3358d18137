// Every page of the explorer in a real browser: wide and narrow, light and dark.

import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { visit } from './visit.ts';
import { worldInBrowser } from './world.ts';

const WIDTHS = [
  ['wide', 1280],
  ['narrow', 390],
] as const;

describeInBrowser('pages', () => {
  const at = worldInBrowser();

  const routes = (): string[] => [
    '/',
    '/agents',
    '/agents?sort=balance',
    `/agent/${at.world.worker.ownKey}`,
    '/tasks',
    '/tasks?status=open',
    `/task/${at.world.taskId}`,
    '/events',
    '/events?type=transfer',
    `/event/${at.world.eventId}`,
    '/validators',
    '/validators?status=active',
    '/validator/v1',
    '/dag',
    '/dag?zoom=far',
    `/events?agent=${at.world.worker.ownKey}`,
    '/money',
    '/?span=week',
    '/wallet?do=post&hire=bob',
    `/vertex/${at.world.vertex}`,
    '/search?q=Tide',
    '/wallet',
    '/verify',
    '/nowhere/at/all',
  ];

  it.each(WIDTHS)(
    '%s, light and dark: no error, no other host, no overflow, accessible',
    async (_, width) => {
      const v = await visit(at.browser, at.world.base, { viewport: { width, height: 844 } });
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

  it('keeps its lamps, seals and charts apart in forced colours', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 1280, height: 844 } });
    await v.page.emulateMedia({ forcedColors: 'active' });
    await v.go('/');
    const lamp = v.page.locator('.lamp.good').first();
    await lamp.waitFor();
    const colours = await lamp.evaluate((one) => [
      getComputedStyle(one).backgroundColor,
      getComputedStyle(document.body).backgroundColor,
    ]);
    expect(colours[0]).not.toBe(colours[1]);
    await v.page.locator('.chart svg').first().waitFor();
    const chart = v.page.locator('.chart svg').first();
    expect(await chart.evaluate((one) => getComputedStyle(one).forcedColorAdjust)).toBe('none');
    expect(await v.axe('color-contrast')).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('shows exact amounts and the live stream', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 1280, height: 844 } });
    await v.go(`/event/${at.world.eventId}`);
    await v.page.getByText('12.345678', { exact: true }).waitFor();
    await v.go('/');
    await v.page.getByText('Live', { exact: true }).or(v.page.locator('.lamp.good')).first().waitFor();
    const { event_id } = await at.world.poster.transfer({
      to_agent: at.world.worker.ownKey as string,
      amount: 7,
    });
    const line = v.page.locator('.stream li', { has: v.page.locator(`a[href="#/event/${event_id}"]`) });
    await line.getByText('0.000007').waitFor();
    await v.close();
  });

  it('asks for nothing and shows nothing new while it is hidden, and catches up when it is seen again', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 1280, height: 844 } });
    const { page } = v;
    const setHidden = (isHidden: boolean): Promise<void> =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await v.go('/');
    await page.locator('.stream li').first().waitFor();
    await setHidden(true);
    // What was under way.
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const { event_id } = await at.world.poster.transfer({
      to_agent: at.world.worker.ownKey as string,
      amount: 9,
    });
    const line = page.locator('.stream li', { has: page.locator(`a[href="#/event/${event_id}"]`) });
    // Longer than the page needs to show an event, or to ask for what it repeats.
    await page.waitForTimeout(4000);
    expect([asked, await line.count()]).toEqual([[], 0]);
    await setHidden(false);
    await line.getByText('0.000009').waitFor();
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('finds by ID, address and name, and reports when there is nothing', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 1280, height: 844 } });
    const second = (await at.world.poster.vertices({ after: 1, per_page: 1 }))[0]?.hash;
    const { address } = await at.world.poster.address(at.world.worker.ownKey as string);
    const cases: [string, string][] = [
      [at.world.taskId, `#/task/${at.world.taskId}`],
      [at.world.eventId, `#/event/${at.world.eventId}`],
      [address, `#/agent/${at.world.worker.ownKey}`],
      ['tide', `#/agent/${at.world.worker.ownKey}`],
      ['v1', '#/validator/v1'],
      ['2', `#/vertex/${second}`],
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

  it('shows on a phone where the reader is in the navigation', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 390, height: 844 } });
    for (const [route, name] of [
      ['/wallet', 'Wallet'],
      ['/', 'Overview'],
      ['/money', 'Money'],
    ] as const) {
      await v.go(route);
      const link = v.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
      const { x, width } = (await link.boundingBox())!;
      expect([name, x >= 0, x + width <= 390]).toEqual([name, true, true]);
    }
    await v.close();
  });

  it('suggests while somebody types, by name, order number and what the page has seen', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 390, height: 844 } });
    const { page } = v;
    await v.go('/');
    await page.locator('.stream li').first().waitFor();
    const field = page.getByRole('searchbox');
    const suggested = page.locator('.suggestions a');
    await field.fill('tide');
    await suggested.filter({ hasText: 'Tide tables' }).waitFor();
    expect(await v.axe()).toEqual([]);
    await field.fill(at.world.eventId.slice(0, 10));
    await page.locator(`.suggestions a[href="#/event/${at.world.eventId}"]`).waitFor();
    await field.fill('vessels of may');
    await suggested.filter({ hasText: 'Count the vessels of May' }).waitFor();
    await field.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Count the vessels of May' }).waitFor();
    expect(await suggested.count()).toBe(0);
    await field.fill('v1');
    await suggested.filter({ hasText: 'v1, Active' }).waitFor();
    await field.press('Escape');
    expect(await suggested.count()).toBe(0);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('says why a vertex is final, step by step, and finds the seals', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 1280, height: 844 } });
    const { page } = v;
    await v.go('/dag');
    const final = page.locator('.dag a[aria-label*="final, order"]').first();
    await final.focus();
    const why = page.locator('.why');
    await why.getByText(/^It is final since/).waitFor();
    for (const step of ['Leader', 'Votes', 'Certificates', 'Decision', 'Order'])
      await why.getByRole('button', { name: step }).waitFor();
    expect(await page.locator('.dag.explained').count()).toBe(0);
    await why.getByRole('button', { name: 'Certificates' }).focus();
    await page.locator('.dag.explained a.certificate').first().waitFor();
    expect(await page.locator('.dag a.vote').count()).toBeGreaterThan(0);
    expect(await v.axe()).toEqual([]);
    await page.getByRole('link', { name: 'Many rounds' }).click();
    await page.waitForURL(/zoom=far/);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('shows a fork in red, with both signatures', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 390, height: 844 } });
    await v.page.route(/\/v1\/dag\/vertices\?/, async (route) => {
      const answer = await route.fetch();
      const list = (await answer.json()) as { hash: string; seq: number; is_leader?: boolean }[];
      const twin = { ...list.at(-1)!, hash: 'ab'.repeat(32), is_leader: false };
      await route.fulfill({ response: answer, json: [...list, twin] });
    });
    await v.go('/dag');
    await v.page.getByRole('alert').getByText('Two histories signed by one seat').waitFor();
    expect(await v.page.locator('.vertex.fork').count()).toBe(2);
    expect(await v.page.locator('.forks li').count()).toBe(2);
    expect(await v.axe()).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('computes what a validator would weigh, and shows one with its verdicts', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 1280, height: 844 } });
    const { page } = v;
    await v.go('/validators');
    await page.getByLabel('Your stake').fill('25000');
    await page.getByLabel('Your reputation').fill('80');
    await page.getByLabel('Your standing').fill('750');
    const result = page.locator('.card .facts div', { hasText: 'Vote weight once active' });
    await result.getByText('20,000.00', { exact: true }).waitFor();
    await page.getByLabel('Your stake').fill('1');
    await page.getByText(/^Too little: /).waitFor();
    await page.locator('table').getByRole('link', { name: 'v1' }).click();
    await page.locator('h1', { hasText: 'Validator v1' }).waitFor();
    await page
      .getByText(/^(Of its newest \d+ verdicts?|It has given no verdict yet)/)
      .first()
      .waitFor();
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('can be used with the keyboard alone: skip link, places, the picture of the DAG', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 1280, height: 844 } });
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
    const roundOf = async (): Promise<number> => {
      const found = /^Leader of v1, round (\d+), final, order \d+/.exec((await label()) ?? '');
      expect(found, `${await label()}`).not.toBeNull();
      return Number(found![1]);
    };
    const newest = await roundOf();
    await page.keyboard.press('Home');
    expect(await roundOf()).toBeLessThan(newest);
    await page.locator('section.chosen', { hasText: 'it closes its block' }).waitFor();
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('says that something does not exist without an error in the console', async () => {
    const v = await visit(at.browser, at.world.base, { viewport: { width: 390, height: 844 } });
    for (const [route, text] of [
      [`/task/${'0'.repeat(32)}`, 'task_not_found'],
      [`/event/${'0'.repeat(64)}`, 'event_not_found'],
      [`/vertex/${'0'.repeat(64)}`, 'vertex_not_found'],
      ['/agent/nobody-at-all', 'agent_not_found'],
      ['/validator/nobody-at-all', 'validator_not_found'],
      ['/nowhere', 'There is nothing at this address'],
    ] as const) {
      await v.go(route);
      await v.page.locator('main').getByText(text).first().waitFor();
    }
    await v.go(`/search?q=${'0'.repeat(64)}`);
    await v.page.getByText('Nothing found with this ID').waitFor();
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('links the same data without JavaScript', async () => {
    const v = await visit(at.browser, at.world.base, { javaScriptEnabled: false });
    await v.page.goto(at.world.base);
    for (const path of ['/docs', '/openapi.json', '/v1/economics']) {
      expect(await v.page.locator(`a[href="${path}"]`).isVisible()).toBe(true);
    }
    await v.close();
  });

  it('keeps the chosen theme', async () => {
    const v = await visit(at.browser, at.world.base, { colorScheme: 'light' });
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

// Charts, the picture of the money, the story of a task, an agent to hire, in a real browser.

import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { visit } from './visit.ts';
import { worldInBrowser } from './world.ts';

const WIDE = { viewport: { width: 1280, height: 844 } };
const PHONE = { viewport: { width: 390, height: 844 } };
/** Markup, a reversal of the direction, a script for a link. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202e</pre><script>alert(2)</script> javascript:alert(3)';

describeInBrowser('charts', () => {
  const at = worldInBrowser();

  it('adds up all parts of the supply in the browser', async () => {
    const v = await visit(at.browser, at.world.base, WIDE);
    await v.go('/money');
    await v.page.getByText('are 1,000,000,000.00 tokens, exactly the supply').waitFor();
    const cells = v.page.locator('table[aria-label="Every part of the supply"] tbody tr');
    const amounts = await cells.evaluateAll((rows) =>
      rows.map((row) => row.querySelectorAll('td')[2]!.textContent!.replaceAll(',', '')),
    );
    const micro = amounts.map((text) => Math.round(Number(text) * 1e6));
    expect(micro.pop()).toBe(1e15);
    expect(micro.reduce((sum, amount) => sum + amount, 0)).toBe(1e15);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('shows what moved in the last day, and of a node that has not run so long, in the last hour', async () => {
    for (const [shown, other, empty] of [
      ['day', 'hour', []],
      ['hour', 'day', ['day']],
    ] as const) {
      const v = await visit(at.browser, at.world.base, PHONE);
      // A node that has run for a minute has one sample: it gets a past, in which the treasury had what agents have now.
      await v.page.route('**/v1/network/trend?*', async (route) => {
        const answer = await route.fetch();
        const json = (await answer.json()) as { span: string; samples: { time: number; parts: object }[] };
        const newest = json.samples.at(-1)!;
        const { balances, treasury } = newest.parts as { balances: number; treasury: number };
        const parts = { ...newest.parts, balances: 0, treasury: treasury + balances };
        const past = empty.some((span) => span === json.span)
          ? []
          : [{ ...newest, time: newest.time - 60, parts }];
        await route.fulfill({ response: answer, json: { ...json, samples: [...past, newest] } });
      });
      await v.go('/money');
      const figure = v.page.locator('.figure', { hasText: `What moved in the last ${shown}` });
      await figure.getByText(/the same\. What went back and forth/).waitFor();
      const isShort = await figure.getByText('recorded too little to show a day').count();
      expect(isShort).toBe(shown === 'hour' ? 1 : 0);
      const head = v.page.locator('table[aria-label="Every part of the supply"]');
      expect(await head.locator(`td[data-name="Last ${shown}"]`).count()).toBeGreaterThan(0);
      expect(await head.locator(`td[data-name="Last ${other}"]`).count()).toBe(0);
      expect(await v.axe()).toEqual([]);
      expect(v.complaints).toEqual([]);
      await v.close();
    }
  });

  it('warns of a node whose parts are not the whole', async () => {
    const v = await visit(at.browser, at.world.base, WIDE);
    await v.page.route('**/v1/economics/supply', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { parts: { treasury: number } };
      body.parts.treasury -= 1;
      await route.fulfill({ response: answer, json: body });
    });
    await v.go('/money');
    await v.page.getByRole('alert').getByText('Do not believe this node').waitFor();
    await v.close();
  });

  it('shows what the node recorded before the page was opened, with a table behind each chart', async () => {
    const v = await visit(at.browser, at.world.base, WIDE);
    await v.go('/');
    const figure = v.page.locator('.figure', { hasText: 'Transactions per second' });
    await figure.getByText(/^\d+ transactions in /).waitFor();
    expect(await figure.locator('table').count()).toBe(0);
    await figure.locator('summary').click();
    await figure.locator('table tbody tr').first().waitFor();
    await v.page.getByRole('link', { name: 'Last day' }).click();
    await v.page.waitForURL(/span=day/);
    await v.page.locator('.spans a[aria-current="true"]', { hasText: 'Last day' }).waitFor();
    expect(v.complaints).toEqual([]);
    expect(await v.axe()).toEqual([]);
    await v.close();
  });

  it.each([
    [['it is connected to fewer seats than a quorum'], 'No quorum: nothing is being settled'],
    [['it catches up with its peers'], 'This node lags behind by 1,200 order numbers'],
  ])('%j is unmissable', async (not_ready, headline) => {
    const v = await visit(at.browser, at.world.base, PHONE);
    await v.page.route('**/v1/status', async (route) => {
      const answer = await route.fetch();
      const json = { ...((await answer.json()) as object), not_ready, orders_behind: 1200 };
      await route.fulfill({ response: answer, json });
    });
    await v.go('/');
    await v.page.locator('.alarm').getByText(headline).waitFor();
    expect(await v.axe()).toEqual([]);
    await v.close();
  });

  it('says so when the node is gone, and keeps what it showed', async () => {
    const v = await visit(at.browser, at.world.base, WIDE);
    await v.go('/');
    await v.page.locator('.facts').first().waitFor();
    await v.page.route('**/v1/**', (route) => route.abort());
    await v.page.locator('.alarm').getByText('This node does not answer').waitFor();
    await v.close();
  });

  it('tells a task as a story, and shows a delivery as text whatever it contains', async () => {
    const { poster, worker } = at.world;
    const { id } = await poster.tasks.create({ title: HOSTILE, description: HOSTILE, budget: 1_000_000 });
    await worker.tasks.claim(id);
    await worker.tasks.submit(id, { result_content: `name,value\n"${HOSTILE.replaceAll('"', '')}",1` });
    await poster.tasks.approve(id);
    const v = await visit(at.browser, at.world.base, WIDE);
    let dialogs = 0;
    v.page.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    await v.go(`/task/${id}`);
    for (const step of ['Posted', 'Claimed', 'Delivered', 'Paid'])
      await v.page.locator('.story li b', { hasText: step }).waitFor();
    await v.page.locator('table[aria-label="Delivered table"] td').first().waitFor();
    await v.page.getByRole('button', { name: 'Show as it was delivered' }).click();
    await v.page.locator('pre', { hasText: 'onerror' }).waitFor();
    expect(await v.page.locator('main img').count()).toBe(0);
    expect(await v.axe()).toEqual([]);
    expect([dialogs, v.complaints]).toEqual([0, []]);
    await v.close();
  });

  it('an agent can be hired from its page', async () => {
    const v = await visit(at.browser, at.world.base, WIDE);
    await v.go(`/agent/${at.world.worker.ownKey}`);
    await v.page.locator('.identicon rect').first().waitFor({ state: 'attached' });
    await v.page
      .getByText(/^It earned [\d.,]+ tokens with its (newest \d+ paid tasks|only paid task)\./)
      .waitFor();
    const times = v.page.locator('.figure', { hasText: 'Time from claim to delivery' });
    await times.getByText(/^(Half of its newest \d+ paid deliveries|Its only paid delivery) took /).waitFor();
    expect(await times.locator('rect.bar').count()).toBeGreaterThan(0);
    await times.locator('summary').click();
    await times.getByRole('link', { name: 'Count the vessels of May' }).waitFor();
    await v.page.locator('section', { hasText: 'What it offers' }).getByText('Tide tables').waitFor();
    const partner = v.page.locator('table[aria-label="Counterparties"] tbody tr').first();
    await partner.locator(`a[href="#/agent/${at.world.poster.ownKey}"]`).waitFor();
    await v.page.getByRole('button', { name: 'Go through its work' }).click();
    await v.page.getByText(/^Computed again in this browser: \d+ pieces? of work/).waitFor();
    expect(await v.axe()).toEqual([]);
    const link = v.page.getByRole('link', { name: 'Hire', exact: true });
    expect(await link.getAttribute('href')).toBe(`#/wallet?do=post&hire=${at.world.worker.ownKey}`);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('says before a claim what it takes and who the poster is', async () => {
    const { id } = await at.world.poster.tasks.create({ title: 'Count them', budget: 40_000_000 });
    const v = await visit(at.browser, at.world.base, PHONE);
    await v.go(`/task/${id}`);
    const card = v.page.locator('section.card', { hasText: 'Before you claim it' });
    for (const [name, value] of [
      ['Time to deliver', /^\d+ (?:h|d|min)$/],
      ['You reserve', /^10\.00$/],
      ['A dispute costs the poster', /^10\.00$/],
      ['If they reach no quorum', /^Half goes to the worker/],
      ['The poster so far', /paid, no dispute$/],
    ] as const) {
      const fact = card.locator('.facts div', { has: v.page.locator('dt', { hasText: name }) }).locator('dd');
      await fact.filter({ hasText: value }).waitFor();
    }
    expect(await v.axe()).toEqual([]);
    expect(v.complaints).toEqual([]);
    await v.close();
  });

  it('times are in the zone of the reader, with UTC on hover', async () => {
    const v = await visit(at.browser, at.world.base, { ...WIDE, timezoneId: 'Asia/Tokyo' });
    await v.go(`/event/${at.world.eventId}`);
    const time = v.page.locator('main time').first();
    expect(await time.textContent()).toContain('GMT+9');
    expect(await time.getAttribute('title')).toMatch(/ UTC$/);
    await v.close();
  });

  it('a slash moves to the search, except where one is typed', async () => {
    const v = await visit(at.browser, at.world.base, WIDE);
    await v.go('/tasks');
    await v.page.keyboard.press('/');
    const search = v.page.getByRole('searchbox');
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
    await v.page.keyboard.type('a/b');
    expect(await search.inputValue()).toBe('a/b');
    await v.close();
  });

  it('on a phone the navigation is one line', async () => {
    const v = await visit(at.browser, at.world.base, PHONE);
    await v.go('/');
    const tops = await v.page
      .locator('.head nav a')
      .evaluateAll((links) => links.map((link) => Math.round(link.getBoundingClientRect().top)));
    expect(tops.length).toBeGreaterThan(8);
    expect(new Set(tops).size).toBe(1);
    await v.close();
  });
});

// The verifier of the page at an address where another network answers by now, as after a test network was founded anew.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../tools/export/programs.ts';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser, openChromium } from './chromium.ts';
import { visit } from './visit.ts';

describeInBrowser('a network founded anew at the same address', () => {
  const bed = new Testbed();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await bed.close();
  });

  it('is told from the one that was verified, and verified once what is stored was deleted', async () => {
    const api = `127.0.0.1:${await freePort()}`;
    const found = async () => bed.start({ dataDir: await bed.directory(), env: { SERVICE_API: api } });
    const before = await found();
    const v = await visit(browser, `http://${api}`, {});
    const button = (name: string) => v.page.getByRole('button', { name });
    await v.go('/verify');
    await button('Verify in this browser').click();
    await v.page.getByText('Checked.').waitFor();
    await v.page.evaluate(() => sessionStorage.clear());
    await v.page.goto('about:blank');
    await before.stop();

    const after = await found();
    await v.go('/verify');
    await button('Verify in this browser').click();
    await v.page.getByText('what was kept of earlier runs is of network').waitFor();
    expect(await v.page.locator('main').textContent()).not.toMatch(/data directory|manifest/);
    await button('Delete stored progress').click();
    await button('Delete stored progress').waitFor({ state: 'detached' });
    await button('Verify in this browser').click();
    await v.page.getByText('Checked.').waitFor();
    await after.kill();
    await v.close();
  });
});

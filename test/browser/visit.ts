// A visit to the page: errors in the browser, requests to other hosts, and the accessibility of what is shown.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules of WCAG 2.2 A and AA, and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

export interface Visit {
  page: Page;
  /** Console and script errors, and requests to other hosts. */
  complaints: string[];
  go(route: string): Promise<void>;
  /** Violations of all rules, or of one, one line each. */
  axe(rule?: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function visit(browser: Browser, base: string, options: BrowserContextOptions): Promise<Visit> {
  // No animations: the contrast of a colour in transition means nothing.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${base}/`) && !/^(?:data|blob):/.test(url)) complaints.push(`requested ${url}`);
  });
  page.on('websocket', (socket) => {
    if (!socket.url().startsWith(base.replace('http', 'ws'))) complaints.push(`requested ${socket.url()}`);
  });
  return {
    page,
    complaints,
    async go(route) {
      await page.goto(`${base}/#${route}`);
      await page.locator('main h1').waitFor();
      await page.waitForFunction(() => !document.querySelector('.loading, .due'));
    },
    async axe(rule) {
      // Through the debugger, which the page's content security policy does not restrict.
      if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
      const runOnly = rule ? { type: 'rule', values: [rule] } : { type: 'tag', values: TAGS };
      const { violations } = await page.evaluate(async (only): Promise<AxeResult> => {
        const { axe } = globalThis as unknown as { axe: { run(o: object): Promise<AxeResult> } };
        return await axe.run({ runOnly: only, resultTypes: ['violations'] });
      }, runOnly);
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(
          ({ html, failureSummary }) => `${page.url()} ${id}: ${help}: ${html} ${failureSummary ?? ''}`,
        ),
      );
    },
    async close() {
      // A request that a test answers itself may be under way.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    },
  };
}

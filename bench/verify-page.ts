// The explorer page's verifier in headless Chromium, for the suite `verify`.

import { readdirSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { systemClock } from '../host/world/system/clock.ts';
import { CHROMIUM_FLAGS } from '../tools/load/chromium.ts';
import { memoryBytes } from '../tools/load/memory.ts';
import { sleep } from '../tools/load/node-process.ts';

const SAMPLE_MS = 100;
const TIMEOUT_MS = 600_000;
const BUTTONS = { genesis: 'Verify in this browser', checkpoint: 'From the newest checkpoint' } as const;

/** One check: its duration and its peak memory. */
export interface Checked {
  seconds: number;
  transactions: number;
  order: number;
  memoryBytes: number;
}

/** The descendants of a process, itself included. Linux only. */
function treeOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isInTree = (at: number | undefined): boolean =>
    at !== undefined && (at === pid || isInTree(parents.get(at)));
  return [...parents.keys()].filter(isInTree);
}

export class PageVerifier {
  private constructor(
    private readonly server: BrowserServer,
    private readonly browser: Browser,
    private readonly url: string,
  ) {}

  static async open(executablePath: string, url: string): Promise<PageVerifier> {
    const server = await chromium.launchServer({ executablePath, args: CHROMIUM_FLAGS });
    return new PageVerifier(server, await chromium.connect(server.wsEndpoint()), url);
  }

  /** One check without stored progress. Memory: of the largest process, which is the page's. */
  async check(way: keyof typeof BUTTONS): Promise<Checked> {
    const context = await this.browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`${this.url}/#/verify`);
      const button = page.getByRole('button', { name: BUTTONS[way] });
      await button.waitFor();
      const begunMs = systemClock.monotonicMs();
      await button.click();
      let peak = 0;
      for (;;) {
        const sizes = treeOf(this.server.process().pid!).map((pid) => memoryBytes(pid) ?? 0);
        peak = Math.max(peak, ...sizes);
        if (await page.locator('.notice').first().isVisible()) break;
        if (systemClock.monotonicMs() - begunMs > TIMEOUT_MS) throw new Error('the page reached no verdict');
        await sleep(SAMPLE_MS);
      }
      const seconds = (systemClock.monotonicMs() - begunMs) / 1000;
      const text = await page.locator('.notice').first().textContent();
      const found = /executed ([\d,]+) transactions again\. The log holds up to order ([\d,]+),/.exec(
        (text ?? '').replace(/\s+/g, ' '),
      );
      if (!found) throw new Error(`the page shows: ${text}`);
      const [transactions, order] = found.slice(1).map((digits) => Number(digits.replaceAll(',', '')));
      return { seconds, transactions: transactions!, order: order!, memoryBytes: peak };
    } finally {
      await context.close();
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}

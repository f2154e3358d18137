// The browser of these tests: Debian's Chromium, headless, making no network requests of its own.
// Only `npm run test:browser` runs them, which installs it where possible; `npm test` skips them by name.

import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../tools/load/chromium.ts';

const executablePath = process.env.VWS_BROWSER === '1' ? findChromium() : undefined;

/** With its own profile, which is deleted afterwards. */
export const openChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: CHROMIUM_FLAGS });

/** A group of tests that need the browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (!executablePath) {
    console.error(`SKIPPED: browser tests, run by npm run test:browser (${name})`);
  }
  describe.skipIf(!executablePath)(name, tests);
}

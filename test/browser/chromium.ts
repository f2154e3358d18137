// The browser of these tests: Debian's Chromium, headless, making no network requests of its own.
// Without it the tests are skipped by name; `npm run test:browser` installs it where possible.

import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../tools/load/chromium.ts';

const executablePath = findChromium();

/** With its own profile, which is deleted afterwards. */
export const openChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: CHROMIUM_FLAGS });

/** A group of tests that need the browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (!executablePath) {
    console.error(`SKIPPED: browser tests, no chromium; npm run test:browser installs it (${name})`);
  }
  describe.skipIf(!executablePath)(name, tests);
}

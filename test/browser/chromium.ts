// The browser of these tests: Debian's chromium, headless, with nothing of its own on the network.
// Where there is none the tests are skipped by name; `npm run test:browser` installs it where that is possible.

import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../tools/load/chromium.ts';

const executablePath = findChromium();

/** With a profile of its own that is gone afterwards. */
export const openChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: CHROMIUM_FLAGS });

/** A group of tests that need the browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (!executablePath) {
    console.error(`SKIPPED: browser tests, no chromium; npm run test:browser installs it (${name})`);
  }
  describe.skipIf(!executablePath)(name, tests);
}

// The browser of these tests: Debian's chromium, headless, with nothing of its own on the network.
// Where there is none the tests are skipped by name; `npm run test:browser` installs it where that is possible.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';
import { readEnv } from '../../host/config.ts';

const NAMES = ['chromium', 'chromium-browser'];
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of the browser, or undefined. */
export function findChromium(): string | undefined {
  const folders = [...(readEnv().PATH ?? '').split(delimiter), '/usr/bin'];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}

const executablePath = findChromium();

/** With a profile of its own that is gone afterwards. */
export const openChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: ARGS });

/** A group of tests that need the browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (!executablePath) {
    console.error(`SKIPPED: browser tests, no chromium; npm run test:browser installs it (${name})`);
  }
  describe.skipIf(!executablePath)(name, tests);
}

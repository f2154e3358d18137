// Checks of proofs in headless Chromium, for the suite `proofs`: the library as a page loads it, with answers that were kept.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS } from '../tools/load/chromium.ts';

/** Nothing is at this address: the browser is given the files of the package for it. */
const PAGE = 'http://proofs.test/';
const FOLDER = 'build/browser';

/** Runs a function of data and of the library ./verify; it must use nothing of its file. */
export async function inPage<T>(
  executablePath: string,
  run: (data: never, library: never) => Promise<T>,
  data: object,
): Promise<{ found: T; version: string }> {
  execFileSync(process.execPath, ['tools/package.mjs']);
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage();
    await page.route(`${PAGE}**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') return route.fulfill({ body: '<!doctype html>', contentType: 'text/html' });
      const body = await readFile(join(FOLDER, pathname));
      return route.fulfill({ body, contentType: 'text/javascript' });
    });
    await page.goto(PAGE);
    const [code, text] = [run.toString(), JSON.stringify(data)];
    const found = await page.evaluate(
      `import('/verify/index.js').then((library) => (${code})(${text}, library))`,
    );
    return { found: found as T, version: browser.version() };
  } finally {
    await browser.close();
  }
}

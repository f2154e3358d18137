// Takes pictures of places of the page, on a screen and on a phone, light and dark.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';

const SIZES = [1280, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 844;
/** Longer ones are cut: nobody looks further down. */
const MAX_HEIGHT = 4000;
/** Charts and lists that come after the first answer. */
const REST_MS = 700;

export interface Place {
  name: string;
  route: string;
  /** Done before the picture, such as waiting for something. */
  before?(page: Page): Promise<void>;
}

export const FORMATS = ['png', 'webp'] as const;
export type Format = (typeof FORMATS)[number];

/** Of webp: text stays sharp, and a screen of the page stays below 100 kB. */
const QUALITY = 75;

export interface Camera {
  base: string;
  dir: string;
  /** Begins the names of the files. */
  scene: string;
  format: Format;
  /** Nothing below the first screen: for documents. */
  isFirstScreen: boolean;
  /** Answers of the node that are altered on their way. */
  alter?: readonly (readonly [string, (route: Route) => Promise<void>])[];
}

/** What the window shows. Playwright has no webp, the browser has. */
async function shoot(page: Page, format: Format): Promise<Buffer> {
  if (format === 'png') return page.screenshot();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format, quality: QUALITY });
  await session.detach();
  return Buffer.from(data, 'base64');
}

/** Number of pictures that were taken. */
export async function takeAll(browser: Browser, of: Camera, places: readonly Place[]): Promise<number> {
  for (const width of SIZES)
    for (const colorScheme of SCHEMES) {
      const page = await browser.newPage({ viewport: { width, height: HEIGHT }, colorScheme });
      for (const [url, alter] of of.alter ?? []) await page.route(url, alter);
      for (const { name, route, before } of places) {
        await page.goto(`${of.base}/#${route}`);
        await page.locator('main h1').waitFor();
        await page.waitForFunction(() => !document.querySelector('.loading, .due'));
        await before?.(page);
        await page.waitForTimeout(REST_MS);
        const tall = await page.evaluate(() => document.documentElement.scrollHeight);
        const height = of.isFirstScreen ? HEIGHT : Math.min(MAX_HEIGHT, Math.max(HEIGHT, tall));
        await page.setViewportSize({ width, height });
        const path = join(of.dir, `${of.scene}-${name}-${width}-${colorScheme}.${of.format}`);
        await writeFile(path, await shoot(page, of.format));
        await page.setViewportSize({ width, height: HEIGHT });
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.close();
    }
  return places.length * SIZES.length * SCHEMES.length;
}

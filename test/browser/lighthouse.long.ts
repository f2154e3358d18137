// What Lighthouse says of the page on a mid phone, with its throttling. Accessibility and best practices are rules; the
// performance score and the first paint are timings: printed, and no test, since a busy machine makes them worse.

import lighthouse from 'lighthouse';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../tools/load/chromium.ts';
import { freePorts } from '../../tools/localnet/free-ports.ts';
import { Testbed } from '../e2e/testbed.ts';
import { describeInBrowser } from './chromium.ts';
import { openWorld, type World } from './world.ts';

const RULES = ['accessibility', 'best-practices'] as const;
const CATEGORIES = ['performance', ...RULES] as const;
const MIN_SCORE = 95;
const MAX_RUNS = 3;
const MAX_FIRST_PAINT_MS = 1000;

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>;
const speedOf = ({ categories }: Result['lhr']): number => (categories.performance?.score ?? 0) * 100;
const firstPaintOf = ({ audits }: Result['lhr']): number =>
  Math.round(audits['first-contentful-paint']!.numericValue!);
const isFast = (lhr: Result['lhr']): boolean =>
  speedOf(lhr) >= MIN_SCORE && firstPaintOf(lhr) < MAX_FIRST_PAINT_MS;

describeInBrowser('lighthouse', () => {
  const bed = new Testbed();
  let world: World;
  let browser: Browser;
  let port: number;
  beforeAll(async () => {
    [port] = (await freePorts(1)) as [number];
    // Lighthouse speaks to the browser over a port of its own.
    const args = [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`];
    const executablePath = findChromium();
    [world, browser] = await Promise.all([openWorld(bed), chromium.launch({ executablePath, args })]);
  });
  afterAll(async () => {
    await browser?.close();
    await bed.close();
  });

  /** A busy machine makes scripts slower, never faster: of some runs the best is the one that it disturbed least. */
  async function best(url: string): Promise<Result['lhr']> {
    const runs: Result['lhr'][] = [];
    while (runs.length < MAX_RUNS && !runs.some(isFast)) {
      const run = await lighthouse(url, { port, onlyCategories: [...CATEGORIES], logLevel: 'error' });
      expect(run!.lhr.runtimeError).toBeUndefined();
      runs.push(run!.lhr);
    }
    return runs.find(isFast) ?? runs.sort((a, b) => speedOf(b) - speedOf(a))[0]!;
  }

  it.each([
    ['the overview', () => '/'],
    ['the agents', () => '/agents'],
    ['an agent', () => `/agent/${world.worker.ownKey}`],
    ['the tasks', () => '/tasks'],
    ['a task', () => `/task/${world.taskId}`],
    ['the events', () => '/events'],
    ['an event', () => `/event/${world.eventId}`],
    ['the money', () => '/money'],
    ['the validators', () => '/validators'],
    ['a validator', () => '/validator/v1'],
    ['the DAG', () => '/dag'],
    ['a vertex', () => `/vertex/${world.vertex}`],
    ['a search', () => '/search?q=Tide'],
    ['the wallet', () => '/wallet'],
    ['verify', () => '/verify'],
    ['an address without a page', () => '/nowhere'],
  ])('%s: accessibility and best practices are at least 95', async (name, routeOf) => {
    const lhr = await best(`${world.base}/#${routeOf()}`);
    const { categories, audits } = lhr;
    const score = (category: string): number => Math.round((categories[category]?.score ?? 0) * 100);
    const scores = Object.fromEntries(CATEGORIES.map((category) => [category, score(category)]));
    const firstPaintMs = firstPaintOf(lhr);
    console.log(`${name}: ${JSON.stringify(scores)}, first paint ${firstPaintMs} ms`);
    const failed = Object.values(audits)
      .filter(({ score: one, scoreDisplayMode: mode }) => one !== null && one < 0.9 && mode !== 'informative')
      .map(({ id, displayValue = '' }) => `${id} ${displayValue}`);
    for (const category of RULES)
      expect(scores[category], `${category}: ${failed.join('; ')}`).toBeGreaterThanOrEqual(MIN_SCORE);
  });
});

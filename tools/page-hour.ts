// npm run page:hour: the page open in a real browser, on a network of real nodes under load. Reports memory, processor time
// and frames of the page over time; exit code 1 where one of them is beyond its bound. With --shots it saves pictures of
// every page.
// Keeps: the browser and the nodes that it starts are ended, whatever happens.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { chainIdOf } from '../host/wire/genesis.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { CHROMIUM_FLAGS, findChromium } from './load/chromium.ts';
import { ManyNodesLoad } from './load/many-nodes.ts';
import { sleep } from './load/node-process.ts';
import { LocalNetwork } from './localnet/network.ts';
import { optionsOf } from './options.ts';
import { judgePage, type PageSample } from './page/judge.ts';

const CONNECTIONS = 16;
const TASKS_PERCENT = 20;
const SAMPLES = 20;
const ROUTES = ['', 'agents', 'tasks', 'events', 'money', 'validators', 'dag', 'verify'];
const SIZES = [
  [1280, 844],
  [390, 844],
] as const;

const { minutes, nodes, load, shots } = optionsOf({
  name: 'page:hour',
  about: 'the page open in a browser, on a network under load: its memory, processor time and frame rate.',
  options: {
    minutes: { kind: 'decimal', range: [0.1, 1440], fallback: 60, help: 'how long the page stays open' },
    nodes: { kind: 'whole', range: [1, 32], fallback: 4, help: 'validators' },
    load: { kind: 'whole', range: [0, 100_000], fallback: 100, help: 'signed writes per second' },
    shots: { kind: 'text', value: 'dir', defaultNote: 'none', help: 'folder for pictures of every page' },
  },
});

/** Seconds that the page's own thread was busy, bytes in use after a collection, frames drawn since the page was opened. */
async function measure(session: CDPSession, page: Page): Promise<PageSample> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number => {
    const found = metrics.find((metric) => metric.name === name);
    if (!found) throw new Error(`this browser does not measure ${name}`);
    return found.value;
  };
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: number }).frames);
  return {
    seconds: systemClock.monotonicMs() / 1000,
    // Of its processor, not of the wall: a machine that is busy with nodes lets tasks wait.
    busySeconds: value('ThreadTime'),
    heapBytes: value('JSHeapUsedSize'),
    nodes: value('Nodes'),
    frames,
  };
}

async function takeShots(page: Page, base: string, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  for (const [width, height] of SIZES)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      for (const route of ROUTES) {
        await page.goto(`${base}/#/${route}`);
        await page.locator('main h1').waitFor();
        await page.waitForFunction(() => !document.querySelector('.loading'));
        const name = `${route || 'overview'}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(dir, name), fullPage: true });
      }
    }
}

async function watch(base: string, executablePath: string): Promise<PageSample[]> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 844 } });
    await page.addInitScript(() => {
      const counted = globalThis as unknown as { frames: number };
      counted.frames = 0;
      const count = (): void => {
        counted.frames += 1;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    });
    if (shots !== undefined) await takeShots(page, base, shots);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.goto(`${base}/#/`);
    await page.reload();
    await page.locator('.stream li').first().waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const samples = [await measure(session, page)];
    for (let i = 0; i < SAMPLES; i++) {
      await sleep((minutes * 60_000) / SAMPLES);
      samples.push(await measure(session, page));
      console.log(lineOf(samples.at(-2)!, samples.at(-1)!));
    }
    return samples;
  } finally {
    await browser.close();
  }
}

function lineOf(before: PageSample, now: PageSample): string {
  const seconds = now.seconds - before.seconds;
  const percent = ((now.busySeconds - before.busySeconds) / seconds) * 100;
  const rate = (now.frames - before.frames) / seconds;
  const megabytes = now.heapBytes / 1_000_000;
  return `heap ${megabytes.toFixed(1)} MB  elements ${now.nodes}  processor ${percent.toFixed(1)} %  frames ${rate.toFixed(0)}/s`;
}

const executablePath = findChromium();
if (!executablePath) {
  console.error('SKIPPED: page:hour needs chromium');
} else {
  const network = await LocalNetwork.start({ seats: nodes, observers: 0 });
  let isStopped = false;
  try {
    await network.untilConnected();
    const run = new ManyNodesLoad({
      targets: network.members.map(({ name, apiPort }) => ({ name, host: '127.0.0.1', port: apiPort })),
      chainId: chainIdOf(true),
      connections: CONNECTIONS,
      rate: load,
      seconds: minutes * 60 + 600,
      tasksPercent: TASKS_PERCENT,
      seed: 1,
      isStopped: () => isStopped,
    });
    if (load > 0) await run.prepare();
    const loading = load > 0 ? run.run() : Promise.resolve();
    const samples = await watch(`http://127.0.0.1:${network.members[0]!.apiPort}`, executablePath);
    isStopped = true;
    await loading;
    const faults = judgePage(samples);
    for (const fault of faults) console.log(`FAULT ${fault}`);
    console.log(faults.length === 0 ? 'memory, processor time and frames stayed within their bounds' : '');
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await network.close();
  }
}

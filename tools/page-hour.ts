// npm run page:hour: the page open in a real browser, on a network of real nodes under load. Reports memory, processor time
// by thread and frames over time; exit code 1 where one of them is beyond its bound (page/judge.ts).
// Keeps: the browser and the nodes that it starts are ended, whatever happens.

import { type CDPSession, chromium, type Page } from 'playwright-core';
import { chainIdOf } from '../host/wire/chain-id.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { CHROMIUM_FLAGS, findChromium } from './load/chromium.ts';
import { ManyNodesLoad } from './load/many-nodes.ts';
import { sleep } from './load/node-process.ts';
import { LocalNetwork } from './localnet/network.ts';
import { optionsOf } from './options.ts';
import { judgePage, type PageSample, shareOf } from './page/judge.ts';
import { type BrowserProcess, between, type CpuTime, cpuTimeOf } from './page/threads.ts';

const CONNECTIONS = 16;
const TASKS_PERCENT = 20;
const SAMPLES = 20;
/** How long frames are counted at the end of a sample: asking for every frame is work by itself. */
const FRAMES_MS = 3000;
/** The lists of the page fill up. */
const WARM_MS = 5000;

const { minutes, nodes, load, route } = optionsOf({
  name: 'page:hour',
  about: 'the page open in a browser, on a network under load: its memory, processor time and frame rate.',
  options: {
    minutes: { kind: 'decimal', range: [0.1, 1440], fallback: 60, help: 'how long the page stays open' },
    nodes: { kind: 'whole', range: [1, 32], fallback: 4, help: 'validators' },
    load: { kind: 'whole', range: [0, 100_000], fallback: 100, help: 'signed writes per second' },
    route: { kind: 'text', value: 'place', fallback: '/', help: 'place of the page, such as /dag' },
  },
});

interface Watched {
  page: Page;
  session: CDPSession;
  cpu(): Promise<CpuTime>;
}

/** Frames per second while every one is asked for. */
const framesPerSec = ({ page }: Watched): Promise<number> =>
  page.evaluate(
    (ms) =>
      new Promise<number>((done) => {
        const start = performance.now();
        let frames = 0;
        const count = (): void => {
          frames += 1;
          const passed = performance.now() - start;
          if (passed < ms) requestAnimationFrame(count);
          else done((frames * 1000) / passed);
        };
        requestAnimationFrame(count);
      }),
    FRAMES_MS,
  );

/** Leaves the page alone for so long, then measures. */
async function sample(of: Watched, ms: number): Promise<PageSample> {
  const [startMs, before] = [systemClock.monotonicMs(), await of.cpu()];
  await sleep(ms);
  const [endMs, now] = [systemClock.monotonicMs(), await of.cpu()];
  const rate = await framesPerSec(of);
  await of.session.send('HeapProfiler.collectGarbage');
  const { metrics } = await of.session.send('Performance.getMetrics');
  const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    seconds: (endMs - startMs) / 1000,
    cpu: between(before, now),
    heapBytes: value('JSHeapUsedSize'),
    nodes: value('Nodes'),
    framesPerSec: rate,
  };
}

async function watch(base: string, executablePath: string): Promise<PageSample[]> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 844 } });
    await page.goto(`${base}/#${route}`);
    await page.locator('main h1').waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const whole = await browser.newBrowserCDPSession();
    const cpu = async (): Promise<CpuTime> => {
      const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
      return cpuTimeOf(processInfo as BrowserProcess[]);
    };
    await sleep(WARM_MS);
    const samples: PageSample[] = [];
    for (let i = 0; i < SAMPLES; i++) {
      const one = await sample(
        { page, session, cpu },
        Math.max(1000, (minutes * 60_000) / SAMPLES - FRAMES_MS),
      );
      console.log(lineOf([one]));
      samples.push(one);
    }
    return samples;
  } finally {
    await browser.close();
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Of the last sample its memory, of all of them the rest. */
function lineOf(samples: readonly PageSample[]): string {
  const { heapBytes, nodes: elements } = samples.at(-1)!;
  const rate = samples.reduce((sum, { framesPerSec: one }) => sum + one, 0) / samples.length;
  const of = (kind: keyof CpuTime): string => percent(shareOf(samples, (cpu) => cpu[kind]));
  return [
    `heap ${(heapBytes / 1_000_000).toFixed(1)} MB  elements ${elements}  frames ${rate.toFixed(0)}/s`,
    `page ${of('main')}  workers ${of('workers')}  engine ${of('helpers')}  drawing by the processor ${of('drawing')}`,
  ].join('  ');
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
    const { elapsedMs, nodes: loads } = run.result();
    const done = loads.reduce((sum, one) => sum + one.done, 0);
    if (load > 0) console.log(`load: ${done} writes, ${((done * 1000) / elapsedMs).toFixed(0)} a second`);
    console.log(`in all: ${lineOf(samples)}`);
    const faults = judgePage(samples);
    for (const fault of faults) console.log(`FAULT ${fault}`);
    console.log(faults.length === 0 ? 'memory, processor time and frames stayed within their bounds' : '');
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await network.close();
  }
}

// npm run page:pictures: pictures of every page with a real network of four nodes behind it: a lively one, an idle one, one
// under attack. Somebody has to look at them: nothing here judges what it sees.
// Keeps: the browser and the nodes that it starts are ended, whatever happens, also when it is told to end.

import { mkdirSync } from 'node:fs';
import { type Browser, chromium, type Route } from 'playwright-core';
import type { Vertex } from '../host/client/index.ts';
import { chainIdOf } from '../host/wire/chain-id.ts';
import { CHROMIUM_FLAGS, findChromium } from './load/chromium.ts';
import { ManyNodesLoad } from './load/many-nodes.ts';
import { sleep } from './load/node-process.ts';
import { LocalNetwork } from './localnet/network.ts';
import { optionsOf } from './options.ts';
import { type Camera, FORMATS, type Place, takeAll } from './page/camera.ts';
import { playCast, type Things } from './page/cast.ts';

const SEATS = 4;
const RATE = 40;
const TASKS_PERCENT = 60;
/** With two of four seats gone a node notices after a while. */
const QUORUM_GONE_MS = 15_000;
const SCENES = ['lively', 'idle', 'attack'] as const;

const { dir, scene, warm, format, only, first } = optionsOf({
  name: 'page:pictures',
  about: 'pictures of every page: with a lively network behind it, an idle one, one under attack.',
  options: {
    dir: { kind: 'text', value: 'dir', fallback: '/tmp/vws-pictures', help: 'folder for the pictures' },
    scene: { kind: 'choices', choices: SCENES, help: 'which of them' },
    format: { kind: 'choice', choices: FORMATS, fallback: 'png', help: 'of the files' },
    only: { kind: 'texts', value: 'page', help: 'this page, such as task; may be repeated' },
    first: { kind: 'flag', help: 'the first screen of each page alone, for documents' },
    warm: { kind: 'whole', range: [1, 3600], fallback: 90, help: 'seconds of load before the lively ones' },
  },
});

const LISTS: Place[] = [
  { name: 'overview', route: '/' },
  { name: 'agents', route: '/agents' },
  { name: 'tasks', route: '/tasks' },
  { name: 'events', route: '/events' },
  { name: 'money', route: '/money' },
  { name: 'validators', route: '/validators' },
  { name: 'validator', route: '/validator/v1' },
  { name: 'dag', route: '/dag', before: async (page) => page.locator('.dag a').last().focus() },
  { name: 'search', route: '/search?q=v1' },
  { name: 'wallet', route: '/wallet' },
  { name: 'verify', route: '/verify' },
  { name: 'nowhere', route: '/nowhere' },
];

const placesOf = ({ agent, task, disputed, event }: Things): Place[] => [
  ...LISTS,
  { name: 'dag-far', route: '/dag?zoom=far' },
  { name: 'agent', route: `/agent/${agent}` },
  { name: 'task', route: `/task/${task}` },
  { name: 'task-disputed', route: `/task/${disputed}` },
  { name: 'event', route: `/event/${event}` },
  { name: 'search-word', route: '/search?q=Tide' },
  {
    name: 'verified',
    route: '/verify',
    before: async (page) => {
      await page.getByRole('button', { name: 'Verify in this browser' }).click();
      await page.getByRole('button', { name: 'Verify again' }).waitFor({ timeout: 300_000 });
    },
  },
  { name: 'sealed', route: '/money' },
];

const changed =
  (change: (body: unknown) => unknown) =>
  async (route: Route): Promise<void> => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  };

const LAGGING = changed((body) => ({
  ...(body as object),
  not_ready: ['it catches up with its peers'],
  orders_behind: 48_200,
}));

/** The last vertex twice, as of a seat that signed two histories. */
const FORKED = changed((body) => {
  const list = body as Vertex[];
  return [...list, { ...list.at(-1)!, hash: 'ab'.repeat(32), is_leader: false }];
});

/** The network of the scene that is played, or is being started. */
let played: Promise<LocalNetwork> | undefined;

async function withNetwork(play: (network: LocalNetwork, base: string) => Promise<number>): Promise<number> {
  played = LocalNetwork.start({ seats: SEATS, observers: 0 });
  const network = await played;
  try {
    return await play(network, `http://127.0.0.1:${network.members[0]!.apiPort}`);
  } finally {
    await network.close();
  }
}

type Shot = Pick<Camera, 'base' | 'scene' | 'alter'>;

const take = (browser: Browser, shot: Shot, places: readonly Place[]): Promise<number> => {
  const wanted = only && only.length > 0 ? places.filter(({ name }) => only.includes(name)) : places;
  return takeAll(browser, { ...shot, dir, format, isFirstScreen: first }, wanted);
};

const lively = (browser: Browser): Promise<number> =>
  withNetwork(async (network, base) => {
    let isStopped = false;
    const run = new ManyNodesLoad({
      targets: network.members.map(({ name, apiPort }) => ({ name, host: '127.0.0.1', port: apiPort })),
      ...{ chainId: chainIdOf(true), connections: 8, rate: RATE, seconds: 3600, seed: 1 },
      ...{ tasksPercent: TASKS_PERCENT, isStopped: () => isStopped },
    });
    await run.prepare();
    const loading = run.run();
    try {
      await sleep(warm * 1000);
      const things = await playCast(base);
      return await take(browser, { base, scene: 'lively' }, placesOf(things));
    } finally {
      isStopped = true;
      await loading;
    }
  });

const idle = (browser: Browser): Promise<number> =>
  withNetwork((_, base) => take(browser, { base, scene: 'idle' }, LISTS));

const attack = (browser: Browser): Promise<number> =>
  withNetwork(async (network, base) => {
    const things = await playCast(base);
    const [overview, dag] = [LISTS.slice(0, 1), [{ name: 'dag', route: '/dag' }]];
    let count = await take(browser, { base, scene: 'lagging', alter: [['**/v1/status', LAGGING]] }, overview);
    count += await take(browser, { base, scene: 'fork', alter: [['**/v1/dag/vertices?*', FORKED]] }, dag);
    await Promise.all(network.nodes.slice(2).map((node) => node.kill()));
    await sleep(QUORUM_GONE_MS);
    const places = placesOf(things).filter(({ name }) => name !== 'verified' && name !== 'sealed');
    count += await take(browser, { base, scene: 'no-quorum' }, places);
    return count;
  });

const PLAYS: Readonly<Record<(typeof SCENES)[number], (browser: Browser) => Promise<number>>> = {
  lively,
  idle,
  attack,
};

const executablePath = findChromium();
if (!executablePath) {
  console.error('SKIPPED: page:pictures needs chromium');
} else {
  mkdirSync(dir, { recursive: true });
  // The browser would end this process by itself, and leave the nodes behind.
  const left = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS, ...left });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, async () => {
      process.exitCode = code;
      // A network that is being started is ended when it runs, or has failed to.
      const network = await played?.catch(() => undefined);
      await Promise.allSettled([network?.close(), browser.close()]);
      process.exit(code);
    });
  try {
    for (const name of scene ?? SCENES) {
      const count = await PLAYS[name](browser);
      console.log(`${name}: ${count} pictures in ${dir}`);
    }
  } catch (error) {
    // Told to end: the browser was closed under its hands.
    if (process.exitCode === undefined) throw error;
  } finally {
    await browser.close();
  }
}

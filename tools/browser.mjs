// npm run test:browser: the explorer page in a real browser. Installs Debian's Chromium if it is missing and that is
// possible, then builds and runs test/browser, and after it alone what Lighthouse says, whose figures others would spoil.
// Without a browser it reports so and exits with 0: nothing was tested.

import { spawnSync } from 'node:child_process';

const NAMES = ['chromium', 'chromium-browser'];

/** VWS_PAGE_TRANSACTIONS: how many the page verifies in one run. */
const env = { VWS_PAGE_TRANSACTIONS: '10000', ...process.env, VWS_BROWSER: '1' };

const run = (program, args) => spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
const exists = (program) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
const hasChromium = () => NAMES.some(exists);

if (!hasChromium() && exists('apt-get') && process.getuid?.() === 0) {
  console.log('installing chromium');
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
}
if (!hasChromium()) {
  console.error(
    'SKIPPED: browser tests and lighthouse: chromium is missing and can only be installed as root with apt-get',
  );
  process.exit(0);
}
const vitest = (path) => run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', path]);
const code =
  run(process.execPath, ['tools/build.mjs']) ||
  vitest('test/browser') ||
  vitest('test/browser/lighthouse.long.ts');
process.exit(code);
